"""An intent drawn: the states of its domain, the path that was taken through them, and the turns that made it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from ..memory.records import Language
from ..memory.storage.intents import MOVES, IntentRow, StepRow, list_intents, live_steps, steps_of, undone
from .domains import Domain, Domains

_KEPT = frozenset("\n\t")


@dataclass(frozen=True, slots=True)
class Drawn:
    """One intent with its history, to be shown: in a notebook as a diagram, in a terminal as text."""

    domain: Domain
    intent: IntentRow
    rows: tuple[StepRow, ...]
    language: Language = "en"

    @property
    def title(self) -> str:
        """The entity as it is called, with its domain."""
        return (
            f"{self.domain.entity_label(self.intent.entity, self.language)} ({self.domain.title.read(self.language)})"
        )

    @property
    def path(self) -> list[str]:
        """The states that were gone through and hold, the present one last."""
        return [self.intent.initial, *(row.to_state for row in live_steps(self.rows))]

    def mark(self, state: str) -> str:
        """How a state stands: ``now``, ``been`` on the way that holds, ``left`` where it was taken back, or nothing."""
        if state == self.intent.state:
            return "now"
        if state in self.path:
            return "been"
        return "left" if any(row.kind == "step" and row.to_state == state for row in self.rows) else ""

    def mermaid(self) -> str:
        """The machine as a Mermaid state diagram: the steps that may be taken thin, those that were taken numbered."""
        titles = {it.id: _quiet(it.title.read(self.language)) for it in self.domain.states.values()}
        lines = ["stateDiagram-v2", f"    [*] --> {self.domain.initial}"]
        lines += [f"    {name}: {title}" for name, title in titles.items()]
        lines += self._moves()
        lines += ["    classDef now fill:#2f6f4f,color:#fff", "    classDef left stroke-dasharray:4"]
        marked = [(name, self.mark(name)) for name in self.domain.states]
        lines += [f"    class {name} {mark}" for name, mark in marked if mark in {"now", "left"}]
        return "\n".join(lines)

    def _moves(self) -> Iterator[str]:
        taken_back = undone(self.rows)
        for number, row in enumerate(self.rows, 1):
            if row.kind in MOVES and row.from_state != row.to_state:
                back = " ✗" if row.number in taken_back else ""
                yield f"    {row.from_state} --> {row.to_state}: {number}. {_quiet(self.said(row))}{back}"

    def said(self, row: StepRow) -> str:
        """What a row did, in a few words."""
        if row.kind == "step":
            return (
                self.domain.transitions[row.transition].title.read(self.language)
                if self._knows(row)
                else row.transition
            )
        return row.kind

    def _knows(self, row: StepRow) -> bool:
        return row.transition in self.domain.transitions

    def as_json(self) -> dict[str, Any]:
        """The intent and its history as plain JSON."""
        taken_back = undone(self.rows)
        return {
            "number": self.intent.number,
            "domain": self.domain.id,
            "entity": self.intent.entity,
            "state": self.intent.state,
            "open": self.intent.open,
            "slots": dict(self.intent.slots),
            "todos": {state: f"f{item}" for state, item in self.intent.left.items()},
            "turn_id": _turn_id(self.intent.turn),
            "states": [
                {"id": it.id, "title": it.title.read(self.language), "mark": self.mark(it.id)}
                for it in self.domain.states.values()
            ],
            "steps": [_step(row, taken_back) for row in self.rows],
        }

    def _repr_markdown_(self) -> str:
        return f"**{_quiet(self.title)}**\n\n```mermaid\n{self.mermaid()}\n```\n\n{self._table()}"

    def _table(self) -> str:
        taken_back = undone(self.rows)
        lines = ["| | turn | step | from → to | words | |", "|---|---|---|---|---|---|"]
        for number, row in enumerate(self.rows, 1):
            back = f"taken back by {self._place(taken_back[row.number])}" if row.number in taken_back else ""
            cells = (
                str(number),
                _turn_id(row.turn) or "host",
                self.said(row),
                f"{row.from_state} → {row.to_state}",
                row.quote,
                back,
            )
            lines.append("| " + " | ".join(_cell(it) for it in cells) + " |")
        return "\n".join(lines)

    def _place(self, number: int) -> int:
        return next(place for place, row in enumerate(self.rows, 1) if row.number == number)


def drawn(
    connection: Connection, user_id: str, domains: Domains, *, entity: str | None = None, language: Language = "en"
) -> list[Drawn]:
    """The user's intents with their histories, the one last talked about at the end.

    Args:
        connection: open.
        user_id: whose.
        domains: the domains that are known; an intent of another is left out.
        entity: only of this entity, by its key or by what stands behind its colon.
        language: in which states and steps are called.
    """
    found = [it for it in list_intents(connection, user_id) if it.domain in domains.by_id and _is_of(it, entity)]
    rows = steps_of(connection, user_id, [it.number for it in found])
    return [Drawn(domains.by_id[it.domain], it, tuple(rows[it.number]), language) for it in found]


def _is_of(intent: IntentRow, entity: str | None) -> bool:
    wanted = (entity or "").strip().lstrip("#").casefold()
    return entity is None or wanted in {intent.entity, intent.entity.partition(":")[2]}


def _step(row: StepRow, taken_back: Mapping[int, int]) -> dict[str, Any]:
    guard = row.document.get("guard")
    return {
        "number": row.number,
        "kind": row.kind,
        "transition": row.transition,
        "from": row.from_state,
        "to": row.to_state,
        "turn_id": _turn_id(row.turn),
        "quote": row.quote,
        "tentative": row.tentative,
        "slots": {it.slot: {"value": it.value, "quote": it.quote, "turn_id": _turn_id(it.turn)} for it in row.slots},
        "guard": guard and {name: guard[name] for name in ("holds", "slot", "value")},
        "todos": [f"f{item}" for item in row.left.values()],
        "retracted": [f"f{item}" for item in row.retracted],
        "undoes": list(row.undoes),
        "undone_by": taken_back.get(row.number),
        "recorded_at": row.recorded_at.isoformat().replace("+00:00", "Z"),
    }


def _turn_id(number: int | None) -> str | None:
    return None if number is None else f"t{number}"


def _quiet(text: str) -> str:
    """A text that breaks no diagram."""
    return "".join(
        character if character.isalnum() or character in " -_#，。()（）" else " " for character in text
    ).strip()


def _cell(text: str) -> str:
    """A text of the user's in a table of Markdown: read as text, whatever it holds."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replace("`", "\\`")
    return " ".join(escaped.replace("[", "\\[").replace("*", "\\*").replace("_", "\\_").split())


def states_line(drawn_intent: Drawn) -> Sequence[tuple[str, str, str]]:
    """The states in the order of the file: id, title and mark."""
    domain = drawn_intent.domain
    return [(it.id, it.title.read(drawn_intent.language), drawn_intent.mark(it.id)) for it in domain.states.values()]
