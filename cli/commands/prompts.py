"""`veridical prompts`: the versioned templates that every answer names."""

from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..output import echo, show, show_json, styled

if TYPE_CHECKING:
    from ...prompts.library import Prompt

app = typer.Typer(help="List, show and compare the versioned prompts.", no_args_is_help=True, rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The prompt, as `prompts list` names it.")]
Language = Annotated[str, typer.Option("--language", metavar="en|zh", help="Which language.")]
Version = Annotated[int | None, typer.Option("--version", metavar="N", help="Which version; the newest by default.")]


@app.command("list")
def list_prompts(as_json: options.Json = False, verbose: options.Verbose = False) -> None:
    """List every prompt with its version, its hash and what it is for."""
    from ...prompts.library import catalogue

    rows = [
        {
            "name": prompt.ref.name,
            "version": prompt.ref.version,
            "language": prompt.language,
            "sha256": prompt.ref.sha256,
            "purpose": prompt.purpose,
            "changes": prompt.changes,
        }
        for prompt in catalogue()
    ]
    if as_json:
        show_json({"prompts": rows})
        return
    for row in rows:
        show(styled(f"{row['name']} v{row['version']} {row['language']}  {str(row['sha256'])[:12]}  {row['changes']}"))


@app.command("show")
def show_prompt(
    name: Name, language: Language = "en", version: Version = None, verbose: options.Verbose = False
) -> None:
    """Show a prompt as it is in its file."""
    from ...prompts.library import source

    prompt = _load(name, language, version)
    echo(source(name, language, prompt.ref.version))


@app.command("diff")
def diff(
    name: Name,
    old: Annotated[int, typer.Argument(metavar="OLD", help="The earlier version.")],
    new: Annotated[int, typer.Argument(metavar="NEW", help="The later version.")],
    language: Language = "en",
    verbose: options.Verbose = False,
) -> None:
    """Show what changed from one version of a prompt to another."""
    from difflib import unified_diff

    from ...prompts.library import source

    versions = [_load(name, language, version).ref.version for version in (old, new)]
    before, after = (source(name, language, version).splitlines() for version in versions)
    lines = unified_diff(before, after, f"{name} v{old} {language}", f"{name} v{new} {language}", lineterm="")
    echo("\n".join(lines))


def _load(name: str, language: str, version: int | None) -> "Prompt":
    from ...memory.errors import BadInput
    from ...prompts.library import PromptError, load

    try:
        return load(name, language, version)
    except PromptError as error:
        message = f"{error} `veridical prompts list` shows what there is."
        raise BadInput(message) from error
