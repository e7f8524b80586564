"""A turn taken apart for extraction: what its speaker says, in sentences and clauses, with their force."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from ..language.folding import CJK, detect_language, fold
from ..language.guises import dictated
from ..language.lexicon import cue
from ..language.sentences import clauses, sentences
from ..language.times import TimeExpression, find_times
from ..language.values import Value, find_values
from ..records import Language, Proposal, Span, Turn
from .masking import own_words
from .patterns import pattern

_BEFORE_TIME = 9
_TIME_WORDS = frozenset(
    ["", "on", "in", "at", "since", "from", "by", "during", "back in", "as of", "在", "从", "自", "就在"]
)
_GROUPED = "\u066c"
"""Stands for the comma of a grouped number; one character for one, so that offsets stay."""
USER = "user"
"""The entity of whoever the memory belongs to."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: its words (folded), where they are, and whether they assert anything."""

    text: str
    span: Span
    sentence: int
    language: Language
    question: bool
    hypothetical: bool
    reported: bool = False
    """Whether it tells what somebody else says or thinks, or is to say."""

    @property
    def asserts(self) -> bool:
        """Whether the speaker stands behind what it says."""
        return not (self.question or self.hypothetical or self.reported)

    def at(self, start: int, end: int) -> Span:
        """The span within the turn of a range of the clause's characters."""
        return Span(self.span.start + start, self.span.start + end)


class Reading:
    """A turn read once: its clauses, and the values and times in it (found on first use)."""

    def __init__(self, turn: Turn) -> None:
        """Read ``turn``."""
        self.turn = turn
        self.words = own_words(turn.text)
        """The text with what is not the speaker's own blanked."""
        self.folded = fold(self.words)
        self.speaker = USER if fold(turn.speaker) in {fold(turn.user_id), USER, ""} else fold(turn.speaker)
        """The entity of "I"."""
        self.sentences: Sequence[Span] = sentences(self.words)
        self._dictated = dictated(self.words)

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """Its clauses, in order."""
        return [clause for index, span in enumerate(self.sentences) for clause in self._clauses_of(index, span)]

    @cached_property
    def values(self) -> Sequence[Value]:
        """Numbers, amounts, dates, identifiers and the like, in order."""
        return find_values(self.words) if _may_hold_values().search(self.folded) else ()

    @cached_property
    def times(self) -> Sequence[TimeExpression]:
        """Expressions of time, resolved against the time and the zone of the turn."""
        if not _may_hold_times().search(self.folded):
            return ()
        return find_times(self.words, self.turn.observed_at, self.turn.time_zone)

    def times_in(self, span: Span) -> list[TimeExpression]:
        """The times within a span."""
        return [time for time in self.times if span.start <= time.span.start and time.span.end <= span.end]

    def told(self, clause: Clause) -> Clause:
        """A clause without the time that it begins with: "Last week I went to Rome"."""
        if not self.times_in(clause.span):
            return clause
        lead = pattern(clause.language, "lead").match(clause.text)
        start = clause.span.start + (lead.end() if lead else 0)
        opening = next((time for time in self.times_in(clause.span) if time.span.start <= start + _BEFORE_TIME), None)
        if opening is None or self.folded[start : opening.span.start].strip(" ,，") not in _TIME_WORDS:
            return clause
        rest = clause.text[opening.span.end - clause.span.start :]
        offset = opening.span.end + len(rest) - len(rest.lstrip(" ,，"))
        if offset >= clause.span.end:
            return clause
        span = Span(offset, clause.span.end)
        return replace(clause, text=span.cut(self.folded), span=span)

    def values_in(self, span: Span) -> list[Value]:
        """The values within a span."""
        return [value for value in self.values if span.start <= value.span.start and value.span.end <= span.end]

    def original(self, span: Span) -> str:
        """The characters of the turn that a span covers."""
        return span.cut(self.turn.text)

    def is_name(self, span: Span) -> bool:
        """Whether a phrase is written as a name: every word of weight with a capital, or Chinese."""
        return bool(_name().fullmatch(self.original(span)))

    def _clauses_of(self, index: int, sentence: Span) -> list[Clause]:
        pieces = [piece for span in clauses(self.words, sentence) for piece in self._split(span)]
        whole = sentence.cut(self.folded)
        asks = bool(re.search(r"[?？][\"'”’)）\s]*$", whole))
        language = detect_language(whole)
        questions = _questions([piece.cut(self.folded) for piece in pieces], asks=asks, language=language)
        conditional = bool(pattern(language, "conditional").match(whole))
        return [
            Clause(
                text=patterned(piece.cut(self.folded), language),
                span=piece,
                sentence=index,
                language=_language_of(piece.cut(self.folded), language),
                question=question,
                hypothetical=conditional or _is_hypothetical(piece.cut(self.folded), language),
                reported=self._is_reported(piece, language),
            )
            for piece, question in zip(pieces, questions, strict=True)
        ]

    def _is_reported(self, piece: Span, language: Language) -> bool:
        told = pattern(language, "reported").match(piece.cut(self.folded))
        return told is not None or any(map(piece.overlaps, self._dictated))

    def _split(self, span: Span) -> list[Span]:
        """Cut once more where "and" joins two sentences that have each their subject."""
        cuts = [span.start]
        cuts += [match.end() for match in pattern("en", "joined").finditer(self.folded, span.start, span.end)]
        cuts.append(span.end)
        pieces = []
        for start, end in pairwise(cuts):
            text = self.folded[start:end]
            kept = re.sub(r"[\s,，]+and\s*$", "", text).rstrip(" .。!！?？;；…\n")
            # Where the subject is left out the space stays, as what stands before the verb.
            lead = 0 if start > span.start and text.startswith(" ") else len(kept) - len(kept.lstrip())
            if kept.strip():
                pieces.append(Span(start + lead, start + len(kept)))
        return pieces


