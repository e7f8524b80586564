"""What a quoted value means: the form in which it is compared."""

import re
from typing import NamedTuple

from ..language.folding import fold
from ..language.values import find_values

_EDGES = " \t\r\n\"'“”‘’「」『』《》<>()（）[]【】,，.。;；:：!！?？~～、"


class Meaning(NamedTuple):
    """A value as it is compared: its normal form, its type, and its unit where it has one."""

    normal: str
    value_type: str = "text"
    unit: str | None = None


def normalise(text: str) -> Meaning:
    """The meaning of a quoted value.

    A number, an amount, a date and the like mean what ``language.values`` says, if nothing else is quoted beside them;
    any other text means itself: folded, without its article and the marks around it.
    """
    bare = text.strip(_EDGES)
    if any(character.isdigit() or character in _NUMERALS for character in bare):
        values = find_values(bare)
        if len(values) == 1 and values[0].span == (0, len(bare)):
            return Meaning(values[0].normal, values[0].kind, values[0].unit)
    folded = " ".join(fold(bare).split())
    return Meaning(re.sub(r"^(?:the|an?) (?=\w)", "", folded) or fold(text))


_NUMERALS = frozenset("〇零一二两三四五六七八九十百千万亿半")
