"""When a session is summarised, and the summary that needs no model: sections of quotations, nothing reworded."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .language.lexicon import cue
from .language.sentences import sentences
from .language.tokens import content_stems
from .records import Item, ItemKind, Turn
from .shifts import topic_shifts
from .storage.summaries import NewSummary

_SECTIONS: Mapping[ItemKind, str] = {
    "fact": "user_stated",
    "event": "user_stated",
    "decision": "decisions",
    "agreement": "agreements",
    "todo": "todos",
    "question": "open_questions",
    "choice": "choices",
}
# A shift is only worth a summary when there is something to summarise.
_SHIFT_MIN_TURNS = 6
_MOST_ENTITIES = 12
_LONGEST_PAUSE = 16


@dataclass(frozen=True, slots=True)
class Attempts:
    """Summaries of a session that failed since the last one that did not."""

    failed: int = 0
    turns_since: int = 0
    """Turns of the user's since the last of them, the current one included."""

    @property
    def due(self) -> bool:
        """Whether it is time to try again: after 1, 2, 4, 8 turns, then after every 16th."""
        return not self.failed or self.turns_since >= min(2 ** (self.failed - 1), _LONGEST_PAUSE)


def trigger_of(pending: Sequence[Turn], *, threshold: int, attempts: Attempts = Attempts()) -> str | None:
    """Why the turns that no summary covers yet should be summarised now.

    Args:
        pending: the session's turns since its last summary, oldest first.
        threshold: how many of them are summarised without another reason.
        attempts: what failed before is tried again ever more seldom, and whenever the user takes leave or asks.

    Returns:
        ``leave``, ``requested``, ``decision``, ``threshold``, ``topic_shift`` or ``retry``; ``None`` when there is no
        reason. A question in the user's last turn never disappears into a summary.
    """
    spoken = [turn for turn in pending if turn.source == "user_input"]
    if not spoken:
        return None
    last = spoken[-1]
    if last.act == "leave":
        return "leave"
    if cue(last.text, "summary"):
        return "requested"
    if last.act in {"question", "request"}:
        return None
    if attempts.failed:
        return "retry" if attempts.due else None
    return _own_reason(pending, spoken, threshold)


def _own_reason(pending: Sequence[Turn], spoken: Sequence[Turn], threshold: int) -> str | None:
    """A reason that lies in what was said, without anybody's asking or leaving."""
    if cue(spoken[-1].text, "decision"):
        return "decision"
    if len(pending) >= threshold:
        return "threshold"
    return "topic_shift" if _shifted(pending, spoken) else None


def summarise(
    session_id: str, pending: Sequence[Turn], items: Mapping[int, Sequence[Item]], trigger: str
) -> NewSummary:
    """The floor's summary of ``pending``: every entry is a quotation with its turn."""
    document: dict[str, Any] = {name: [] for name in (*dict.fromkeys(_SECTIONS.values()), "key_times")}
    for turn in pending:
        for item in items.get(turn.number, ()):
            if item.live:
                _add(document, turn, item)
    entities = Counter(item.entity for turn in pending for item in items.get(turn.number, ()) if item.entity != "user")
    document["key_entities"] = [name for name, _ in entities.most_common(_MOST_ENTITIES)]
    document["assistant_said"] = [_entry(turn, said) for turn in pending if (said := _said_by_assistant(turn))]
    document["core_topic"] = document["key_entities"][0] if entities else _commonest_word(pending)
    return NewSummary(
        session_id=session_id,
        first_turn=pending[0].number,
        last_turn=pending[-1].number,
        trigger=trigger,
        document=document,
    )


def _add(document: dict[str, Any], turn: Turn, item: Item) -> None:
    agreed = {} if item.accepted is None else {"proposal": f"t{item.accepted.turn}"}
    document[_SECTIONS[item.kind]].append({**_entry(turn, item.quote), **agreed, "id": item.id})
    if item.value_type in {"date", "time"}:
        document["key_times"].append({**_entry(turn, item.value), "resolved": item.normal})


def _said_by_assistant(turn: Turn) -> str:
    """The first sentence of an assistant's turn; empty for anybody else's."""
    spans = sentences(turn.text) if turn.source == "ai_generated" else []
    return spans[0].cut(turn.text) if spans else ""


def _entry(turn: Turn, quote: str) -> dict[str, str]:
    return {"text": quote, "turn_id": turn.id}


def _commonest_word(turns: Sequence[Turn]) -> str | None:
    words = Counter(stem for turn in turns if turn.source == "user_input" for stem in content_stems(turn.text))
    return next((word for word, _ in words.most_common(1)), None)


def _shifted(pending: Sequence[Turn], spoken: Sequence[Turn]) -> bool:
    """Whether the user has begun another topic, now or with a question that this turn follows."""
    if len(spoken) <= _SHIFT_MIN_TURNS:
        return False
    texts = [turn.text for turn in pending]
    return any(topic_shifts(texts[: pending.index(turn) + 1]) for turn in spoken[-2:])
