"""Whether a text contains a name or a value, however it is written."""

import functools
import re
from collections.abc import Iterable

from ..language.folding import fold
from ..language.tokens import tokenize
from ..language.values import Value, find_values

_SHORTEST_PREFIX = 3
_NUMERIC = frozenset({"number", "amount", "percent", "quantity"})
_SEPARATORS = re.compile(r"[\s,.]")


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
        self._digits = _digits_of(self._value)

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
        if self._value is None or not self._may_hold(folded):
            return False
        return any(_alike(self._value, other) for other in find_values(text))

    def _may_hold(self, folded: str) -> bool:
        """Whether it is worth looking for values: reading them takes a thousand times as long."""
        if _spelled().search(folded):
            return True
        if self._digits is None:
            return any(map(str.isdigit, folded)) or "@" in folded
        # However a number is written in digits (79,190 or 79.19k), its first ones stand there in a row.
        return self._digits in _SEPARATORS.sub("", folded)


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


def _digits_of(value: Value | None) -> str | None:
    """The digits of a number but for zeros at its end, ``None`` for other values."""
    if value is None or value.kind not in _NUMERIC:
        return None
    return _SEPARATORS.sub("", value.normal).strip("-+0") or None


@functools.cache
def _spelled() -> re.Pattern[str]:
    """Numbers written as words."""
    english = (
        "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|teen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
        "|ninety|hundred|thousand|million|dozen"
    )
    return re.compile(rf"[〇零一二两三四五六七八九十百千万亿]|\b(?:{english})")
