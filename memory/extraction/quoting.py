"""From a stretch of a clause to the value that it states: where exactly it stands, and what it means."""

import functools
import re
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from ..language.segmenting import place_names
from ..language.times import TimeExpression, find_times
from ..language.values import Value
from ..records import Span
from .normals import normalise
from .patterns import mapping, pattern, words
from .reading import Clause, Reading

_LONGEST_WORDS = 6
_LONGEST_CHARACTERS = 16
_AMONG = re.compile(r"\s*(?:,(?!\d)|，|、|;|\band\b|\bor\b|&|和|以及|还有|跟|与|及)+\s*")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A value as quoted, and as it is compared."""

    span: Span
    normal: str
    value_type: str = "text"
    unit: str | None = None
    time: TimeExpression | None = None
    """Set where the value is itself a time."""


def quote(reading: Reading, clause: Clause, start: int, end: int, check: str) -> Quoted | None:
    """The value in a range of a clause, or ``None`` where what stands there fails the check.

    Args:
        reading: the turn.
        clause: the clause.
        start: where the value may begin, within the clause.
        end: where the clause's value ends at the latest.
        check: what it must be, a key of ``_TYPED`` or ``_CHECKS``.
    """
    region = trim(reading, clause, start, end)
    if region.start >= region.end:
        return None
    typed = _typed(reading, region)
    if check in _TYPED or (check == "any" and typed is not None):
        return typed if typed is not None and _TYPED.get(check, _is_anything)(typed) else None
    plain = region if check == "loose" else _without_time(reading, region)
    text = plain.cut(reading.folded)
    return _plain(reading, plain) if text.strip() and _CHECKS[check](reading, clause, plain, text) else None


def split(reading: Reading, value: Quoted) -> list[Quoted]:
    """The members of an enumeration ("pizza and sushi", 苹果、香蕉和梨), each a value of its own."""
    pieces = []
    start = value.span.start
    for match in _AMONG.finditer(reading.folded, value.span.start, value.span.end):
        pieces.append(Span(start, match.start()))
        start = match.end()
    pieces.append(Span(start, value.span.end))
    whole = [piece for piece in pieces if piece.end > piece.start]
    too_long = any(len(piece.cut(reading.folded).split()) > 3 for piece in whole)
    if len(whole) < 2 or (too_long and clause_language(reading, value.span) == "en"):
        return [value]
    return [_plain(reading, piece) for piece in whole]


def _is_anything(typed: Quoted) -> bool:
    return True


def _is_time(typed: Quoted) -> bool:
    return typed.time is not None


def _is_amount(typed: Quoted) -> bool:
    return typed.time is None and typed.value_type in {"amount", "number", "quantity"}


def _is_price(typed: Quoted) -> bool:
    """An amount, or a bare number; "we need 12 pieces" tells of no price."""
    return _is_amount(typed) and (typed.value_type == "amount" or typed.unit is None)


def clause_language(reading: Reading, span: Span) -> str:
    """The script of a stretch of the turn."""
    return "zh" if re.search(r"[\u3400-\u9fff]", span.cut(reading.folded)) else "en"


def time_normal(time: TimeExpression, zone: str) -> str:
    """A time as it is compared: in the zone of the turn, as precise as it was said."""
    local = time.start.astimezone(ZoneInfo(zone))
    if time.grain in {"minute", "hour"}:
        return local.strftime("%Y-%m-%dT%H:%M")
    lengths = {"month": "%Y-%m", "year": "%Y"}
    return local.strftime(lengths.get(time.grain, "%Y-%m-%d"))


def ahead(value: Quoted, reading: Reading) -> Quoted:
    """What something is moved to lies ahead, though the sentence that tells of it speaks of the past."""
    turn = reading.turn
    if value.time is None or value.time.end > turn.observed_at:
        return value
    again = find_times(reading.original(value.span), turn.observed_at, turn.time_zone)
    if len(again) != 1 or again[0].end <= turn.observed_at:
        return value
    return replace(value, normal=time_normal(again[0], turn.time_zone), time=again[0])


def trim(reading: Reading, clause: Clause, start: int, end: int) -> Span:
    """A range of a clause without what belongs to the sentence rather than to the value."""
    text = clause.text[start:end]
    cut = pattern(clause.language, "cut").search(text, 1)
    if cut:
        text = text[: cut.start()]
    text = text.rstrip(" \t.。!！,，;；:：~～…\"'“”)）]】-—")
    if clause.language == "zh":
        text = pattern("zh", "tail").sub("", text)
        text = text.rstrip(" \t.。!！,，;；\"'”")
    lead = len(text) - len(text.lstrip(" \t\"'“「『:：=("))
    return clause.at(start + lead, start + max(lead, len(text)))


def _typed(reading: Reading, region: Span) -> Quoted | None:
    """The number, amount, date or the like with which the region begins."""
    time = next((it for it in reading.times if region.start < it.span.end <= region.end), None)
    if time is not None and _only_lead(reading, min(region.start, time.span.start), max(region.start, time.span.start)):
        if pattern("both", "not_alone").match(reading.folded, time.span.end):
            return None
        span = Span(max(region.start, time.span.start), time.span.end)
        return Quoted(span, time_normal(time, reading.turn.time_zone), _time_type(time), None, time)
    value = next(iter(reading.values_in(region)), None)
    if value is None or not _only_lead(reading, region.start, value.span.start) or not _stands_alone(reading, value):
        return None
    return _dated(reading, value) or Quoted(value.span, value.normal, value.kind, value.unit)


def _stands_alone(reading: Reading, value: Value) -> bool:
    """Whether a number is all that is stated: neither one of two ("5,000 or 6,000") nor a difference ("20% off")."""
    either = pattern("both", "not_alone").match(reading.folded, value.span.end)
    return not either and not (
        value.kind == "percent" and pattern("both", "rebated").match(reading.folded, value.span.end)
    )


def _dated(reading: Reading, value: Value) -> Quoted | None:
    """A date that stands in a range ("from May 1 to May 15"), resolved by itself."""
    if value.kind != "date":
        return None
    turn = reading.turn
    alone = find_times(value.text, turn.observed_at, turn.time_zone)
    if len(alone) != 1:
        return None
    return Quoted(value.span, time_normal(alone[0], turn.time_zone), _time_type(alone[0]), None, alone[0])


def _time_type(time: TimeExpression) -> str:
    return "time" if time.grain in {"minute", "hour"} else "date"


def _only_lead(reading: Reading, start: int, end: int) -> bool:
    return bool(pattern("both", "value_lead").fullmatch(reading.folded, start, end))


def _is_age(value: Quoted) -> bool:
    number = re.fullmatch(r"\d{1,3}", value.normal)
    plain_unit = value.unit is None or value.unit.startswith(("age", "year"))
    return bool(number) and int(value.normal) <= 120 and plain_unit


def _without_time(reading: Reading, region: Span) -> Span:
    """The region up to a time that says when rather than what ("Berlin last month")."""
    for time in reading.times_in(region):
        if time.span.start <= region.start:
            continue
        before = reading.folded[region.start : time.span.start]
        kept = re.sub(
            r"\s+(?:on|in|at|since|from|by|until|till|as of|back in|early|late|around|this|the)*\s*$", "", before
        )
        return Span(region.start, region.start + len(kept.rstrip(" ,，在于")))
    return region


def _plain(reading: Reading, span: Span) -> Quoted:
    meaning = normalise(span.cut(reading.words))
    return Quoted(span, meaning.normal, meaning.value_type, meaning.unit)


def _is_short(text: str) -> bool:
    return len(text.split()) <= _LONGEST_WORDS and len(re.findall(r"[\u3400-\u9fff]", text)) <= _LONGEST_CHARACTERS


def _is_junk(text: str, language: str) -> bool:
    if language == "zh" or re.search(r"[\u3400-\u9fff]", text):
        return bool(pattern("zh", "junk").match(text))
    done = re.fullmatch(r"[a-z]{2,}[^e]ed|paid|sold|lost|sent|built", text)
    return done is not None or bool(pattern("en", "junk").match(text)) or bool(re.match(r"\w+ing\b", text))


def _name(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    if re.search(r"[\u3400-\u9fff]", text):
        return len(text) <= 12 and not _is_junk(text, "zh") and "的" not in text
    bare = re.sub(r"^(?:the|dr\.?|mr\.?|mrs\.?|ms\.?|prof\.?) ", "", text)
    return reading.is_name(Span(span.end - len(bare), span.end))


def _lowercase_name(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    """A name, also by someone who writes without capitals."""
    bare = re.fullmatch(r"[a-z][a-z'-]+(?: [a-z][a-z'-]+)?", text)
    written_small = reading.original(span) == text and not re.search("[A-Z]", reading.words)
    return _name(reading, clause, span, text) or bool(bare and written_small and not _is_junk(text, "en"))


def _place(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    if pattern("zh", "storey").fullmatch(text):
        return False
    if _name(reading, clause, span, text):
        return True
    return (
        bool(re.fullmatch(r"[a-z][a-z-]{2,}(?: [a-z-]+)?", text))
        and not _is_junk(text, "en")
        and text not in words("en", "no_places")
    )


def _is_place_name(text: str) -> bool:
    """Whether a phrase is a place by its name or its ending: 绵阳, 滨江区; a company that is called as one is none."""
    if text in words("zh", "no_places"):
        return False
    return text in mapping("zh", "places") or bool(_DISTRICT.fullmatch(text)) or text in place_names(text)


_DISTRICT = re.compile(r"[\u3400-\u9fff]{1,6}[省市县区镇乡村州岛]")


def _whereabouts(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    """A place by its name, and not what is only called one by whoever is there (家里)."""
    return _is_place_name(text) and mapping("zh", "places").get(text) != "deictic"


def _employer(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    if _is_place_name(text) or re.match(r"an? (?:group|team|bunch|lot|few|couple|variety|number)\b", text):
        # 在北京工作 says where, not for whom.
        return False
    if _name(reading, clause, span, text):
        return True
    return (
        bool(re.fullmatch(r"(?:an? |the )?[a-z][\w&.-]+(?: [a-z]+){0,2}", text))
        and not _is_junk(text, "en")
        and text not in words("en", "no_employers")
    )


def _thing(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    if re.search(r"[\u3400-\u9fff]", text):
        return (
            _is_short(text) and not pattern("zh", "pronoun_object").match(text) and not re.search("是(?!非)|不再", text)
        )
    named = reading.is_name(span) and text not in {"i", "it"}
    return _is_short(text) and (named or not pattern("en", "pronoun_object").match(text))


def _listed(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    """One of several things, also an activity ("painting"), but no judgement ("awesome")."""
    return _thing(reading, clause, span, text) and not pattern(clause.language, "junk").match(text)


def _short(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    return _is_short(text) and (_name(reading, clause, span, text) or not _is_junk(text, clause.language))


def _job(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    return (
        _is_short(text) and not _is_junk(text, clause.language) and not re.match(r"(?:at|in|on|for|with|of|by) ", text)
    )


def _occupation(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    words = text.split()
    if re.search(r"[\u3400-\u9fff]", text):
        titled = pattern("zh", "titled").fullmatch(text)
        return bool(pattern("zh", "occupation").search(text)) and len(text) <= 10 and not titled
    last = re.split(r"\s(?:at|for|in|with|from|who|by|on|of)\s", text)[0].split()[-1]
    return (
        len(words) <= 6
        and bool(pattern("en", "occupation").fullmatch(last))
        and not pattern("en", "no_occupation").fullmatch(last)
        and not _is_junk(text, "en")
    )


def _introduced(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    if re.search(r"[\u3400-\u9fff]", text):
        return (
            text[0] in mapping("zh", "surnames")
            and 2 <= len(text) <= 3
            and not _occupation(reading, clause, span, text)
        )
    if re.search(r"(?:an|ish|ese|ian|ist|ic)$", text) and " " not in text:
        return False
    return (
        reading.is_name(span)
        and not text[0].isdigit()
        and len(text.split()) <= 3
        and text not in {"ok", "okay", "happy", "sorry"}
    )


def _called(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    """The name of a person, also the one that only those near them use (小米, 诺诺)."""
    return _introduced(reading, clause, span, text) or bool(pattern("zh", "pet_name").fullmatch(text))


def _tool(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    """Something used: a name, or anything if it is used as an attribute that the lexicon knows."""
    return _is_short(text) and bool(re.search("[a-z]", text)) and not _is_junk(text, clause.language)


def _carrier(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    return bool(
        re.search(
            r"顺丰|京东|圆通|中通|申通|韵达|邮政|ems|德邦|极兔|空运|海运|陆运|快递|sf|ups|fedex|dhl|usps|平邮|专车|铁路",
            text,
        )
    )


def _stance(reading: Reading, clause: Clause, span: Span, text: str) -> bool:
    """What one accepts or refuses: any short description, also a definite one."""
    return len(text.split()) <= 9 and len(text) <= 60 and text not in {"it", "that", "this", "them", "这", "那", "它"}


_TYPED = {"typed": _is_anything, "time": _is_time, "amount": _is_amount, "price": _is_price, "age": _is_age}
_CHECKS = {
    "stance": _stance,
    "tool": _tool,
    "carrier": _carrier,
    "any": _short,
    "loose": lambda reading, clause, span, text: len(text) <= 120 and not _is_junk(text, clause.language),
    "short": _short,
    "name": _name,
    "any_name": _lowercase_name,
    "place": _place,
    "employer": _employer,
    "whereabouts": _whereabouts,
    "thing": _thing,
    "listed": _listed,
    "job": _job,
    "occupation": _occupation,
    "introduced": _introduced,
    "called": _called,
}


@functools.cache
def classes() -> dict[str, frozenset[str]]:
    """Words of which one can replace another, by class (colors)."""
    grouped: dict[str, set[str]] = {}
    for language in ("en", "zh"):
        for word, name in mapping(language, "classes").items():
            grouped.setdefault(name, set()).add(word)
    return {name: frozenset(words) for name, words in grouped.items()}


def moment(time: TimeExpression | None) -> datetime | None:
    """When a time begins."""
    return time.start if time is not None else None
