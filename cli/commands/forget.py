"""`veridical forget`: something leaves the memory for good."""

from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..border import EXIT_UNEXPECTED
from ..output import echo, show, show_json

if TYPE_CHECKING:
    from ...memory.forgetting import Forgotten, Preview, What
    from ...nodes.contract import Resources

Turns = Annotated[
    list[str] | None, typer.Option("--turn", metavar="ID", help="This turn, for example t12; may be given again.")
]
Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="NAME",
        help="What came from there: user_input, ai_generated, external_knowledge, or a speaker.",
    ),
]
Sessions = Annotated[
    list[str] | None,
    typer.Option("--session", metavar="ID", help="This conversation, or all of an import under that name."),
]
Entities = Annotated[
    list[str] | None, typer.Option("--entity", metavar="NAME", help="What is about it: every turn that names it.")
]
Values = Annotated[
    list[str] | None, typer.Option("--value", metavar="TEXT", help="Every turn that contains it, however written.")
]


def forget(
    turn: Turns = None,
    source: Sources = None,
    session: Sessions = None,
    entity: Entities = None,
    value: Values = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything of this user.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for a confirmation.")] = False,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Forget something for good.

    Shows what would go and asks first. Then searches every file for what is left, and exits with 1 if something is.
    """
    from ..opening import load_settings, open_for
    from ..rendering.forgetting import forgotten_page, preview_page

    given = {"turn": turn, "source": source, "session": session, "entity": entity, "value": value}
    what = _chosen({kind: names for kind, names in given.items() if names}, everything=everything)
    settings = load_settings(data)
    with open_for(settings, user) as resources:
        planned = _preview(resources, user, what)
        if not as_json:
            show(preview_page(planned))
        if not (yes or _confirmed(planned)):
            echo("Nothing was changed.", err=as_json)
            return
        report = _forget(resources, user, what)
    if as_json:
        show_json(report.document())
    else:
        show(forgotten_page(report, settings.data_dir))
    if not report.clean:
        raise typer.Exit(EXIT_UNEXPECTED)


def _chosen(given: dict[str, list[str]], *, everything: bool) -> "What":
    from ...memory.errors import BadInput
    from ...memory.forgetting import What
    from ...memory.language.folding import clean

    kinds = [*given, *(["all"] if everything else [])]
    if len(kinds) != 1:
        message = "Say what to forget: exactly one of --turn, --source, --session, --entity, --value or --all."
        raise BadInput(message)
    names = tuple(clean(name).strip() for name in given.get(kinds[0], ()))
    if not all(names):
        message = f"--{kinds[0]} is empty: name what to forget."
        raise BadInput(message)
    return What(kinds[0], names)  # type: ignore[arg-type]


def _preview(resources: "Resources", user: str, what: "What") -> "Preview":
    from ...memory.forgetting import preview

    return preview(resources.memory, user, what)


def _confirmed(planned: "Preview") -> bool:
    """Whether the person says yes; where nothing is left to forget, the cleaning needs no permission."""
    return not (planned.turns or planned.documents) or typer.confirm("Forget this for good?", default=False, err=True)


def _forget(resources: "Resources", user: str, what: "What") -> "Forgotten":
    from ...graph.threads import open_threads
    from ...memory.forgetting import forget as run

    with open_threads(resources.memory) as threads:
        return run(resources.memory, threads, user, what, terminal="cli", now=resources.clock())
