"""A piece of text read once for all checks: its content words, names, values, times, and the force of what it says."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ...calibration import parsing, wording
from ...calibration.labels import labelled
from ...language.folding import fold
from ...language.lexicon import cue
from ...language.times import TimeExpression, find_times
from ...language.tokens import content_stems, tokenize
from ...language.values import Value, find_values
from ...records import Span
from . import vocabulary

_FORCES = {
    "possible": "possible",
    "believed": "possible",
    "committed": "intended",
    "intended": "intended",
    "able": "able",
    "future": "future",
    "done": "done",
}
"""Groups of the lexicon with the force that they give, the first that matches."""
_MARKED = ("ended", "was")
"""Words of the lexicon that are compared by what they do: "stopped" as well as "no longer"."""
_PAIR = 2
_TIMED = frozenset({"date", "time"})


@dataclass(frozen=True, slots=True)
class Reading:
    """What a piece of a turn or of an answer says."""

    text: str
    folded: str
    stems: frozenset[str]
    phrase: str
    """Its stems joined by spaces, for phrases."""
    units: tuple[str, ...]
    """Content words without values and times: English stems, Chinese words."""
    names: tuple[str, ...]
    """Folded names, in order."""
    values: tuple[Value, ...]
    times: tuple[TimeExpression, ...]
    clocks: tuple[Value, ...]
    """Times of day."""
    denies: bool
    """Whether it denies what it says, apart from what it denies in favour of something else."""
    ended: bool
    """Whether it says that something ended: it is so no longer."""
    force: str
    """``plain``, or one of the forces of the lexicon."""
    replaced: tuple[Span, ...]
    """Where it says what something else has replaced, or is denied."""
    contrasts: tuple[Span, ...]
    """Those of them that are denied in favour of something else: *not in Lyon* but in Nantes."""

    @property
    def empty(self) -> bool:
        """Whether it says nothing that could be checked."""
        return not (self.units or self.names or self.values or self.times)


@functools.lru_cache(maxsize=256)
def read(text: str, moment: datetime, time_zone: str) -> Reading:
    """Read a piece of text; relative times count from ``moment``. The last few thousand readings are remembered."""
    return _read(text, _times(text, moment, time_zone))


@functools.lru_cache(maxsize=256)
def _read(text: str, times: tuple[TimeExpression, ...]) -> Reading:
    """Read a text whose times are known."""
    folded = fold(text)
    found = find_values(text)
    taken = [value.span for value in found] + [time.span for time in times]
    names = _names(text, taken)
    contrasts = _named(folded, "contrasts")
    tokens = [token.stem for token in tokenize(text) if not token.cjk]
    return Reading(
        text=text,
        folded=folded,
        stems=frozenset(tokens),
        phrase=f" {' '.join(tokens)} ",
        units=_units(text, taken),
        names=names,
        values=tuple(_whole(value, folded) for value in found if _counts(value, times)),
        times=times,
        clocks=tuple(value for value in found if value.kind == "time"),
        denies=denies(text, contrasts),
        ended=any(vocabulary.pattern("scopes", one).search(folded) for one in ("ended", "ended_mark")),
        force=force_of(folded),
        replaced=(*_named(folded, "overtaken"), *contrasts, *_replaced(folded)),
        contrasts=contrasts,
    )


def _times(text: str, moment: datetime, time_zone: str) -> tuple[TimeExpression, ...]:
    """The times of a text, those that span several dates with each of the dates; a share or an amount is no time."""
    named = find_times(text, moment, time_zone)
    values = find_values(text) if named else []
    found: list[TimeExpression] = []
    for time in named:
        if any(_is_inside(time.span, value.span) for value in values if value.kind not in _TIMED):
            continue
        found.append(time)
        dates = [value.span for value in values if value.kind == "date" and value.span.overlaps(time.span)]
        for date in dates if len(dates) > 1 else ():
            others = [Span(0, date.start), Span(date.end, len(text))]
            found += find_times(blanked(text, others), moment, time_zone)
    return tuple(found)


def _is_inside(span: Span, other: Span) -> bool:
    return other.start <= span.start and span.end <= other.end and span != other


def _counts(value: Value, times: Sequence[TimeExpression]) -> bool:
    """Whether a value is compared as one: what belongs to a time is compared with it."""
    return value.kind not in _TIMED and not any(value.span.overlaps(time.span) for time in times)


def _whole(value: Value, folded: str) -> Value:
    """A value that ends within a run of digits ("1,1500") counts with all of them."""
    match = re.compile(r"[\d,]*\d").match(folded, value.span.end)
    if match is None or not folded[value.span.end - 1].isdigit():
        return value
    digits = re.sub(r"\D", "", folded[value.span.start : match.end()])
    return replace(value, normal=digits, span=Span(value.span.start, match.end()))


def blanked(text: str, spans: Sequence[Span]) -> str:
    """A text of the same length with spaces in place of some spans."""
    rest = list(text)
    for span in spans:
        rest[span.start : span.end] = " " * (span.end - span.start)
    return "".join(rest)


def _units(text: str, taken: Sequence[Span]) -> tuple[str, ...]:
    folded = fold(text)
    patterns = (*(vocabulary.pattern("scopes", one) for one in _MARKED), vocabulary.pattern("fillers"))
    scopes = [match for pattern in patterns for match in pattern.finditer(folded)]
    denials = [span for span in cue(folded, "negation") if span.cut(folded) in vocabulary.words("bare_denials")]
    rest = blanked(text, [*taken, *denials, *(Span(*match.span()) for match in scopes)])
    # The words are found on folded text, which has the same offsets; capitals are kept for "option A".
    light, known = vocabulary.taken_apart(fold(rest))
    rest = "".join(" " if new == " " else old for old, new in zip(rest, light, strict=True))
    units = (unit for unit in (*_runs(content_stems(rest), folded), *known) if not vocabulary.is_light(unit))
    return tuple(dict.fromkeys(unit for unit in units if any(map(str.isalnum, unit))))


def _runs(stems: Sequence[str], folded: str) -> list[str]:
    """Content words with the overlapping pairs of a long Chinese run joined again: a statement is read as a whole."""
    found: list[str] = []
    for stem in stems:
        joined = found[-1] + stem[1:] if found and len(stem) == _PAIR and not stem.isascii() else ""
        if joined and found[-1][-1] == stem[0] and joined in folded:
            found[-1] = joined
        else:
            found.append(stem)
    return found


@functools.cache
def _capital() -> re.Pattern[str]:
    letter = r"[^\W\u3400-\u9fff]"
    return re.compile(rf"(?<![\w'’])([A-Z](?:{letter}|-)*(?:&[A-Z]{letter}*)?)(?!{letter}|-|['’]t\b)")


def _names(text: str, taken: Sequence[Span]) -> tuple[str, ...]:
    """Capitalised words, also one that opens a sentence and is no other word, and Chinese forms of address."""
    found: list[tuple[int, str]] = []
    for match in _capital().finditer(text):
        span = Span(*match.span(1))
        if not any(span.overlaps(other) for other in taken) and _may_be_name(text, match):
            found.append((span.start, fold(match.group(1))))
    folded = fold(text)
    found += [(match.start(), match.group()) for match in wording.forms_of_address().finditer(folded)]
    things = [span for _, _, span in labelled(text) if not any(span.overlaps(other) for other in taken)]
    found += [(span.start, span.cut(folded)) for span in things]
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def _may_be_name(text: str, match: re.Match[str]) -> bool:
    word = fold(match.group(1))
    if vocabulary.pattern("titles").search(fold(text[: match.start()])):
        return True  # the dot of "Dr." ends no sentence
    if vocabulary.pattern("titles").fullmatch(f"{word} "):
        return False
    if fold(match.group()) in parsing.capitalised_names(text):
        return not vocabulary.is_light(content_stems(word)[0]) if content_stems(word) else False
    opens = not text[: match.start()].strip(" \"'“‘(")
    stems = content_stems(word)
    if not stems or len(word) < 2 or word in wording.words("not_names") or word.endswith("ing"):
        return False  # "Walking home" opens with no name
    return opens and not vocabulary.is_light(stems[0]) and not vocabulary.is_known(stems[0])


def denies(text: str, contrasts: Sequence[Span] = ()) -> bool:
    """Whether a text denies what it says: an odd number of grammatical negations, as two of them affirm.

    What ended counts as denied; what is denied in favour of something else does not count.
    """
    folded = vocabulary.pattern("no_denial").sub(lambda match: "_" * len(match.group()), fold(text))
    folded = blanked(folded, contrasts)
    ended = [Span(*match.span()) for match in vocabulary.pattern("scopes", "ended").finditer(folded)]
    lexical = vocabulary.words("lexical_denials")
    rest = blanked(folded, ended)
    negations = sum(span.cut(folded) not in lexical for span in cue(rest, "negation"))
    nothing = sum(1 for _ in vocabulary.pattern("no_such").finditer(rest))
    return (negations + nothing + len(ended)) % 2 == 1


def force_of(folded: str) -> str:
    """How a folded text is meant: the first force of the lexicon that it carries, or ``plain``."""
    freed = vocabulary.pattern("not_force").sub(lambda match: "_" * len(match.group()), folded)
    found = (force for group, force in _FORCES.items() if vocabulary.pattern("force", group).search(freed))
    return next(found, "plain")


def _named(folded: str, name: str) -> tuple[Span, ...]:
    """The spans that the groups of some patterns hold; a group that only helps to match is none."""
    found = vocabulary.pattern(name).finditer(folded)
    held = ((match, group) for match in found for group in match.re.groupindex if group != "verb")
    return tuple(Span(*match.span(group)) for match, group in held if match[group])


def _replaced(folded: str) -> tuple[Span, ...]:
    spans = []
    for match in vocabulary.pattern("replaced").finditer(folded):
        group = match.lastgroup
        english_from = match.group().startswith("from")
        if group and not (english_from and not vocabulary.pattern("replacing").search(folded)):
            spans.append(Span(*match.span(group)))
    return tuple(spans)
