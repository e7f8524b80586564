"""States, evidence and traces as notebooks show them: tables of HTML, in which every text is a text."""

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from ..memory.records import Evidence, reference_id
from ..memory.store import Memory
from ..nodes.contract import Perceived

_MOST_ROWS = 30
_EMPTY = "–"
_TABLE = '<table style="text-align: left">'
_CELL = '<td style="text-align: left; vertical-align: top">'
_HEAD = '<th style="text-align: left; vertical-align: top">'


@dataclass(frozen=True, slots=True)
class Shown:
    """Something as a notebook shows it; elsewhere its text."""

    value: Any

    def _repr_html_(self) -> str:
        return _html(self.value)

    def __repr__(self) -> str:
        return repr(self.value)


def show(value: Any, memory: Memory | None = None) -> Shown:
    """Let a notebook show a value as a table: a state, evidence, a trace, an answer, MEMORY_STATE, or a list of such.

    Args:
        value: what to show: dataclasses, models, mappings, sequences and plain values, at any depth.
        memory: where the quotations of evidence in a state are read; without it evidence is shown by its offsets.
    """
    turn = value.get("turn") if isinstance(value, Mapping) else None
    if memory is not None and isinstance(turn, Perceived):
        value = {**value, "evidence": _quoted(value.get("evidence", ()), turn.user_id, memory)}
        value.pop("hits", None)
    return Shown(value)


def _quoted(evidence: Iterable[Evidence], user_id: str, memory: Memory) -> list[dict[str, Any]]:
    chosen = list(evidence)
    turns = memory.turns(user_id, [one.turn for one in chosen])
    return [
        {
            "turn": reference_id(one.turn),
            "quotation": one.span.cut(turns[one.turn].text),
            "speaker": turns[one.turn].speaker,
            "score": one.score,
        }
        for one in chosen
        if one.turn in turns
    ]


def _html(value: Any) -> str:
    plain = _plain(value)
    if isinstance(plain, Mapping):
        return _pairs(plain)
    if isinstance(plain, Sequence) and not isinstance(plain, str):
        return _rows(plain)
    return _text(plain)


def _plain(value: Any) -> Any:
    """A value with its parts under their names, without those that are empty or as they are unless said otherwise."""
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_defaults=True)
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: said for field in fields(value) if (said := getattr(value, field.name)) != field.default}
    if isinstance(value, Mapping):
        return {name: part for name, part in value.items() if part is not None and part not in ("", [], (), {})}
    return list(value) if isinstance(value, tuple | set | frozenset) else value


def _pairs(mapping: Mapping[Any, Any]) -> str:
    rows = "".join(f"<tr>{_HEAD}{_text(name)}</th>{_CELL}{_html(part)}</td></tr>" for name, part in mapping.items())
    return f"{_TABLE}{rows}</table>" if rows else _EMPTY


def _rows(values: Sequence[Any]) -> str:
    """A list: a table with a column for each name where all of it has names, else one line after the other."""
    shown = [_plain(value) for value in values[:_MOST_ROWS]]
    more = f"<br>… {len(values) - _MOST_ROWS} more" if len(values) > _MOST_ROWS else ""
    if not shown or not all(isinstance(value, Mapping) for value in shown):
        return ("<br>".join(map(_html, shown)) or _EMPTY) + more
    names = list(dict.fromkeys(name for value in shown for name in value))
    head = "".join(f"{_HEAD}{_text(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"{_CELL}{_html(value.get(name, _EMPTY))}</td>" for name in names) + "</tr>" for value in shown
    )
    return f"{_TABLE}<tr>{head}</tr>{body}</table>{more}"


def _text(value: Any) -> str:
    """A plain value, apart from the direction of what stands around it; what a text contains is shown, not obeyed."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    if isinstance(value, datetime):
        return html.escape(value.isoformat(sep=" ", timespec="seconds"))
    return f"<bdi>{html.escape(str(value)).replace(chr(10), '<br>')}</bdi>"
