"""What a follow-up points back to: the entity, the question, the answer and the list that were last talked about."""

from collections.abc import Mapping, Sequence

from .calibration.questions import Listed, Topic
from .records import Item, Turn, reference_number
from .storage.mentions import known_in, last_named
from .storage.turns import list_speakers
from .store import Memory
from .traces import Json

_RECENT_TURNS = 20
_LISTABLE = frozenset({"todo", "choice"})


def topic_of(memory: Memory, user_id: str, session_id: str, text: str, *, before: int | None = None) -> Topic:
    """Read the topic of a conversation as it stands before the message ``text``.

    Args:
        memory: the user's memory.
        user_id: whose conversation.
        session_id: which conversation.
        text: the new message, whose words tell which known names matter.
        before: number of the turn that recorded the message, which is no part of what came before it.
    """
    recent = memory.recent(user_id, session_id, _RECENT_TURNS, before=before)
    answer = memory.answer(user_id) if recent else None
    trace = answer if answer and answer["session_id"] == session_id else {}
    evidence = trace.get("evidence", [])
    items = memory.items(user_id, [turn.number for turn in recent])
    with memory.database.read() as connection:
        known, named = known_in(connection, user_id, text), last_named(connection, user_id, recent, items)
    questions = [turn.text for turn in reversed(recent) if turn.act == "question"]
    return Topic(
        entity=named or memory.state(user_id).topic,
        question=next(iter(questions), None),
        earlier=tuple(questions[1:]),
        answer_turns=tuple(reference_number(chosen["turn_id"]) for chosen in evidence),
        answer_items=tuple(reference_number(item) for chosen in evidence for item in chosen["items"]),
        listed=_listed(recent, items, evidence),
        known=tuple(known),
        speakers=_speakers(memory, user_id),
    )


def _listed(
    recent: Sequence[Turn], items: Mapping[int, Sequence[Item]], evidence: Sequence[Json]
) -> tuple[Listed, ...]:
    """The list that was given last: several errands or options in one turn, or the quotations of the last answer."""
    for turn in reversed(recent):
        if turn.role == "assistant" and turn is recent[-1] and len(evidence) > 1:
            return tuple(_from_quotation(chosen) for chosen in evidence)
        listed = [item for item in items.get(turn.number, ()) if item.kind in _LISTABLE]
        if len(listed) > 1:
            return tuple(_from_item(item) for item in listed)
    return ()


def _from_item(item: Item) -> Listed:
    return Listed(turn=item.turn, quote=item.quote, item=item.number)


def _from_quotation(chosen: Json) -> Listed:
    return Listed(
        turn=reference_number(chosen["turn_id"]),
        quote=chosen["quote"],
        item=next((reference_number(item) for item in chosen["items"]), None),
    )


def _speakers(memory: Memory, user_id: str) -> tuple[str, ...]:
    with memory.database.read() as connection:
        return tuple(list_speakers(connection, user_id))
