"""Where a user stands when a turn comes in: the intents with their history, and what was talked about last."""

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from ..memory.language.folding import fold
from ..memory.records import Turn
from ..memory.storage.intents import (
    MOVES,
    Filled,
    IntentRow,
    Standing,
    StepKind,
    StepRow,
    find_intent,
    last_step,
    list_intents,
    live_steps,
    standing,
    steps_of,
    undone,
)
from ..memory.storage.item_rows import list_items
from .domains import Domain
from .entities import Mention, mentions_in
from .slots import value_of
from .triggers import Vocabulary

_LOOKED_AT = 100
"""So many of the latest intents may be meant without being named."""


@dataclass(frozen=True, slots=True)
class View:
    """One intent as it stands; or as it would begin."""

    domain: Domain
    entity: str
    intent: IntentRow | None
    rows: tuple[StepRow, ...]
    standing: Standing

    @property
    def state(self) -> str:
        """The state that it is in."""
        return self.standing.state

    @property
    def values(self) -> dict[str, str]:
        """The values of the slots that are known."""
        return {name: filled.value for name, filled in self.standing.slots.items()}

    @property
    def changes(self) -> list[StepRow]:
        """The steps that hold and change the plan, oldest first."""
        return [row for row in live_steps(self.rows) if not row.document.get("untouched")]

    def last_move(self) -> StepRow | None:
        """The last move that changed the plan and was not taken back."""
        gone = undone(self.rows)
        moves = [row for row in self.rows if row.kind in MOVES and row.number not in gone]
        return next((row for row in reversed(moves) if row.kind != "step" or not row.document.get("untouched")), None)

    def takes_up(self, numbers: Collection[int]) -> bool:
        """Whether to take those rows back is to take up again what they had taken back."""
        return all(row.kind == "undone" for row in self.rows if row.number in numbers)

    def without(self, numbers: Sequence[int], by: StepRow | None = None) -> Standing:
        """How it would stand if those rows were taken back."""
        last = by or (self.rows[-1] if self.rows else None)
        if last is None:
            return self.standing
        kind: StepKind = "redone" if self.takes_up(numbers) else "undone"
        taker = replace(last, number=last.number + 1, kind=kind, slots=(), undoes=tuple(numbers))
        return standing((*self.rows, taker), initial=self.domain.initial, defaults=self.domain.defaults)

    def moved(self, state: str, slots: Mapping[str, Filled], *, tentative: bool) -> "View":
        """The view after a step, for what else the same turn wants."""
        after = replace(self.standing, state=state, slots={**self.standing.slots, **slots}, tentative=tentative)
        return replace(self, standing=after)


class Situation:
    """What is known of a user's intents, read once per turn."""

    def __init__(
        self, connection: Connection, vocabularies: Mapping[str, Vocabulary], turn: Turn, before: Sequence[Turn]
    ) -> None:
        """Look at the intents of the turn's user; ``before`` are the recent turns of the session, oldest first."""
        self._connection = connection
        self.vocabularies = vocabularies
        self.turn = turn
        self.before = before
        self._ahead: dict[tuple[str, str], View] = {}
        self._read: dict[int, list[StepRow]] = {}

    @functools.cached_property
    def intents(self) -> list[IntentRow]:
        """The user's latest intents in known domains, the one last talked about at the end."""
        latest = list_intents(self._connection, self.turn.user_id, limit=_LOOKED_AT)
        return [it for it in latest if it.domain in self.vocabularies]

    def _rows(self, intent: IntentRow) -> list[StepRow]:
        if intent.number not in self._read:
            self._read |= steps_of(self._connection, self.turn.user_id, [intent.number])
        return self._read[intent.number]

    def view(self, domain: str, entity: str) -> View:
        """The intent of an entity, with what facts say of its slots."""
        if (domain, entity) not in self._ahead:
            self._ahead[domain, entity] = self._seen(self.vocabularies[domain], entity)
        return self._ahead[domain, entity]

    def foresee(self, view: View) -> None:
        """Let the rest of the turn see an intent as it will be."""
        self._ahead[view.domain.id, view.entity] = view

    def views(self, domain: str | None = None) -> list[View]:
        """The intents there are, the one last talked about at the end."""
        return [self.view(it.domain, it.entity) for it in self.intents if domain in {None, it.domain}]

    def unnamed(self, domain: str) -> IntentRow | None:
        """The intent of this session whose entity nobody has named yet."""
        kind = self.vocabularies[domain].domain.kind
        own = (it for it in self.intents if it.domain == domain and it.entity == kind)
        return next((it for it in own if it.session_id == self.turn.session_id and it.open), None)

    def recent(self, domain: str) -> list[str]:
        """The entities of a domain that were talked about in this session, the last first."""
        vocabulary = self.vocabularies[domain]
        seen = [(it.number, mention.entity) for it in self.before for mention in self._mentions(vocabulary, it)]
        own = (it for it in self.intents if it.domain == domain and it.session_id == self.turn.session_id)
        seen += [(row.turn or 0, it.entity) for it in own for row in self._rows(it)]
        return list(dict.fromkeys(entity for _, entity in sorted(seen, key=lambda pair: -pair[0])))

    def told(self, domain: str) -> list[str]:
        """The entities of a domain that the user named in this session, in the order in which they were named first."""
        vocabulary = self.vocabularies[domain]
        return list(dict.fromkeys(it.entity for turn in self.before for it in self._mentions(vocabulary, turn)))

    def open_ones(self, domain: str) -> list[str]:
        """The entities of a domain with an open intent, the one last talked about first."""
        return [it.entity for it in reversed(self.intents) if it.domain == domain and it.open]

    @functools.cached_property
    def last_row(self) -> StepRow | None:
        """The newest row of this session."""
        return last_step(self._connection, self.turn.user_id, self.turn.session_id)

    def _mentions(self, vocabulary: Vocabulary, turn: Turn) -> list[Mention]:
        return mentions_in(vocabulary, fold(turn.text)) if turn.source == "user_input" else []

    def _seen(self, vocabulary: Vocabulary, entity: str) -> View:
        domain = vocabulary.domain
        intent = find_intent(self._connection, self.turn.user_id, domain.id, entity)
        rows = tuple(self._rows(intent)) if intent else ()
        stands = standing(rows, initial=domain.initial, defaults=domain.defaults)
        told = {it.slot: it for it in self._told(vocabulary, entity) if it.slot not in stands.slots}
        return View(domain, entity, intent, rows, replace(stands, slots={**stands.slots, **told}))

    def _told(self, vocabulary: Vocabulary, entity: str) -> list[Filled]:
        """What live facts about the entity say of its slots."""
        found = []
        for slot in vocabulary.domain.slots.values():
            for attribute in slot.facts if ":" in entity else ():
                facts = list_items(self._connection, self.turn.user_id, entity=entity, attribute=attribute, limit=1)
                value = value_of(vocabulary, slot.id, fold(facts[0].value)) if facts else None
                if value is not None:
                    span = facts[0].value_span
                    found.append(Filled(slot.id, value, facts[0].value, *span, facts[0].turn, kept=slot.knowledge))
                    break
        return found
