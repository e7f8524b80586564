"""Settling what a turn does to errands: what a model may choose from, where it is written, what is left to recall."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from ..intents.domains import Domains
from ..intents.following import Allowed
from ..intents.inquiries import Inquiry, inquire, of_own_life, repeated
from ..intents.outcomes import Ask, Outcome, asking, unrecorded
from ..intents.reading import BACK
from ..memory.calibration.questions import Question
from ..memory.extraction.acts import classify_act
from ..memory.language.folding import fold
from ..memory.language.sentences import sentences
from ..memory.prompting import harmless
from ..memory.proposed_intent import NONE, UNCLEAR, ProposedIntent, ReadIntent, checked
from ..memory.records import Span, Turn
from ..memory.storage.intents import IntentRow, list_intents, open_intents, steps_of
from ..memory.understanding import understand
from .contract import Context, Perceived, Resources

_RECENT = 6
_MOST_PHRASES = 3
_MOST_TURNS = 20
_KEPT = frozenset({"noted"})
"""What the floor reads beside any step: how things are ("it shipped yesterday")."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a model chooses from: the open errands, and the steps that are allowed."""

    opened: Sequence[IntentRow] = ()
    allowed: Sequence[Allowed] = ()

    def intents(self) -> str:
        """The open errands, one a line, the one talked about last at the end."""
        return "\n".join(_row(one) for one in self.opened) or "-"

    def transitions(self) -> str:
        """The allowed steps, one a line."""
        return "\n".join(map(_step, self.allowed))


def choice(turn: Perceived, resources: Resources) -> Choice:
    """What a model may choose from for this turn."""
    said, before = _said(turn, resources)
    with resources.memory.database.read() as connection:
        opened = open_intents(connection, turn.user_id)
        return Choice(opened, resources.intents.allowed(connection, said, before))


def propose(turn: Perceived, resources: Resources) -> tuple[Inquiry | None, list[Outcome]]:
    """What a turn asks about the user's errands, or else what it does to them. Nothing is written."""
    intents = resources.intents
    said, before = _said(turn, resources)
    with resources.memory.database.read() as connection:
        done = intents.settled(connection, turn.user_id, turn.number) if turn.number is not None else ()
        inquiry = None if done else inquire(connection, intents.vocabularies, said)
        if done or inquiry is not None:
            # A turn that comes again did what it did.
            return inquiry, list(done)
        found = intents.propose(connection, said, before=before)
        known = list_intents(connection, turn.user_id) if found else []
        found = tuple(one for one in found if _is_errand(one, turn, known, resources))
        return repeated(connection, intents.vocabularies, said) if not found else None, list(found)


def looks(outcome: Outcome, domains: Domains) -> bool:
    """Whether an outcome only looks at an errand: nothing is changed by it, and nothing left to do."""
    state = domains.by_id[outcome.domain].states.get(outcome.to_state)
    return outcome.kind == "step" and state is not None and state.untouched and state.todo is None


def spans_of(outcomes: Sequence[Outcome]) -> list[Span]:
    """Where the words stand that moved something."""
    return [Span(one.trigger.start, one.trigger.end) for one in outcomes if one.trigger is not None]


def _is_errand(outcome: Outcome, turn: Perceived, known: Sequence[IntentRow], resources: Resources) -> bool:
    """Whether an outcome is about something that the user has under way, or that the turn names as such.

    In a conversation about anything "add some salt" adds nothing to an order, and "when is the meeting?" is a question
    for the memory like any other; "where did I live?" is none about the parcel that was spoken of.
    """
    words, named = resources.intents.vocabularies[outcome.domain], ":" in outcome.entity
    if turn.act == "question" and looks(outcome, resources.domains):
        said = outcome.entity.partition(":")[2] in fold(turn.text) or words.names_in(_plain(turn.text))
        if not said and of_own_life(turn.text):
            return False
        return (words.domain.numbered and named) or outcome.entity in {row.entity for row in known}
    under_way = outcome.domain in {row.domain for row in known if row.open}
    return named or under_way or words.names_in(_plain(turn.text))


def _plain(text: str) -> str:
    """A text as it is searched for names, without the "in order" that is no order."""
    return re.sub(r"\bin order (?=to\b|that\b|for\b)", "", fold(text))


def reading_of(
    proposed: ProposedIntent | None, options: Choice, turn: Perceived, resources: Resources
) -> ReadIntent | None:
    """A model's reading as far as it holds; ``None`` where it says nothing that is allowed."""
    ids = {*(one.id for one in options.allowed), *(BACK if options.opened else ()), NONE}
    if proposed is None or proposed.transition not in {*ids, UNCLEAR}:
        return None
    said, before = _said(turn, resources)
    return checked(proposed, allowed=ids, said=[*before, said])


