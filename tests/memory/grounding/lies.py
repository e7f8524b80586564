"""A seeded generator of lies: true statements with one thing changed, of ten kinds, in both languages."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from veridical.memory.language.times import find_times
from veridical.memory.language.values import Value, find_values
from veridical.memory.records import Language, Turn

from .corpus import Told

NAMES: dict[Language, tuple[str, ...]] = {
    "en": ("Apollo", "Borealis", "Dana", "Omar", "Lena", "Marta", "Ravi", "Caroline", "Melanie"),
    "zh": ("阿波罗", "北极光", "张伟", "李娜", "王工", "王总", "小陈", "小赵"),
}
"""Names that the evidence holds."""
UNITS = (
    ("dollars", "euros"),
    ("$", "€"),
    ("euros", "pounds"),
    ("kg", "lb"),
    ("kilograms", "grams"),
    ("GB", "TB"),
    ("percent", "people"),
    ("%", " kg"),
    ("公斤", "吨"),
    ("斤", "公斤"),
    ("美元", "欧元"),
    ("万元", "万美元"),
    ("元", "美元"),
    ("盏", "箱"),
    ("把", "吨"),
    ("个人", "万个"),
)
DENIALS = (
    (" does not ", " does "),
    ("'s budget is ", "'s budget is not "),
    (" is not ", " is "),
    (" are not ", " are "),
    (" do not ", " "),
    (" don't ", " "),
    (" is ", " is not "),
    (" are ", " are not "),
    (" was ", " was not "),
    (" has ", " does not have "),
    (" leads ", " does not lead "),
    (" handles ", " does not handle "),
    (" lives ", " doesn't live "),
    (" contains ", " doesn't contain "),
    (" prefer ", " don't prefer "),
    (" bought ", " never bought "),
    (" signed ", " never signed "),
    (" adopted ", " didn't adopt "),
    (" loved ", " didn't love "),
    (" chose ", " didn't choose "),
    (" decided ", " did not decide "),
    (" will ", " will not "),
    (" might ", " will not "),
    (" plan to ", " don't plan to "),
    (" lands ", " does not land "),
    ("没有接受", "接受了"),
    ("不喝", "喝"),
    ("不过敏", "过敏"),
    ("过敏", "不过敏"),
    ("是", "不是"),
    ("住在", "不住在"),
    ("负责", "不负责"),
    ("感兴趣", "不感兴趣"),
    ("拒绝了", "没有拒绝"),
    ("喜欢", "不喜欢"),
    ("签了", "没有签"),
    ("买了", "没买"),
    ("决定", "没有决定"),
    ("涨到了", "没有涨到"),
    ("打算", "不打算"),
    ("可能", "不可能"),
    ("通过了", "没通过"),
    ("会", "不会"),
    ("在", "不在"),
    ("有", "没有"),
)


@dataclass(frozen=True, slots=True)
class Lie:
    """A false statement about the evidence."""

    kind: str
    text: str
    truth: str
    turn: Turn
    elsewhere: bool
    """Whether what is false in it occurs in the evidence."""


Maker = Callable[[str, Told, Turn, random.Random, Sequence[Turn]], Iterator[str]]


def digit(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """A number with another digit, or a number of the same kind from elsewhere."""
    for value in _numbers(text):
        for _ in range(2):
            written = _other_digit(value.text, chance)
            if written and not _same(written, value):
                yield _replaced(text, value, written)
        others = [v for t in turns for v in _numbers(t.text) if v.kind == value.kind and v.normal != value.normal]
        rivals = [v.text for v in others if v.unit == value.unit and v.normal not in turn.text.replace(",", "")]
        if rivals:
            yield _replaced(text, value, chance.choice(rivals))


def unit(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """A value in another unit or currency."""
    for old, new in UNITS:
        if old in text and any(old in value.text for value in find_values(text)):
            yield text.replace(old, new, 1)


def magnitude(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """A number ten, a thousand or ten thousand times as large, or as small."""
    swaps = (
        ("48.5k", "48.5 million"),
        ("万", "亿"),
        ("亿", "万"),
        (",000", ",000,000"),
        ("4.85万", "48.5万"),
        ("百", "千"),
    )
    for old, new in swaps:
        if old in text:
            yield text.replace(old, new, 1)
    for value in _numbers(text):
        if value.text[-1].isdigit():
            yield _replaced(text, value, f"{value.text}0")
            yield _replaced(text, value, f"{value.text}万" if turn.language == "zh" else f"{value.text} thousand")


def day(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """A date one day off, or a date of another turn; a time of day an hour off."""
    for value in find_values(text):
        if value.kind not in {"date", "time"}:
            continue
        for shift in (-1, 1):
            moved = _shifted(value.text, shift, last=value.kind == "date")
            if moved != value.text:
                yield _replaced(text, value, moved)
        own = {v.normal for v in find_values(turn.text)}
        alike = [v for t in turns if t.language == turn.language for v in find_values(t.text) if v.kind == value.kind]
        if others := [v.text for v in alike if v.normal not in own]:
            yield _replaced(text, value, chance.choice(others))
    for time in find_times(text, turn.observed_at, turn.time_zone):
        said = (time.start + timedelta(days=chance.choice((-1, 1)))).date().isoformat()
        if turn.language == "en" and time.text[:1].isalpha() and time.grain == "day":
            yield text[: time.span.start] + said + text[time.span.end :]


def name(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """A name for another one that is stored."""
    for one in NAMES[turn.language]:
        if one in text:
            others = [other for other in NAMES[turn.language] if other != one and other not in turn.text]
            for other in chance.sample(others, 3):
                yield text.replace(one, other)


def choice(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """One option for another one that was offered."""
    for one, other in told.options:
        if one in text and other not in text:
            yield text.replace(one, other)


def negation(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """Yes for no, and no for yes."""
    for old, new in DENIALS:
        if old in text:
            yield text.replace(old, new, 1)
            return


def attribution(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """Somebody else is said to have said it."""
    bare = re.sub(
        r"^(?:You said that|I suggested that|The assistant said that) |^(?:您说过|助手说过|我建议过)", "", text
    )
    english = turn.language == "en"
    if turn.source == "ai_generated":
        yield f"You said that {bare}" if english else f"您说过{bare}"
        yield f"You decided that {bare}" if english else f"用户决定{bare}"
        return
    yield f"I suggested that {bare}" if english else f"我建议过{bare}"
    yield f"The assistant said that {bare}" if english else f"助手说过{bare}"
    other = chance.choice([one for one in NAMES[turn.language] if one not in turn.text and one != turn.speaker])
    yield f"{other} said that {bare}" if english else f"{other}说过{bare}"
    if turn.speaker != "user":
        yield f"You said that {bare}"


def identifier(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """An identifier with two characters the other way round, or another one of the evidence."""
    for value in find_values(text):
        if value.kind not in {"identifier", "phone"}:
            continue
        for place in range(len(value.text) - 1, 0, -1):
            one, other = value.text[place - 1 : place + 1]
            if one != other and one.isdigit() and other.isdigit():
                yield _replaced(text, value, f"{value.text[: place - 1]}{other}{one}{value.text[place + 1 :]}")
        alike = [v for t in turns if t.language == turn.language for v in find_values(t.text) if v.kind == value.kind]
        if others := [v.text for v in alike if v.normal != value.normal]:
            yield _replaced(text, value, chance.choice(others))


def quotation(text: str, told: Told, turn: Turn, chance: random.Random, turns: Sequence[Turn]) -> Iterator[str]:
    """A quotation with one word or character changed, left out, or of another turn."""
    words = turn.text.split(" ") if turn.language == "en" else list(turn.text)
    space = " " if turn.language == "en" else ""
    who = {"user": ("You said", "您说过"), "assistant": ("I said", "我说过")}.get(
        turn.speaker, (f"{turn.speaker} said",) * 2
    )
    frame = who[0] if turn.language == "en" else who[1]
    marks = "“{}”" if turn.language == "en" else "「{}」"
    for _ in range(2):
        place = chance.randrange(1, len(words) - 1)
        left_out = space.join(words[:place] + words[place + 1 :])
        swapped = space.join([*words[:place], words[place + 1], words[place], *words[place + 2 :]])
        for altered in (left_out, swapped):
            if altered not in turn.text:
                yield f"{frame}: {marks.format(altered)} [{turn.id}]"
    other = chance.choice([one for one in turns if one.language == turn.language and one is not turn])
    yield f"{frame}: {marks.format(other.text)} [{turn.id}]"


MAKERS: dict[str, Maker] = {
    "digit": digit,
    "unit": unit,
    "magnitude": magnitude,
    "date": day,
    "name": name,
    "choice": choice,
    "negation": negation,
    "attribution": attribution,
    "identifier": identifier,
    "quotation": quotation,
}


def lies(truths: Sequence[tuple[str, Told, Turn]], *, seed: int, most: int) -> list[Lie]:
    """At most ``most`` lies of each kind and language, in the order of chance; the same ones for the same seed."""
    chance = random.Random(seed)
    turns = list(dict.fromkeys(turn for _, _, turn in truths))
    said = {text for text, _, _ in truths}
    everything = "\n".join(turn.text for turn in turns)
    made: list[Lie] = []
    for kind, maker in MAKERS.items():
        for language in ("en", "zh"):
            found = {
                text: Lie(kind, text, truth, turn, _is_elsewhere(text, truth, everything))
                for truth, told, turn in truths
                if turn.language == language
                for text in maker(truth, told, turn, chance, turns)
                if text not in said and _differs(text, truth, kind)
            }
            made += chance.sample(list(found.values()), min(most, len(found)))
    return made


def _differs(text: str, truth: str, kind: str) -> bool:
    """Whether a text says something else than the truth, and not only in other digits."""
    if text == truth or "美美" in text:
        return False
    if kind not in {"digit", "unit", "magnitude"}:
        return True
    return [(v.normal, v.unit) for v in find_values(text)] != [(v.normal, v.unit) for v in find_values(truth)]


def _is_elsewhere(text: str, truth: str, everything: str) -> bool:
    """Whether the words of a lie that the truth does not have occur in the evidence."""
    pieces = re.findall(r"[A-Za-z]+|[\d.,:-]+|[\u4e00-\u9fff]{2}", text)
    new = [piece for piece in pieces if piece not in truth]
    return bool(new) and any(piece in everything for piece in new)


def _shifted(written: str, shift: int, *, last: bool) -> str:
    """A date or time with its last or first number raised or lowered."""
    places = list(re.finditer(r"\d+", written))
    if not places:
        return written
    place = places[-1 if last else 0]
    return f"{written[: place.start()]}{int(place.group()) + shift}{written[place.end() :]}"


def _numbers(text: str) -> list[Value]:
    return [value for value in find_values(text) if value.kind in {"number", "amount", "quantity", "percent"}]


def _other_digit(written: str, chance: random.Random) -> str:
    places = [place for place, character in enumerate(written) if character.isdigit()]
    if not places:
        return ""
    place = chance.choice(places)
    new = chance.choice([one for one in "123456789" if one != written[place]])
    return written[:place] + new + written[place + 1 :]


def _same(written: str, value: Value) -> bool:
    return any(other.normal == value.normal for other in find_values(written))


def _replaced(text: str, value: Value, written: str) -> str:
    return text[: value.span.start] + written + text[value.span.end :]
