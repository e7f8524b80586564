"""Route: whether the turn needs the memory at all. Small talk costs no retrieval."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from .contract import Context, Perceived, Resources


class RouteInput(TypedDict):
    """What the node reads."""

    turn: Perceived


class RouteUpdate(TypedDict):
    """What the node writes."""

    recall: bool


def route(state: RouteInput, runtime: Runtime[Context], *, resources: Resources) -> RouteUpdate:
    """Send questions to the memory, and everything else straight to answering.

    A request from which a todo was noted ("remind me to ...") is answered by the note; any other wants something that
    the records may hold ("show me the minutes").
    """
    turn = state["turn"]
    return {"recall": turn.act == "question" or (turn.act == "request" and not turn.noted)}
