"""Route: whether the turn needs the memory at all. Small talk costs no retrieval."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.calibration.questions import Question
from .contract import Context, Perceived, Resources


class RouteInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question


class RouteUpdate(TypedDict):
    """What the node writes."""

    recall: bool


def route(state: RouteInput, runtime: Runtime[Context], *, resources: Resources) -> RouteUpdate:
    """Send questions to the memory, and everything else straight to answering.

    A request from which a todo was noted ("remind me to ...") is answered by the note; any other wants something that
    the records may hold ("show me the minutes"). So do words that only make sense as a question ("my email?"), and a
    clause that is named without a word more ("clause 5 of contract A").
    """
    turn, clauses = state["turn"], state["question"].clauses
    if clauses is not None and clauses.stands_alone:
        return {"recall": True}
    asks = turn.act == "request" or (turn.act == "statement" and state["question"].fragment)
    return {"recall": turn.act == "question" or (asks and not turn.noted)}
