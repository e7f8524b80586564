"""A seeded generator of lies: true statements about the bundled dialogues with one thing changed, of ten kinds."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from veridical.memory.language.times import find_times
from veridical.memory.language.values import Value, find_values
from veridical.memory.records import Language, Turn

from . import words
from .told import Dialogue, Truth

EACH = 200
"""Lies of each kind, half of them Chinese."""
_TRUTHS_PER_LIE = 6
NUMERIC = frozenset({"number", "amount", "quantity", "percent"})


@dataclass(frozen=True, slots=True)
class Lie:
    """A false statement about the evidence."""

    kind: str
    text: str
    truth: Truth
    false: str
    """What is false in it."""

    @property
    def elsewhere(self) -> bool:
        """Whether what is false in it occurs in the evidence."""
        everything = "\n".join(turn.text for turn in self.truth.dialogue.turns)
        pieces = re.findall(r"[A-Za-z]{2,}|\d[\d.,:-]*\d|\d|[\u4e00-\u9fff]{2}", self.false)
        return any(
            re.search(rf"(?<![\w.,]){re.escape(piece)}(?![\d])", everything)
            or (not piece.isascii() and piece in everything)
            for piece in pieces
        )


Made = tuple[str, str]
"""A false sentence, and what is false in it."""
Maker = Callable[[Truth, random.Random], Iterator[Made]]


def digit(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """A number with another digit, or a number of the same kind from elsewhere in the dialogue."""
    for value in _numbers(truth.text):
        for _ in range(3):
            if written := _other_digit(value.text, chance):
                yield _replaced(truth.text, value, written)
        for other in _rivals(value, truth):
            yield _replaced(truth.text, value, other)


def unit(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """A value in another unit or currency."""
    for value in find_values(truth.text):
        for old, new in words.UNITS:
            if old in value.text and value.kind in {*NUMERIC, "date", "time"}:
                yield _replaced(truth.text, value, value.text.replace(old, new, 1))
        if value.kind == "number" and value.text[-1].isdigit():
            for new in words.ADDED_UNITS[truth.dialogue.language]:
                yield _replaced(truth.text, value, value.text + new)


def magnitude(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """A number ten, a thousand or ten thousand times as large, or as small."""
    for value in _numbers(truth.text):
        for old, new in words.MAGNITUDES:
            if old in value.text:
                yield _replaced(truth.text, value, value.text.replace(old, new, 1))
        match = re.match(r"\D*[\d.,]*\d", value.text)
        if match and not re.match(r"\D*[\d.,]*\d[万亿千百]", value.text):
            head, tail = match.group(), value.text[match.end() :]
            longer = ("0", "万", "000") if truth.dialogue.language == "zh" else ("0", ",000", " thousand")
            for added in longer:
                yield _replaced(truth.text, value, f"{head}{added}{tail}")


def date(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """A date one day off, or a date or time of another turn."""
    turn = truth.turn
    dated = [value for value in find_values(truth.text) if value.kind in {"date", "time"}]
    for value in dated:
        for shift in (-1, 1):
            yield _replaced(truth.text, value, _shifted(value.text, shift, last=value.kind == "date"))
        for other in _rivals(value, truth):
            yield _replaced(truth.text, value, other)
    for time in find_times(truth.text, turn.observed_at, turn.time_zone):
        if any(value.span.overlaps(time.span) for value in dated) or time.grain != "day":
            continue
        for shift in (-1, 1):
            moved = (time.start + timedelta(days=shift)).astimezone(time.start.tzinfo)
            written = f"on {moved:%B} {moved.day}" if turn.language == "en" else f"{moved.month}月{moved.day}日"
            yield truth.text[: time.span.start] + written + truth.text[time.span.end :], written


def name(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """A name for another one that is stored in the same dialogue."""
    known = names(truth.dialogue)
    for one in known:
        if _holds_word(truth.text, one):
            others = [other for other in known if not _related(other, one) and not _holds_word(truth.text, other)]
            for other in chance.sample(others, min(4, len(others))):
                yield re.sub(rf"(?<![A-Za-z]){re.escape(one)}(?![A-Za-z])", other, truth.text), other


def choice(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """What is so for what was offered, compared or stored beside it."""
    for one, other in truth.options:
        if _holds_word(truth.text, one) and not _holds_word(truth.text, other):
            yield truth.text.replace(one, other), other


def negation(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """Yes for no, and no for yes; of what still holds."""
    for old, new in words.DENIALS[truth.dialogue.language] if truth.lasting else ():
        if re.search(old, truth.text):
            yield re.sub(old, new, truth.text, count=1), new
            return


def attribution(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """Somebody else is said to have said it."""
    bare = re.sub(r"^(?:You|Priya|Tom) said (?:that )?|^您说过", "", truth.text)
    if truth.turn.source == "ai_generated" or words.TELLS.match(truth.text):
        return
    for frame in words.BY_ASSISTANT[truth.dialogue.language]:
        yield frame.format(_small(bare)), frame
    speakers = {turn.speaker for turn in truth.dialogue.turns} - {truth.turn.speaker, "assistant"}
    others = [one for one in names(truth.dialogue) if not _holds_word(truth.turn.text, one)]
    for other in [*speakers, *chance.sample(others, min(2, len(others)))]:
        if not _related(other, truth.turn.speaker):
            yield words.SAID[truth.dialogue.language].format(other, _small(bare)), other


def identifier(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """An identifier with two characters the other way round, another digit, or another one of the dialogue."""
    for value in find_values(truth.text):
        long = value.kind == "number" and re.fullmatch(r"\d{4,}", value.text)
        if value.kind not in {"identifier", "phone"} and not long:
            continue
        for place in range(1, len(value.text)):
            one, other = value.text[place - 1 : place + 1]
            if one != other and one.isalnum() and other.isalnum():
                yield _replaced(truth.text, value, f"{value.text[: place - 1]}{other}{one}{value.text[place + 1 :]}")
        for _ in range(4):
            if written := _other_digit(value.text, chance):
                yield _replaced(truth.text, value, written)
        for other in _rivals(value, truth):
            yield _replaced(truth.text, value, other)


def quotation(truth: Truth, chance: random.Random) -> Iterator[Made]:
    """A quotation with a word left out or moved, or of another turn."""
    turn, english = truth.turn, truth.dialogue.language == "en"
    pieces, space = (turn.text.split(" "), " ") if english else (list(turn.text), "")
    who = turn.speaker if turn.speaker != "user" else ("You" if english else "您")
    frame = f"{who} said: “{{}}” [{turn.id}]" if english else f"{who}说过：“{{}}” [{turn.id}]"
    place = chance.randrange(1, max(2, len(pieces) - 1))
    left_out = space.join(pieces[:place] + pieces[place + 1 :])
    swapped = space.join([*pieces[: place - 1], pieces[place], pieces[place - 1], *pieces[place + 1 :]])
    other = chance.choice([one for one in truth.dialogue.turns if one.source != "ai_generated" and one is not turn])
    for altered in (left_out, swapped, other.text):
        if altered not in turn.text:
            yield frame.format(altered), altered


MAKERS: dict[str, Maker] = {
    "digit": digit,
    "unit": unit,
    "magnitude": magnitude,
    "date": date,
    "name": name,
    "choice": choice,
    "negation": negation,
    "attribution": attribution,
    "identifier": identifier,
    "quotation": quotation,
}


def lies(truths: Sequence[Truth], *, seed: int, each: int = EACH) -> list[Lie]:
    """So many lies of each kind, half of them Chinese, told plainly or in a frame; the same ones for the same seed."""
    chance = random.Random(seed)
    known = {_plain(truth.text) for truth in truths}
    made: list[Lie] = []
    for kind, maker in MAKERS.items():
        for language in ("en", "zh"):
            told = [truth for truth in truths if truth.dialogue.language == language and not truth.question]
            found: dict[str, Lie] = {}
            told = told if each >= EACH else chance.sample(told, min(len(told), each * _TRUTHS_PER_LIE))
            for truth in told:
                for text, false in maker(truth, chance):
                    lie = Lie(kind, text, truth, false)
                    if _plain(text) not in known and is_false(lie):
                        found |= {one.text: one for one in _told(lie)}
            made += _chosen(list(found.values()), chance, each // 2)
    return made


def _chosen(found: list[Lie], chance: random.Random, most: int) -> list[Lie]:
    """Half of them with what occurs elsewhere, where there are so many; all in the order of chance."""
    chance.shuffle(found)
    found.sort(key=lambda lie: not lie.elsewhere)
    mixed = [*found[: most // 2], *chance.sample(found[most // 2 :], max(0, len(found) - most // 2))]
    return mixed[:most]


def _told(lie: Lie) -> Iterator[Lie]:
    """A lie as a model may tell it: plainly, with the id of the turn, in a frame."""
    yield lie
    if lie.kind in {"quotation", "attribution"}:
        return
    english = lie.truth.dialogue.language == "en"
    for turn in [lie.truth.turn, *_of_other(lie)][:2]:
        yield Lie(lie.kind, f"{lie.text} [{turn.id}]", lie.truth, lie.false)
    frame = "According to the records, {}" if english else "根据记录，{}"
    yield Lie(lie.kind, frame.format(_small(lie.text)), lie.truth, lie.false)


def _of_other(lie: Lie) -> list[Turn]:
    return [turn for turn in lie.truth.dialogue.turns if lie.false in turn.text and turn is not lie.truth.turn]


def is_false(lie: Lie) -> bool:
    """Whether a lie is one: it says something else than the truth, and no turn has all of its words.

    The second is asked apart from the verifier, of the plain words and numbers alone.
    """
    if lie.kind in {"digit", "unit", "magnitude", "date", "identifier"}:
        told, true = ([(v.kind, v.normal, v.unit) for v in find_values(text)] for text in (lie.text, lie.truth.text))
        if told == true and _times(lie.text, lie.truth) == _times(lie.truth.text, lie.truth):
            return False
    if lie.kind == "date" and _is_wider(lie):
        return False
    if lie.kind in {"negation", "attribution", "quotation"}:
        return lie.text != lie.truth.text
    said = _words(lie.text)
    return not any(said <= _words(turn.text) for turn in lie.truth.dialogue.turns)


def _is_wider(lie: Lie) -> bool:
    """Whether a date only names the month or leaves out the year, which is no lie."""
    true = find_times(lie.truth.text, lie.truth.turn.observed_at, lie.truth.turn.time_zone)
    told = find_times(lie.text, lie.truth.turn.observed_at, lie.truth.turn.time_zone)
    return len(told) == len(true) and all(
        one.start <= other.start < one.end or (one.start.month, one.start.day) == (other.start.month, other.start.day)
        for one, other in zip(told, true, strict=True)
    )


def _times(text: str, truth: Truth) -> list[object]:
    return [time.start for time in find_times(text, truth.turn.observed_at, truth.turn.time_zone)]


def _words(text: str) -> set[str]:
    pieces = re.findall(r"[A-Za-z]+|\d[\d.,]*\d|\d|[\u4e00-\u9fff]", text.lower())
    return {piece for piece in pieces if piece not in words.FRAME}


def names(dialogue: Dialogue) -> list[str]:
    """The names that a dialogue holds: of its hand-written options, and capitalised words inside its sentences."""
    speakers = {turn.speaker for turn in dialogue.turns} - {"user", "assistant"}
    if dialogue.language == "zh":
        listed = {one for one in words.CHINESE_NAMES if any(one in turn.text for turn in dialogue.turns)}
    else:
        text = " ".join(turn.text for turn in dialogue.turns if turn.source != "ai_generated")
        listed = set(re.findall(r"(?<=[a-z,] )[A-Z][a-zéçêñö]{2,}\b", text)) - words.NO_NAMES
    return sorted(speakers | listed)


def _related(one: str, other: str) -> bool:
    return one in other or other in one


def _holds_word(text: str, word: str) -> bool:
    if not word.isascii():
        return word in text
    return re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", text) is not None


def _rivals(value: Value, truth: Truth) -> list[str]:
    """Values of the same kind and unit elsewhere in the dialogue, as they are written there."""
    others = [
        (other, turn)
        for turn in truth.dialogue.turns
        for other in find_values(turn.text)
        if (other.kind, other.unit) == (value.kind, value.unit)
        and other.normal != value.normal
        and (re.search(r"\d", other.text) or not re.search(r"\d", value.text) or truth.dialogue.language == "zh")
    ]
    return list(dict.fromkeys(other.text.strip(" .,") for other, _ in others))[:6]


def _numbers(text: str) -> list[Value]:
    return [value for value in find_values(text) if value.kind in NUMERIC]


def _other_digit(written: str, chance: random.Random) -> str:
    places = [place for place, character in enumerate(written) if character in "0123456789一二三四五六七八九"]
    if not places:
        return ""
    place = chance.choice(places)
    digits = "123456789" if written[place].isascii() else "一二三四五六七八九"
    return written[:place] + chance.choice([one for one in digits if one != written[place]]) + written[place + 1 :]


def _shifted(written: str, shift: int, *, last: bool) -> str:
    """A date or time with its day or its hour raised or lowered."""
    places = list(re.finditer(r"\d+", written))
    days = [place for place in places if len(place.group()) <= 2]
    if not days:
        return written
    place = days[-1 if last else 0]
    return f"{written[: place.start()]}{int(place.group()) + shift}{written[place.end() :]}"


def _replaced(text: str, value: Value, written: str) -> Made:
    return text[: value.span.start] + written + text[value.span.end :], written


def _small(text: str) -> str:
    """A sentence as it goes on behind a frame."""
    first = text.split(" ")[0]
    return text[:1].lower() + text[1:] if first in words.OPENERS else text


def _plain(text: str) -> str:
    return re.sub(r"[^\w.]", "", text).lower()


def languages(found: Sequence[Lie]) -> dict[Language, int]:
    """How many lies there are in each language."""
    return {one: sum(lie.truth.dialogue.language == one for lie in found) for one in ("en", "zh")}
