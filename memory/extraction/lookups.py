"""Which live items a turn may mean: of the exchange before it, with a value it quotes, of an attribute it names."""

import functools
import re
from collections.abc import Iterable, Sequence

from ..language import resources
from ..language.folding import fold
from ..language.lexicon import find_attributes
from ..language.values import find_values
from ..records import Item, Turn
from .quoting import Quoted, classes
from .reading import USER, Reading
from .subjects import Subject, identities_in
from .surroundings import Surroundings

_NUMERIC = frozenset(["number", "amount", "quantity", "percent"])
_TEMPORAL = frozenset(["date", "time"])
_CITED = re.compile(r"^(?P<kind>[tf])(?P<number>\d+)$")
_MOST_PHRASES = 200
_UPDATABLE = frozenset(["fact", "choice", "event", "decision", "todo"])


class Lookups:
    """The look-ups of one turn, each made once."""

    def __init__(self, reading: Reading, surroundings: Surroundings) -> None:
        """Look around ``reading``."""
        self.reading = reading
        self.live = surroundings.live
        self._previous = surroundings.previous
        self._quoted: dict[str, list[Item]] = {}

    @functools.cached_property
    def exchange(self) -> Sequence[Item]:
        """Live items of the exchange just before: what the last answer cited, then the last turns of people."""
        found: list[Item] = []
        people = 0
        for turn in reversed(self._previous):
            if turn.role == "assistant":
                found += self._cited(turn.citations) if people == 0 else []
                continue
            people += 1
            if people > 3:
                break
            found += [item for item in reversed(self.live.of_turn(turn.number)) if item.live]
        return _unique(item for item in found if item.kind in _UPDATABLE)

    @functools.cached_property
    def others(self) -> frozenset[str]:
        """The other people who take part in the conversation."""
        return frozenset(fold(turn.speaker) for turn in self._previous if turn.role == "user") - {self.reading.speaker}

    @functools.cached_property
    def antecedent(self) -> Subject | None:
        """The one person or thing that the last turn was about: what "she" or "it" means at the start of this one."""
        last = self.last_turn
        if last is None:
            return None
        names = {item.entity for item in self.exchange if item.turn == last.number} - {self.reading.speaker, USER}
        return Subject(names.pop()) if len(names) == 1 else None

    def numbered_before(self, offset: int) -> str | None:
        """The order, contract or the like that was just named by its number: in the turn up to there, else just before.

        Where two were named, or another is spoken of, it is not known which is meant.
        """
        last = self.last_turn
        here = numbered_in(self.reading.folded[:offset])
        found = here or (numbered_in(fold(last.text)) if last is not None else [])
        return found[0] if len(set(found)) == 1 else None

    @property
    def last_turn(self) -> Turn | None:
        """The last turn of a person before this one."""
        return next((turn for turn in reversed(self._previous) if turn.role == "user"), None)

    def _cited(self, citations: Iterable[str]) -> list[Item]:
        found: list[Item] = []
        for citation in citations:
            match = _CITED.match(citation)
            if match is None:
                continue
            number = int(match["number"])
            if match["kind"] == "f":
                item = self.live.numbered(number)
                found += [item] if item is not None else []
            else:
                found += [item for item in self.live.of_turn(number) if item.live]
        return found

    def quoted(self, text: str) -> list[Item]:
        """Live items whose value stands in a stretch of the turn."""
        if text not in self._quoted:
            self._quoted[text] = self._find_quoted(text)
        return self._quoted[text]

    def _find_quoted(self, text: str) -> list[Item]:
        normals = set(_phrases(text))
        normals.update(value.normal for value in find_values(text))
        for words in classes().values():
            normals |= {other for word in normals & words for other in words if _same_word(word, other)}
        return [
            item
            for item in self.live.with_value(sorted(normals))
            if item.kind in {"fact", "choice"} and self.concerns(item)
        ]

    def of_attributes(self, text: str, entity: str) -> list[Item]:
        """Live items of the attributes that a stretch of the turn names."""
        keys = {mention.key for mention in find_attributes(text)}
        if re.search(r"favou?rite|最喜欢|最爱", text):
            keys |= {f"favorite_{name}" for name, words in classes().items() if any(word in text for word in words)}
        return [item for key in sorted(keys) for item in self.live.about(entity, key)]

    def names(self, item: Item) -> bool:
        """Whether the turn names whom or what an item is about."""
        name = item.entity.rpartition(":")[2]
        return item.entity not in {self.reading.speaker, USER} and name in self.reading.folded

    def is_last(self, item: Item) -> bool:
        """Whether an item stems from the last turn of a person, or was cited by the answer to it."""
        last = self.last_turn
        if last is not None and item.turn == last.number:
            return True
        answer = self._previous[-1] if self._previous else None
        return answer is not None and answer.role == "assistant" and item in self._cited(answer.citations)

    def is_recent(self, item: Item) -> bool:
        """Whether an item stems from one of the last two turns of people, or was cited by the answer just given."""
        people = [turn.number for turn in self._previous if turn.role == "user"][-2:]
        return item.turn in people or self.is_last(item)

    def concerns(self, item: Item) -> bool:
        """Whether the turn may speak of what an item is about: the speaker's own, or somebody that it names."""
        if item.entity in {self.reading.speaker, USER}:
            others = re.search(r"\b(?:his|her|their)\b|[他她]的", self.reading.folded)
            return others is None
        return self.names(item) or any(item.number == other.number for other in self.exchange)


