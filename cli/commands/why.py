"""`veridical why`: the chain from a question to the quotations of its answer."""

from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..output import show, show_json

if TYPE_CHECKING:
    from ...memory.store import Memory
    from ...memory.traces import Json


def why(
    answer_id: Annotated[
        str | None,
        typer.Argument(metavar="ANSWER_ID", help="For example a7; the last answer by default.", show_default=False),
    ] = None,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Show how an answer came about.

    From the question to its queries, what was kept, what was dropped by which rule, the sentences chosen, claims and
    quotations.
    """
    from ..opening import load_settings, open_for, zone_of
    from ..rendering.why import why_tree

    settings = load_settings(data)
    with open_for(settings, user) as resources:
        trace = load_trace(resources.memory, user, answer_id)
    if as_json:
        show_json(trace)
    else:
        show(why_tree(trace, zone_of(settings)))


def load_trace(memory: "Memory", user: str, answer_id: str | None) -> "Json":
    """The stored trace of an answer, or of the user's last one.

    Raises:
        NotFound: there is no such answer.
    """
    from ...memory.errors import NotFound
    from ..opening import number_of

    trace = memory.answer(user, None if answer_id is None else number_of(answer_id, "a", "answer"))
    if trace is None:
        raise NotFound("answer", answer_id or "yet", "ask something first, with `veridical ask` or in `veridical chat`")
    return trace
