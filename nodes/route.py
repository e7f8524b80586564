"""Route: whether the turn needs the memory at all, and whether it moves an errand. Small talk costs nothing."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..intents.inquiries import Inquiry
from ..intents.lexicon import has_change_word
from ..intents.outcomes import Outcome
from ..memory.calibration.questions import Question
from ..memory.storage.intents import open_intents
from .contract import Context, Perceived, Resources


class RouteInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question
    proposed: list[Outcome]
    inquiry: Inquiry | None


class RouteUpdate(TypedDict):
    """What the node writes."""

    recall: bool
    settles: bool


def route(state: RouteInput, runtime: Runtime[Context], *, resources: Resources) -> RouteUpdate:
    """Send questions to the memory, what may move an errand to be settled, and everything else straight to answering.

    A request from which a todo was noted ("remind me to ...") is answered by the note; any other wants something that
    the records may hold ("show me the minutes"). So do words that only make sense as a question ("my email?"), and a
    clause that is named without a word more ("clause 5 of contract A"). What is asked of the errands themselves is
    answered from their own records.
    """
    if state["inquiry"] is not None:
        return {"recall": False, "settles": False}
    turn, clauses = state["turn"], state["question"].clauses
    if clauses is not None and clauses.stands_alone:
        return {"recall": True, "settles": False}
    asks = turn.act == "request" or (turn.act == "statement" and state["question"].fragment)
    recall = turn.act == "question" or (asks and not turn.noted)
    return {"recall": recall, "settles": bool(state["proposed"]) or _may_move(turn, resources)}


def _may_move(turn: Perceived, resources: Resources) -> bool:
    """Whether a turn may do something to an errand in words that the floor does not know."""
    if has_change_word(turn.text):
        return True
    with resources.memory.database.read() as connection:
        return bool(open_intents(connection, turn.user_id, limit=1))
