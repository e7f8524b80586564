"""Intents drawn for a terminal, and what is wrong with a domain file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...intents.drawing import Drawn, states_line
from ...intents.marks import Problem
from ...memory.storage.intents import StepRow, undone
from ..output import one_line, styled
from .parts import BAD, DOUBT, FAINT, GOOD, ID, joined, plural

_SIGNS: Mapping[str, tuple[str, str]] = {"now": ("●", GOOD), "been": ("○", ""), "left": ("×", FAINT), "": ("·", FAINT)}
_NOTES: Mapping[str, str] = {"now": "now", "been": "on the way", "left": "taken back", "": ""}
_KINDS: Mapping[str, tuple[str, str]] = {
    "refused": ("refused", BAD),
    "undone": ("took back", DOUBT),
    "redone": ("took up again", DOUBT),
    "noted": ("noted", FAINT),
    "asked": ("asked", DOUBT),
}


def intents_page(found: Sequence[Drawn]) -> RenderableType:
    """The machines with their histories, one after the other."""
    if not found:
        return Text("No intents.")
    parts: list[RenderableType] = []
    for one in found:
        parts += [Text()] if parts else []
        parts += [_head(one), _states(one), Text(), _history(one)]
    return Group(*parts)


def problems_page(path: Path, problems: Sequence[Problem], summary: Mapping[str, int]) -> Group:
    """What is wrong with a domain file, line by line; or what is in it."""
    if not problems:
        counted = ", ".join(plural(number, name) for name, number in summary.items())
        return Group(joined((one_line(str(path)), "bold"), ("is right", GOOD), (f"({counted})", FAINT), separator=" "))
    lines = [
        joined((f"line {it.line}, column {it.column}:", ID), one_line(it.message), separator=" ") for it in problems
    ]
    head = joined((one_line(str(path)), "bold"), (plural(len(problems), "problem"), BAD), separator="  ")
    return Group(head, *lines)


def _head(one: Drawn) -> Text:
    slots = ", ".join(f"{name}: {value}" for name, value in one.intent.slots.items())
    standing = ("open", GOOD) if one.intent.open else ("nothing open", FAINT)
    return joined((one_line(one.title), "bold"), standing, (one_line(slots), FAINT), separator="  ")


def _states(one: Drawn) -> Table:
    table = _plain_table(4)
    for state, title, mark in states_line(one):
        sign, style = _SIGNS[mark]
        table.add_row(styled(sign, style), styled(state, style), styled(title, FAINT), styled(_NOTES[mark], style))
    return table


def _history(one: Drawn) -> Table:
    taken_back = undone(one.rows)
    places = {row.number: place for place, row in enumerate(one.rows, 1)}
    table = _plain_table(5, folding=(3, 4))
    for row in one.rows:
        back = places.get(taken_back.get(row.number, 0))
        table.add_row(
            styled(str(places[row.number]), FAINT),
            styled(f"t{row.turn}" if row.turn else "host", ID),
            _kind(row, struck=back is not None),
            _words(one, row),
            _consequences(row, back, places),
        )
    return table


def _kind(row: StepRow, *, struck: bool) -> Text:
    name, style = _KINDS.get(row.kind, (row.transition, ""))
    shown = f"{name} {row.transition}" if row.kind in {"refused", "asked"} else name
    return styled(
        f"{shown}?" if row.tentative and row.kind == "step" else shown, f"{style} strike" if struck else style
    )


def _words(one: Drawn, row: StepRow) -> Text:
    """From where to where, and the words that did it."""
    moved = f"{row.from_state} → {row.to_state}" if row.from_state != row.to_state else row.to_state
    parts: list[Any] = [one_line(moved)]
    parts += [f"“{one_line(row.quote)}”"] if row.quote else []
    parts += [(f"{it.slot} = {it.value}", FAINT) for it in row.slots]
    guard = row.document.get("guard") or {}
    if row.kind == "refused" and guard.get("why"):
        parts.append((one_line(guard["why"][one.language]), BAD))
    return joined(*parts, separator="  ")


def _consequences(row: StepRow, back: int | None, places: Mapping[int, int]) -> Text:
    asked = row.tentative and row.kind == "step"
    notes = [
        (_listed("todo ", [f"f{item}" for item in row.left.values()]), GOOD),
        (_listed("retracted ", [f"f{item}" for item in row.retracted]), FAINT),
        (_listed("back over ", [str(places[number]) for number in row.undoes if number in places]), DOUBT),
        ("only asked about" if asked else "", DOUBT),
        ("" if back is None else f"taken back by {back}", DOUBT),
    ]
    return joined(*notes, separator="  ")


def _listed(before: str, names: Sequence[str]) -> str:
    return before + ", ".join(names) if names else ""


def _plain_table(columns: int, *, folding: Sequence[int] = ()) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for index in range(columns):
        table.add_column(overflow="fold", no_wrap=index not in folding)
    return table
