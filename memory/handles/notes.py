"""A registered document as the memory recalls it: a turn that says what it says, and facts that quote that turn."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from ..extraction.normals import normalise
from ..extraction.reading import USER
from ..extraction.subjects import identities_in
from ..language.folding import clean, detect_language
from ..language.lexicon import attribute_key
from ..records import NewTurn, Proposal, Span, Turn
from ..retrieval import lexical
from ..storage.deltas import Document
from ..storage.items import close_items, list_items, record_items
from ..storage.keys import key_of
from ..storage.states import refresh_state
from ..storage.turns import append_turn
from .documents import check_length
from .records import Handle

_SESSION = "handles"
_NAMES = ("name", "title", "number", "id")
"""Keys of the metadata that say which of its kind a document is."""
_DATES = ("date", "observed_at", "timestamp")
_VALUE, _UNIT = "value", "unit"


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a state, under the keys that lead to it."""

    path: tuple[str, ...]
    value: str
    """``12.3 mmol/L``."""

    @property
    def name(self) -> str:
        """The path in words."""
        return " ".join(self.path).replace("_", " ")

    @property
    def attribute(self) -> str:
        """The name of the fact that it is: ``blood_sugar`` for ``("glucose",)``."""
        return key_of(attribute_key(self.name))

    @property
    def text(self) -> str:
        """The value as the turn has it."""
        return clean(self.value)


def stated_by(turn: Turn) -> tuple[str, int] | None:
    """The handle and the version that a turn records; ``None`` where it records none."""
    handle, _, version = turn.external_id.rpartition("-v")
    return (handle, int(version)) if turn.session_id == f"{_SESSION}/{handle}" and version.isdecimal() else None


def note(connection: Connection, handle: Handle, delta: Document, *, now: datetime) -> None:
    """Record what a change of a handle says, and close the facts of what it takes out or replaces by nothing.

    The turn came through a service, so its source is ``external_knowledge``, and its speaker the service.
    """
    entity = entity_of(handle)
    _close(connection, handle, entity, [Leaf(path, "").attribute for path in _removed(delta)], now)
    said = list(leaves(_touched(handle.state, delta)))
    if not said:
        refresh_state(connection, handle.user_id, (), now=now)
        return
    text, proposals = _worded(handle, entity, said)
    new = NewTurn(
        user_id=handle.user_id,
        session_id=f"{_SESSION}/{handle.handle}",
        external_id=f"{handle.handle}-v{handle.version}",
        role="assistant",
        source="external_knowledge",
        speaker=handle.updated_source or handle.source,
        text=text,
        language=detect_language(text),
        observed_at=_observed(handle, now),
        time_zone="UTC",
        act="statement",
        terminal=handle.updated_by,
    )
    turn, _ = append_turn(connection, new, now=now)
    lexical.add_turn(connection, turn)
    record_items(connection, turn, proposals, now=now)
    refresh_state(connection, handle.user_id, [turn], now=now)


def entity_of(handle: Handle) -> str:
    """Whom the facts of a handle are about: ``contract:a`` where the metadata name it, else the user themself."""
    named = [str(handle.metadata[key]) for key in _NAMES if handle.metadata.get(key)]
    for name in named:
        known = identities_in(f"{handle.type.replace('_', ' ')} {name}") or identities_in(name)
        if known:
            return known[0][0]
    return f"{handle.type}:{clean(named[0]).lower()}" if named else USER


def _worded(handle: Handle, entity: str, said: list[Leaf]) -> tuple[str, list[Proposal]]:
    """The text of the turn, and a proposal for each value that quotes its piece of it."""
    dates = [f"{key.replace('_', ' ')} {handle.metadata[key]}" for key in handle.metadata if key.endswith(_DATES)]
    title = " ".join(_called(handle, {leaf.path for leaf in said}))
    text = handle.type.replace("_", " ") + (f" {title}" if title else "") + (f" ({', '.join(dates)})" if dates else "")
    text = clean(text) + ": "
    proposals = []
    for index, leaf in enumerate(said):
        start = len(text)
        value = leaf.text
        piece = f"{clean(leaf.name)} {value}"
        text += piece + (". " if index == len(said) - 1 else "; ")
        span = Span(start + len(piece) - len(value), start + len(piece))
        meaning = normalise(value)
        proposals.append(
            Proposal(
                kind="fact",
                entity=entity,
                attribute=leaf.attribute,
                value=value,
                value_span=span,
                quote_span=Span(start, start + len(piece)),
                normal=meaning.normal,
                value_type=meaning.value_type,
                unit=meaning.unit,
                single_valued=True,
                action="change",
            )
        )
    check_length(len(text))
    return text.rstrip(), proposals


def _called(handle: Handle, said: Collection[tuple[str, ...]]) -> list[str]:
    """What a document is called in its metadata, or where they are silent in its state, as far as that is not said.

    A change of the status alone would not tell whose status it is.
    """
    known = handle.metadata if any(handle.metadata.get(key) for key in _NAMES) else handle.state
    named = {key: _shown(known[key]) for key in _NAMES if not isinstance(known.get(key), dict | list | None)}
    told = [name for key, name in named.items() if name.strip() and (known is handle.metadata or (key,) not in said)]
    # An id is for programs, where there is a name as well.
    return told[:-1] if len(told) > 1 and named.get(_NAMES[-1]) == told[-1] else told


def leaves(state: Document, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """The values of a state in order; ``{"value": 12.3, "unit": "mmol/L"}`` is one."""
    for key, value in state.items():
        here = (*path, key)
        if isinstance(value, dict) and _VALUE in value and not isinstance(value[_VALUE], dict):
            if value[_VALUE] is not None:
                yield Leaf(
                    here, " ".join(_shown(value[part]) for part in (_VALUE, _UNIT) if value.get(part) is not None)
                )
        elif isinstance(value, dict):
            yield from leaves(value, here)
        elif value is not None and _shown(value).strip():
            yield Leaf(here, _shown(value))


def _touched(state: Document, delta: Document) -> Document:
    """The values of a state that a change concerns, each of them whole: a number with the unit that it kept."""
    touched: Document = {}
    for key, change in delta.items():
        value = state.get(key)
        nested = isinstance(change, dict) and isinstance(value, dict) and _VALUE not in value
        if value is not None:
            touched[key] = _touched(value, change) if nested else value
    return touched


def _removed(delta: Document, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in delta.items():
        if value is None:
            yield path if key == _VALUE else (*path, key)
        elif isinstance(value, dict):
            yield from _removed(value, (*path, key))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return str(value)


def _close(connection: Connection, handle: Handle, entity: str, attributes: list[str], now: datetime) -> None:
    for attribute in attributes:
        ended = list_items(connection, handle.user_id, entity=entity, attribute=attribute)
        close_items(connection, handle.user_id, [item.number for item in ended], closed_by="retraction", now=now)


def _observed(handle: Handle, now: datetime) -> datetime:
    """When what a handle says was so: the date that its metadata give, else now."""
    for key, value in handle.metadata.items():
        if key.endswith(_DATES) and isinstance(value, str):
            try:
                moment = datetime.fromisoformat(value)
            except ValueError:
                continue
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return min(moment, now)
    return now