def merge(*groups: Sequence[Proposal]) -> list[Proposal]:
    """All proposals in the order of the text."""
    together = [proposal for group in groups for proposal in group]
    return sorted(together, key=lambda proposal: proposal.value_span)


def _questions(pieces: Sequence[str], *, asks: bool, language: Language) -> list[bool]:
    """Which clauses of a sentence ask: from the first that is built as a question, or at least the last one.

    A sentence that ends in a tag ("I live in Rome, right?") asks in all of its clauses.
    """
    opens = [bool(pattern(language, "asking").search(piece)) for piece in pieces]
    if asks and pieces and pattern(language, "tag").fullmatch(pieces[-1]):
        return [True] * len(pieces)
    if asks and not any(opens):
        opens[-1:] = [True]
    first = opens.index(True) if any(opens) else len(pieces)
    if not asks:
        return opens
    return [index >= first for index in range(len(pieces))]


def patterned(text: str, language: Language) -> str:
    """Folded text as the patterns read it: in Chinese the comma within a number is no mark (48,500美元)."""
    return _grouping().sub(_GROUPED, text) if language == "zh" else text


@functools.cache
def _grouping() -> re.Pattern[str]:
    return re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def _language_of(clause: str, sentence: Language) -> Language:
    """The language of a clause: that of its script, or of its sentence where it mixes both."""
    if not _cjk().search(clause):
        return "en" if re.search("[a-z]{2}", clause) else sentence
    return sentence if re.search("[a-z]{2}", clause) else "zh"


def _is_hypothetical(text: str, language: Language) -> bool:
    return bool(pattern(language, "hypothetical").search(text)) and bool(cue(text, "hypothesis"))


@functools.cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


@functools.cache
def _name() -> re.Pattern[str]:
    word = r"(?:[^\W\d_a-z][\w.'’&-]*|\d+)"
    return re.compile(rf"{word}(?:[ \u00b7·]+(?:(?:of|de|da|van|von|der|del|la|le|the|and|&)[ ]+)?{word}){{0,4}}")


@functools.cache
def _may_hold_values() -> re.Pattern[str]:
    return re.compile(
        r"[\d@〇零一二两三四五六七八九十百千万亿半]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
        r"\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|dozen|www)\b|://"
    )


@functools.cache
def _may_hold_times() -> re.Pattern[str]:
    return re.compile(
        r"\d|[年月日周天点晚早午]|礼拜|星期|季度|刚才|明早|\b(?:ago|today|tonight|yesterday|tomorrow|morning|afternoon|evening|night|noon|"
        r"midnight|week|weeks|weekend|weekends|month|months|year|years|last|next|day|days|hour|hours|quarter|"
        r"(?:mon|tues?|wed(?:nes)?|thurs?|fri|satur|sun)(?:day)?s?|"
        r"january|february|march|april|may|june|july|august|september|october|november|december|"
        r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|spring|summer|autumn|fall|winter|christmas|easter|new year)\b"
    )