def settle(
    turn: Perceived, proposed: Sequence[Outcome], reading: ReadIntent | None, resources: Resources
) -> list[Outcome]:
    """Settle a turn: by a model's reading where there is one, else as the floor proposed. Written at most once.

    Args:
        turn: what was said.
        proposed: the floor's proposal.
        reading: of a model.
        resources: the memory and the domains.

    Returns:
        What the turn did; where it is not recorded, what it would do.
    """
    database, intents = resources.memory.database, resources.intents
    said, before = _said(turn, resources)
    outcomes = tuple(proposed)
    if reading is not None:
        outcomes = tuple(one for one in proposed if one.kind in _KEPT)
        if reading.transition is None:
            outcomes += _unclear(proposed, turn, resources)
        elif reading.transition != NONE:
            with database.read() as connection:
                outcomes += intents.propose(connection, said, before=before, reading=reading)
    if turn.number is None:
        return list(outcomes)
    with database.write(said.user_id) as connection:
        return list(intents.settle(connection, said, outcomes, now=resources.clock()))


def _unclear(proposed: Sequence[Outcome], turn: Perceived, resources: Resources) -> tuple[Outcome, ...]:
    """What is to be asked where a model finds two readings equally good: nothing is done until it is answered."""
    asked = tuple(one for one in proposed if one.kind == "asked")
    if asked:
        return asked
    with resources.memory.database.read() as connection:
        opened = open_intents(connection, turn.user_id)
    step = _doubtful(proposed, opened)
    same = tuple(row.entity for row in opened if row.domain == step.domain)
    if len(same) > 1:
        return (asking(replace(step, entity=""), Ask("entity", same)),)
    named = f"{step.domain}.{step.transition}"
    return (asking(step, Ask("transition", (named,))),) if step.transition else ()


def _doubtful(proposed: Sequence[Outcome], opened: Sequence[IntentRow]) -> Outcome:
    """The step that the floor would take; or one that nobody has named, of the domain that was talked about last."""
    steps = (one for one in proposed if one.kind not in _KEPT)
    return next(steps, Outcome("asked", opened[-1].domain if opened else "", ""))


def left_to_recall(
    recall: bool,
    question: Question,
    turn: Perceived,
    settled: Sequence[Outcome],
    context: Context,
    resources: Resources,
) -> tuple[bool, Question]:
    """Whether anything is to be recalled besides what was settled, and as which question.

    "Cancel order #12345. And what was my budget?": the words that moved the errand are no words to search for.
    """
    if all(looks(one, resources.domains) for one in settled):
        return recall, question
    rest = _beyond(turn.text, spans_of(settled))
    if not any(map(str.isalnum, rest)):
        return False, question
    times = (context.as_of, context.recorded_as_of)
    asked = understand(resources.memory, turn, before=turn.number, text=rest, as_of=times[0], recorded_as_of=times[1])
    act = classify_act(rest, turn.language)
    return act == "question" or (act == "statement" and asked.fragment), asked


def _beyond(text: str, moved: Sequence[Span]) -> str:
    """The sentences of a text that moved nothing; none where the text moved something as a whole."""
    kept = [span for span in sentences(text) if moved and not any(map(span.overlaps, moved))]
    return " ".join(span.cut(text) for span in kept)


def errand_turns(turn: Perceived, question: Question, resources: Resources) -> tuple[int, ...]:
    """The turns of the errand that a question names, or else of the one that is talked about."""
    with resources.memory.database.read() as connection:
        row = _meant(connection, question, turn.user_id)
        steps = steps_of(connection, turn.user_id, [row.number])[row.number] if row is not None else []
    found = {step.turn for step in steps} | {slot.turn for step in steps for slot in step.slots}
    return tuple(sorted(number for number in found if number is not None))[-_MOST_TURNS:]


def _meant(connection: Connection, question: Question, user_id: str) -> IntentRow | None:
    """The errand whose name a question has; the last one that is open where it names nothing."""
    names = {*map(fold, question.identifiers), *map(fold, question.names), fold(question.entity or "")} - {""}
    known = list_intents(connection, user_id) if names else []
    named = [row for row in known if {row.entity, row.entity.partition(":")[2].replace("_", " ")} & names]
    if not named and not question.identifiers and not question.names:
        named = open_intents(connection, user_id)
    return named[-1] if named else None


def _said(turn: Perceived, resources: Resources) -> tuple[Turn, list[Turn]]:
    """The turn, and those of the conversation before it, oldest first."""
    memory = resources.memory
    before = memory.recent(turn.user_id, turn.session_id, _RECENT, before=turn.number)
    if turn.number is not None:
        return memory.turns(turn.user_id, [turn.number])[turn.number], before
    said = unrecorded(turn.user_id, turn.session_id, turn.text, turn.language, turn.observed_at, turn.time_zone)
    return replace(said, act=turn.act), before


def _row(one: IntentRow) -> str:
    known = ", ".join(f"{name}={value}" for name, value in sorted(one.slots.items()))
    return harmless(f"{one.domain} {one.entity}: {one.state}" + (f" ({known})" if known else ""))


def _step(one: Allowed) -> str:
    phrases = ", ".join(f'"{phrase}"' for phrase in one.phrases[:_MOST_PHRASES])
    about = f" [{one.entity}]" if one.entity else ""
    return harmless(f"{one.id}{about}: {one.label}" + (f" ({phrases})" if phrases else ""))
