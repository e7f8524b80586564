"""Following a user's intents turn by turn: what a turn would do, and doing it."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from ..memory.errors import BadInput, EmbedderFailed
from ..memory.proposed_intent import ReadIntent
from ..memory.records import Language, Turn
from ..memory.storage.intents import Filled, steps_of_turn
from ..memory.storage.states import refresh_state
from .answering import answered
from .classifying import Wish, wishes_in
from .domains import Domain, Domains
from .force import Heard, force_of
from .inquiries import asks_for_value
from .machine import Machine
from .nearest import Examples
from .outcomes import Outcome, outcome_of
from .proposing import Proposer
from .reading import read_wishes
from .serving import served
from .settling import Settler
from .situation import Situation
from .triggers import Vocabulary

if TYPE_CHECKING:
    from ..memory.retrieval.embedders import Embedder
    from ..memory.store import Memory

_SURROUNDING = 6


@dataclass(frozen=True, slots=True)
class Allowed:
    """A step that may be taken now, as a model is told of it."""

    id: str
    """``orders.cancel``."""
    entity: str
    label: str
    phrases: tuple[str, ...]


class Intents:
    """The engine over all domains. Built once; it keeps nothing of a user."""

    def __init__(self, domains: Domains, embedder: "Embedder | None" = None) -> None:
        """Take the domains, and the embedder for what no trigger phrase names; without one such turns move nothing."""
        self.domains = domains
        self._vocabularies: Mapping[str, Vocabulary] = {it.id: Vocabulary(it) for it in domains}
        self._machines = {it.id: Machine(it) for it in domains}
        self._embedder = embedder

    @property
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """The words of each domain, by its id."""
        return self._vocabularies

    @functools.cached_property
    def _examples(self) -> Examples | None:
        # Hashed words are near where they are the same: that is no meaning, and the trigger phrases know it already.
        if self._embedder is None or self._embedder.name.startswith("hashing"):
            return None
        return Examples(self._vocabularies, self._embedder)

    def propose(
        self, connection: Connection, turn: Turn, *, before: Sequence[Turn] = (), reading: ReadIntent | None = None
    ) -> tuple[Outcome, ...]:
        """What a turn would do to the intents; nothing is written.

        Args:
            connection: open.
            turn: the user's turn, recorded or ``unrecorded``.
            before: the recent turns of the session, of both sides, oldest first, without the turn.
            reading: a model's reading of the turn, checked; it takes the place of the floor's.

        Returns:
            One outcome for each wish, in order; none where the turn is about no intent.
        """
        if turn.source != "user_input":
            return ()
        heard = Heard(turn)
        situation = Situation(connection, self._vocabularies, turn, before)
        proposer = Proposer(situation, self._machines, heard)
        wishes = wishes_in(self._vocabularies, heard)
        if reading is not None and reading.transition is not None:
            return tuple(read_wishes(proposer, reading, wishes))
        if all(it.offers for it in self.domains):
            return tuple(served(proposer, wishes, self._scores))
        if wishes:
            return tuple(proposer.outcomes(wishes))
        found = answered(proposer, situation.last_row) or proposer.outcomes([])
        if found or self._names_a_step(heard):
            return tuple(found)
        return tuple(proposer.outcomes(self._by_examples(heard, situation)))

    def _names_a_step(self, heard: Heard) -> bool:
        """Whether trigger phrases stand in the turn, though not as a wish: then no likeness makes one of it."""
        return any(it.named_in(heard.text) for it in self._vocabularies.values())

    def settle(
        self, connection: Connection, turn: Turn, outcomes: Sequence[Outcome], *, now: datetime
    ) -> tuple[Outcome, ...]:
        """Write what a recorded turn does, within the caller's write transaction, and bring MEMORY_STATE in line.

        A turn that was settled before changes nothing: what it did then is returned.
        """
        known = self.settled(connection, turn.user_id, turn.number)
        if known or not outcomes:
            return known
        settler = Settler(connection, turn.user_id, turn.session_id, turn, now=now)
        done = tuple(settler.settle(it, self.domains.by_id[it.domain]) for it in outcomes)
        refresh_state(connection, turn.user_id, (turn,), now=now)
        return done

    def settled(self, connection: Connection, user_id: str, turn: int) -> tuple[Outcome, ...]:
        """What a turn did to the intents when it was settled."""
        return tuple(outcome_of(row) for row in steps_of_turn(connection, user_id, turn))

    def note(
        self,
        connection: Connection,
        user_id: str,
        entity: str,
        slot: str,
        value: str,
        *,
        session_id: str,
        now: datetime,
    ) -> Outcome | None:
        """Let the host say how things are: that order 12345 has been shipped. Nothing of it is quoted from the user.

        Returns:
            What was noted; ``None`` where it was known already.

        Raises:
            BadInput: no domain of that entity has such a slot or value.
        """
        kind = entity.partition(":")[0]
        domain = next((it for it in self.domains if it.kind == kind and slot in it.slots), None)
        if domain is None or (domain.slots[slot].values and value not in domain.slots[slot].values):
            message = f"No domain says what {slot}={value} of {entity!r} is: name a slot and a value of a domain file."
            raise BadInput(message)
        turn = _silent(user_id, session_id, now)
        view = Situation(connection, self._vocabularies, turn, ()).view(domain.id, entity)
        if view.values.get(slot) == value:
            return None
        said = Filled(slot, value, kept=domain.slots[slot].knowledge)
        outcome = Outcome("noted", domain.id, entity, "", view.state, view.state, slots=(said,))
        done = Settler(connection, user_id, session_id, None, now=now).settle(outcome, domain)
        refresh_state(connection, user_id, (), now=now)
        return done

    def allowed(self, connection: Connection, turn: Turn, before: Sequence[Turn] = ()) -> list[Allowed]:
        """The steps that may be taken with the open intents, or would begin one: what a model may choose."""
        situation = Situation(connection, self._vocabularies, turn, before)
        found: list[Allowed] = []
        for domain in self.domains:
            for entity in situation.open_ones(domain.id) or [""]:
                view = situation.view(domain.id, entity or domain.kind)
                names = self._machines[domain.id].allowed(view.state, view.values)
                found += [_allowed(domain, name, entity, turn.language) for name in names]
        return found

    def _scores(self, text: str, steps: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
        try:
            return self._examples.scores(text, steps) if self._examples else {}
        except EmbedderFailed:
            return {}

    def _by_examples(self, heard: Heard, situation: Situation) -> list[Wish]:
        """What whole sentences ask for, by the nearest examples."""
        found: list[Wish] = []
        for sentence in heard.sentences:
            # An embedding takes longer than all the rest of a turn: only for what may be about a domain at all.
            asked = heard.turn.act == "question"
            if asked and asks_for_value(sentence.text):
                continue
            under_way = bool(situation.intents) and not asked
            if not under_way and not any(it.names_in(sentence.text) for it in self._vocabularies.values()):
                continue
            try:
                near = self._examples.near(sentence.span.cut(heard.turn.text)) if self._examples else None
            except EmbedderFailed:
                return []
            if near is None:
                continue
            meant = force_of(sentence, sentence.span)
            if meant in {"firm", "asked"}:
                found.append(Wish("step", sentence.span, sentence.span, meant, near.steps))
        return found


def follow(intents: Intents, memory: "Memory", turn: Turn, *, now: datetime) -> tuple[Outcome, ...]:
    """Propose and settle a recorded turn in one transaction."""
    before = memory.recent(turn.user_id, turn.session_id, _SURROUNDING, before=turn.number)
    with memory.database.write(turn.user_id) as connection:
        return intents.settle(connection, turn, intents.propose(connection, turn, before=before), now=now)


def _allowed(domain: Domain, name: str, entity: str, language: Language) -> Allowed:
    transition = domain.transitions[name]
    return Allowed(f"{domain.id}.{name}", entity, transition.title.read(language), transition.triggers[language])


def _silent(user_id: str, session_id: str, now: datetime) -> Turn:
    """A turn in which the user says nothing."""
    return Turn(
        user_id, 0, session_id, 0, "", "user", "user_input", "user", "", "en", now, "UTC", now, "statement"
    )  # fmt: skip