def numbered_in(text: str) -> list[str]:
    """The orders, contracts and the like that a folded text names by their numbers, also "the order number is 5678"."""
    return [entity for entity, _ in identities_in(re.sub(r"(?<=[号码])是|(?<=number) is", " ", text))]


def compatible(item: Item, value: Quoted) -> bool:
    """Whether a value could stand where the item's value stands: of the same sort, and of the same class of words."""
    return alike(item.value_type, item.unit, value) and class_of(item.normal) == class_of(value.normal)


def alike(value_type: str, unit: str | None, value: Quoted) -> bool:
    """Whether values are of one sort, and may measure the same: months and years may, months and chairs may not."""
    times = resources.load("times")["units"]
    measured = unit is None or value.unit is None or (unit in times) == (value.unit in times)
    return measured and _sort_of(value_type) == _sort_of(value.value_type)


def _sort_of(value_type: str) -> str:
    if value_type in _NUMERIC:
        return "number"
    return "time" if value_type in _TEMPORAL else value_type


def class_of(normal: str) -> frozenset[str]:
    """The words that could replace a word; none for a word of no class."""
    return next((words for words in classes().values() if normal in words), frozenset())


def one_subject(items: Iterable[Item]) -> Item | None:
    """The item, where all of them are about one attribute of one entity."""
    found = list(items)
    return found[0] if len({(item.entity, item.attribute) for item in found}) == 1 else None


def _unique(items: Iterable[Item]) -> list[Item]:
    return list({item.number: item for item in items}.values())


def _same_word(word: str, other: str) -> bool:
    """蓝 and 蓝色 are one word."""
    return word != other and word.rstrip("色") == other.rstrip("色")


def _phrases(text: str) -> list[str]:
    """Everything in a text that could be a value: runs of one to three words, runs of one to six characters."""
    folded = fold(text)
    words = re.findall(r"[a-z0-9][\w.'&+#-]*", folded)
    runs = [" ".join(words[start : start + n]) for n in range(1, 4) for start in range(len(words) - n + 1)]
    for run in re.findall(r"[\u3400-\u9fff]+", folded):
        runs += [run[start : start + n] for n in range(1, 7) for start in range(len(run) - n + 1)]
    return runs[:_MOST_PHRASES]
