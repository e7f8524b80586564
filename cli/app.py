"""The entry point: the commands and their common behaviour. Imports nothing heavy."""

from typing import Annotated

import typer

from .. import __version__
from .border import BorderGroup, configure_streams
from .commands import (
    ask,
    backup,
    chat,
    config,
    doctor,
    eval,
    forget,
    ingest,
    intents,
    knowledge,
    mcp,
    memory,
    prompts,
    recall,
    reindex,
    serve,
    state,
    token,
    why,
)

app = typer.Typer(
    name="veridical",
    cls=BorderGroup,
    help="A chat agent with a memory that does not lie: every answer about the past is quoted, dated and checked.",
    # Plain help: loading the formatter for the other kind takes longer than everything else.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"veridical {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    configure_streams()


app.command("chat")(chat.chat)
app.command("ingest")(ingest.ingest)
app.command("recall")(recall.recall)
app.command("ask")(ask.ask)
app.command("why")(why.why)
app.command("state")(state.state)
app.add_typer(memory.app, name="memory")
app.add_typer(knowledge.app, name="knowledge")
app.add_typer(intents.app, name="intents")
app.add_typer(prompts.app, name="prompts")
app.command("forget")(forget.forget)
app.command("doctor")(doctor.doctor)
app.command("reindex")(reindex.reindex)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("serve")(serve.serve)
app.command("mcp")(mcp.mcp)
app.add_typer(token.app, name="token")
app.command("config")(config.config)
app.add_typer(eval.app, name="eval")


def main() -> None:
    """Run the command line."""
    app()
