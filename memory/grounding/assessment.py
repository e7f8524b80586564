"""Assessing one assertion of an answer: whole or by parts, against the windows of the turns that it may rest on."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..language.folding import fold
from ..records import Span, Turn
from .checks import fields, frames, quotations, relations, roles, segments, vocabulary
from .checks.faults import Fault, missing
from .checks.matching import Claimed, Fit, check_frame, fit
from .checks.reading import blanked, read
from .claims import Assertion
from .pieces import completed, denies_in_part, is_bare, leans, listed, subject_text, with_speaker


@dataclass(frozen=True, slots=True)
class Asked:
    """What an answer answers, as far as claims that leave it out depend on it."""

    at: datetime | None = None
    """When it was asked: relative times of the answer count from then."""
    names: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    spoken_of: tuple[str, ...] = ()
    """Names of the sentence before: what "it" and "she" mean."""
    fields: frozenset[str] = field(default_factory=frozenset)
    """Names of fields that the answer may use: those of MEMORY_STATE and of the host's instructions."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """One assertion, the turns that it may rest on, and what was asked."""

    assertion: Assertion
    turns: Sequence[Turn]
    asked: Asked

    def fits(self) -> list[Fit]:
        """What each part of the assertion rests on; a part that rests on nothing has a fault."""
        fault = self._fields() or self._quotes()
        if fault is not None:
            return [Fit(fault, 0.0, self.turns[0])]
        text = self._own_words()
        whole = self._best(text, text)
        # Yes and no of the clauses of a claim are their own.
        apart = denies_in_part(text) and not (self.assertion.quotes or segments.contrasts(text))
        fits = [whole] if whole.fault is None and not apart else self._parts(text) or [whole]
        if all(one.fault is None for one in fits) and (fault := self._relation(text)):
            return [replace(fits[0], fault=fault)]
        return fits

    def _fields(self) -> Fault | None:
        # A speaker may be a service or a tool, whose name has the form of a field's.
        said = frozenset().union(*(fields.field_names(f"{turn.speaker} {turn.text}") for turn in self.turns))
        return fields.check_fields(self.assertion.frame, self.asked.fields | said)

    def _quotes(self) -> Fault | None:
        found = (quotations.check_quotation(quote, self.turns) for quote in self.assertion.quotes)
        return next((fault for fault in found if fault is not None), None)

    def _own_words(self) -> str:
        """What the assertion says besides its quotations."""
        frame = self.assertion.frame
        spans = [
            Span(place, place + len(quote)) for quote in self.assertion.quotes if (place := frame.find(quote)) >= 0
        ]
        return blanked(frame, spans)

    def _parts(self, text: str) -> list[Fit]:
        """The statements of a text by themselves; one without a subject has that of the first."""
        turn = self.turns[0]
        spans = segments.statements(text, turn.observed_at, turn.time_zone)
        if len(spans) < 2:
            return self._listed(text)
        first = read(spans[0].cut(text), turn.observed_at, turn.time_zone)
        subject = subject_text(first)
        parts = [spans[0].cut(text)]
        for span in spans[1:]:
            part = read(span.cut(text), turn.observed_at, turn.time_zone)
            own = roles.subject_of(part).person != "other"
            parts.append(part.text if own or not subject else f"{subject} {part.text}")
        return [self._best(part, text) for part in parts]

    def _listed(self, text: str) -> list[Fit]:
        """The members of a bare list by themselves, all of one turn."""
        members = listed(text)
        if len(members) < 2:
            return []
        for turn in self.turns:
            fits = [Assessment(self.assertion, [turn], self.asked)._best(member, text) for member in members]
            if all(one.fault is None for one in fits):
                return fits
        return []

    def _best(self, part: str, text: str) -> Fit:
        """The window that bears a part out, or the nearest one with its fault."""
        nearest: Fit | None = None
        for turn in self.turns:
            if self.assertion.quotes and not all(quotations.is_quoted(q, turn.text) for q in self.assertion.quotes):
                continue
            claim = self._claimed(part, turn)
            if claim.reading.empty:
                return self._frame_only(claim)
            for window in segments.windows(turn):
                found = fit(claim, window)
                if found.fault is None:
                    return found
                if nearest is None or _nearness(found) > _nearness(nearest):
                    nearest = found
        return nearest or Fit(missing("no single turn holds all the quoted words"), 0.0, self.turns[0])

    def _frame_only(self, claim: Claimed) -> Fit:
        """A part that only says who said it, and when: of the quotation beside it."""
        holding = [t for t in self.turns if all(quotations.is_quoted(q, t.text) for q in self.assertion.quotes)]
        faults = [(turn, check_frame(claim, turn)) for turn in holding or self.turns]
        turn, fault = next((pair for pair in faults if pair[1] is None), faults[0])
        return Fit(fault, 0.0, turn)

    def _claimed(self, part: str, turn: Turn) -> Claimed:
        """A part as it is matched with a turn: its frame apart, what it leaves out taken from the question."""
        reading = read(part, turn.observed_at, turn.time_zone)
        taken = frames.framed(reading)
        frame, reported = taken.frame, ""
        if frame is not None and not roles.may_frame(frame, turn):
            reported = frame.speaker
            frame, taken = None, frames.Framed(None, Span(0, 0))
        content = read(blanked(part, [taken.span]).strip(), turn.observed_at, turn.time_zone)
        supposed = vocabulary.pattern("conditions").search(fold(self.assertion.frame))
        if supposed and not (frame and frame.asked):
            content = replace(content, force="possible")  # a part of a supposition is one
        content = with_speaker(content, turn)
        if is_bare(content) and not self.assertion.quotes:
            content = completed(content, self.asked.names, self.asked.terms)
        now = read(content.text, self.asked.at, turn.time_zone) if self.asked.at else None
        framed_times = tuple(time for time in reading.times if time.span.overlaps(taken.span))
        spoken_of = self.asked.spoken_of if leans(content) else ()
        return Claimed(content, now, frame, framed_times, reported, self.asked.names, spoken_of)

    def _relation(self, text: str) -> Fault | None:
        ordered = sorted(self.turns, key=lambda turn: (turn.observed_at, turn.number))
        return relations.check_relation(text, ordered, self._bears)

    def _bears(self, part: str, piece: str, turn: Turn) -> bool:
        """Whether a part of a claim is borne out by a piece of a turn."""
        claim = self._claimed(part, turn)
        said = replace(turn, text=piece)
        return not claim.reading.empty and any(fit(claim, window).fault is None for window in segments.windows(said))


def _nearness(found: Fit) -> tuple[float, bool]:
    """How near a window comes to a claim; of equals the one that contradicts it says more."""
    return found.score, found.fault is not None and found.fault.verdict == "contradicted"
