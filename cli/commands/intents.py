"""`veridical intents`: what the user is about to get done, drawn with its history; and the check of domain files."""

from pathlib import Path
from typing import Annotated

import typer

from .. import options
from ..border import EXIT_USAGE
from ..output import echo, show, show_json

app = typer.Typer(
    help="Show what the user is about to get done, and check the files that describe how.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Entity = Annotated[
    str | None,
    typer.Option("--entity", metavar="ID", help="Only of this one: order:12345, or 12345.", show_default=False),
]
Mermaid = Annotated[bool, typer.Option("--mermaid", help="Print Mermaid diagrams instead.")]
Schema = Annotated[bool, typer.Option("--schema", help="Print the JSON schema of domain files, and check nothing.")]


@app.command("check")
def check(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A domain file in YAML.", show_default=False)
    ] = None,
    schema: Schema = False,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Check a domain file: states nobody reaches, missing translations, guards over unknown slots.

    Each problem is shown with its line. The exit code is 2 where there are any.
    """
    from ...intents.document import domain_schema
    from ...intents.loading import examine
    from ...memory.errors import BadInput
    from ..rendering.intents import problems_page

    if schema:
        show_json(domain_schema())
        return
    if file is None:
        message = "No file was named: veridical intents check FILE."
        raise BadInput(message)
    part, problems = examine(file)
    summary = (
        {} if part is None else {"state": len(part.states), "step": len(part.transitions), "slot": len(part.slots)}
    )
    if as_json:
        listed = [{"line": it.line, "column": it.column, "message": it.message} for it in problems]
        show_json({"file": str(file), "problems": listed})
    else:
        show(problems_page(file, problems, summary))
    if problems:
        raise typer.Exit(EXIT_USAGE)


@app.command("show")
def show_(
    user: options.User = options.DEFAULT_USER,
    entity: Entity = None,
    mermaid: Mermaid = False,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Draw the user's intents: the states, the way through them, what was refused and what was taken back.

    Every step names the turn that made it and its words.
    """
    from ...intents.drawing import drawn
    from ..opening import load_settings, open_for
    from ..rendering.intents import intents_page
    from ..wording import machine_language

    settings = load_settings(data)
    with open_for(settings, user) as resources, resources.memory.database.read() as connection:
        found = drawn(connection, user, resources.domains, entity=entity, language=machine_language())
    if as_json:
        show_json({"intents": [one.as_json() for one in found]})
    elif mermaid:
        echo("\n\n".join(one.mermaid() for one in found))
    else:
        show(intents_page(found))
