"""Which of a call's messages are new: hosts replay whole histories, and nothing may be recorded twice."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from ..memory.errors import BadInput
from ..memory.ingestion.utterances import LONGEST_TURN, too_long
from ..memory.records import Turn
from ..memory.store import Memory


def trailing_messages(messages: Sequence[AnyMessage]) -> list[HumanMessage | ToolMessage]:
    """The human and tool messages after the last answer that have any text, the human one to be answered last.

    Raises:
        BadInput: there is no human message, or the last one has no text.
    """
    asked = _asked(messages)
    answered = max((place for place, other in enumerate(messages) if isinstance(other, AIMessage)), default=-1)
    after = [other for other in messages[answered + 1 :] if isinstance(other, HumanMessage | ToolMessage)]
    return [other for other in after if other is not asked and other.text.strip()] + [asked]


def _asked(messages: Sequence[AnyMessage]) -> HumanMessage:
    spoken = [message for message in messages if isinstance(message, HumanMessage)]
    if not spoken:
        message = "There is no human message to answer: send {'messages': [('user', '...')]}."
        raise BadInput(message)
    if not spoken[-1].text.strip():
        message = "The message has no text: send some words to answer."
        raise BadInput(message)
    if len(spoken[-1].text) > LONGEST_TURN:
        raise BadInput(too_long(len(spoken[-1].text)))
    return spoken[-1]


def replayed_turn(
    memory: Memory, user_id: str, session_id: str, messages: Sequence[AnyMessage], message: AnyMessage
) -> Turn | None:
    """The recorded turn that a message of unknown id repeats: the same place and words in a replayed history.

    Place and words only count when the history holds answers too: somebody who says "yes" twice has said it twice.
    """
    place = next(place for place, other in enumerate(messages) if other is message)
    history = [other for other in messages[: place + 1] if other.text.strip()]
    if not any(isinstance(other, AIMessage) for other in history):
        return None
    known = memory.opening(user_id, session_id, len(history))
    if [turn.text for turn in known] != [other.text for other in history]:
        return None
    # A thread that lost its checkpoints may begin again in the same words: what is in it was said lately, by its ids.
    ids = {other.id for other in history}
    lately = memory.recent(user_id, session_id, len(history))
    return None if any(turn.external_id in ids and turn not in known for turn in lately) else known[-1]
