"""Whether a text contains a name or a value, however it is written."""

import functools
import re
from collections.abc import Iterable

from ..language.folding import fold
from ..language.tokens import tokenize
from ..language.values import Value, find_values

_SHORTEST_PREFIX = 3


class Mention:
    """A name or a value that texts are searched for."""

    def __init__(self, wanted: str) -> None:
        """Prepare the search for ``wanted``: folded, word by word up to inflection, and as a value."""
        folded = fold(wanted).strip()
        words = r"\s+".join(map(re.escape, folded.split()))
        before = r"(?<![0-9a-z])" if folded[:1].isascii() and folded[:1].isalnum() else ""
        after = r"(?![0-9a-z])" if folded[-1:].isascii() and folded[-1:].isalnum() else ""
        self._pattern = re.compile(f"{before}{words}{after}")
        self._stems = [token.stem for token in tokenize(wanted)]
        self._value = _as_value(wanted)

    def found_in(self, text: str) -> bool:
        """Whether the text contains it."""
        folded = fold(text)
        return (
            self._pattern.search(folded) is not None
            or self._said_otherwise(text, folded)
            or self._valued_alike(text, folded)
        )

    def _said_otherwise(self, text: str, folded: str) -> bool:
        """Whether the same words stand there in another inflection."""
        if not self._stems or any(stem[:_SHORTEST_PREFIX] not in folded for stem in self._stems):
            return False
        stems = [token.stem for token in tokenize(text)]
        width = len(self._stems)
        return any(stems[start : start + width] == self._stems for start in range(len(stems) - width + 1))

    def _valued_alike(self, text: str, folded: str) -> bool:
        """Whether the same number, amount, date or identifier stands there in another notation."""
        if self._value is None or not _numeral().search(folded):
            return False
        return any(_alike(self._value, other) for other in find_values(text))


def in_any(mentions: Iterable[Mention], text: str) -> bool:
    """Whether a text contains one of the mentions."""
    return any(mention.found_in(text) for mention in mentions)


def _as_value(wanted: str) -> Value | None:
    """The value that ``wanted`` is as a whole, if it is one."""
    found = find_values(wanted)
    if len(found) != 1 or len(found[0].text.strip()) < len(wanted.strip()):
        return None
    return found[0]


def _alike(one: Value, other: Value) -> bool:
    return one.normal == other.normal and (one.unit is None or other.unit is None or one.unit == other.unit)


@functools.cache
def _numeral() -> re.Pattern[str]:
    """What every value that is no plain word has in it: a digit, a numeral, or a sign of an address."""
    english = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|twenty|thirty|forty|fifty"
    return re.compile(
        rf"[0-9@〇零一二两三四五六七八九十百千万亿]|{english}|sixty|seventy|eighty|ninety|hundred|thousand|million"
    )
