"""A model's summary: it proposes entries, and those that quote their turns are kept."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from pydantic import BaseModel, Field, model_validator

from .language.folding import fold
from .records import Source, Turn


class Entry(BaseModel):
    """One entry: a piece of a turn, copied exactly, and the id of the turn."""

    turn_id: str
    quote: str


class ProposedSummary(BaseModel):
    """What a model is asked for."""

    core_topic: str = ""
    domain: str = ""
    user_stated: list[Entry] = Field(default_factory=list)
    assistant_said: list[Entry] = Field(default_factory=list)
    agreements: list[Entry] = Field(default_factory=list)
    decisions: list[Entry] = Field(default_factory=list)
    todos: list[Entry] = Field(default_factory=list)
    open_questions: list[Entry] = Field(default_factory=list)
    choices: list[Entry] = Field(default_factory=list)
    key_times: list[Entry] = Field(default_factory=list)
    key_entities: list[Entry] = Field(default_factory=list)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        # A cut-off or empty object reads as one without entries; that is a failure, and no summary.
        if not any(entries for _, entries in _entries(self)):
            raise ValueError("a summary without entries")
        return self


_BY_ASSISTANT = frozenset({"assistant_said"})
_BY_ANYONE = frozenset({"key_times", "key_entities"})


def quoted_sections(proposed: ProposedSummary, turns: Sequence[Turn]) -> dict[str, list[dict[str, str]]]:
    """The entries that quote a turn of the right speaker, by section. Everything else is left out.

    An agreement needs something to agree to: the assistant's turn just before, which it cites as its proposal.
    """
    sections: dict[str, list[dict[str, str]]] = {}
    for name, entries in _entries(proposed):
        kept = [quoted for entry in entries if (quoted := _quoted(name, entry, turns)) is not None]
        if kept:
            sections[name] = kept
    return sections


def _quoted(section: str, entry: Entry, turns: Sequence[Turn]) -> dict[str, str] | None:
    """The entry with its quotation as it stands in the turn; ``None`` where it quotes nothing, or the wrong speaker."""
    turn = next((turn for turn in turns if turn.id == entry.turn_id.strip("[] ")), None)
    if turn is None or not _may_say(section, turn.source) or (quote := slice_of(entry.quote, turn.text)) is None:
        return None
    if section != "agreements":
        return {"text": quote, "turn_id": turn.id}
    proposal = _before(turn, turns)
    return None if proposal is None else {"text": quote, "turn_id": turn.id, "proposal": proposal.id}


def merged(document: Mapping[str, Any], proposed: ProposedSummary, turns: Sequence[Turn]) -> dict[str, Any]:
    """The floor's summary, completed by what the model proposed and could quote."""
    whole = dict(document)
    for name, entries in quoted_sections(proposed, turns).items():
        if name == "key_entities":
            whole[name] = list(dict.fromkeys([*whole[name], *(entry["text"] for entry in entries)]))
        else:
            known = [(entry["turn_id"], fold(entry["text"])) for entry in whole.get(name, [])]
            whole[name] = [*whole.get(name, []), *(entry for entry in entries if not _is_known(entry, known))]
    said = " ".join(fold(turn.text) for turn in turns)
    if proposed.core_topic and all(word in said for word in fold(proposed.core_topic).split()):
        whole["core_topic"] = proposed.core_topic
    whole["domain"] = proposed.domain or None
    return whole


def _entries(proposed: ProposedSummary) -> Iterator[tuple[str, list[Entry]]]:
    for name in type(proposed).model_fields:
        value = getattr(proposed, name)
        if isinstance(value, list):
            yield name, value


def _may_say(section: str, source: Source) -> bool:
    if section in _BY_ANYONE:
        return True
    return source == ("ai_generated" if section in _BY_ASSISTANT else "user_input")


def slice_of(quote: str, text: str) -> str | None:
    """The piece of the text that a quotation copies, whatever its width and case; ``None`` where there is none."""
    wanted = fold(quote.strip().strip('"“”「」'))
    start = fold(text).find(wanted)
    return text[start : start + len(wanted)] if wanted and start >= 0 else None


def _before(turn: Turn, turns: Sequence[Turn]) -> Turn | None:
    earlier = [other for other in turns if other.number < turn.number]
    return earlier[-1] if earlier and earlier[-1].source == "ai_generated" else None


def _is_known(entry: Mapping[str, str], known: Sequence[tuple[str, str]]) -> bool:
    text = fold(entry["text"])
    return any(turn_id == entry["turn_id"] and (text in other or other in text) for turn_id, other in known)
