"""What a document is: its title, and whether it is a contract, a statute or a policy, or nothing of the kind."""

import functools
import re
from pathlib import PurePath

from ..language import resources
from ..language.folding import fold
from .dating import dates_in, read_label
from .markers import Line, is_short
from .numbers import pattern
from .records import EntityType

_TYPES: tuple[EntityType, ...] = ("contract", "policy", "statute")
_TITLE_LINES = 8
_FRONT_TITLE = re.compile(r"title\s*:\s*[\"']?(.+?)[\"']?\s*")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_TRAILING = re.compile(r"(?:[\s_(（\[【,.-]*(?:v|ver|version|no|rev)?\.?\s*\d[\d.年月日/-]*[\s)）\]】]*)+$")
_LEAST_HINTS = 2


@functools.cache
def _types(table: str) -> dict[str, re.Pattern[str]]:
    entries = resources.load("clauses")[table]
    return {name: re.compile(words) for name, words in entries.items()}


def title_of(text: str, lines: list[Line]) -> str:
    """The title: of the front matter, else the first heading, else a first line that is as short as one."""
    first, _, rest = text.partition("\n")
    if first.strip() == "---":
        for entry in rest.split("\n"):
            if entry.strip() == "---":
                break
            named = _FRONT_TITLE.fullmatch(entry.strip())
            if named:
                return named[1].strip()
    for line in lines[:_TITLE_LINES]:
        if line.style.level:
            return _plain(line.content.cut(text))
    if lines and is_short(lines[0].content.cut(text)):
        return _plain(lines[0].content.cut(text))
    return ""


def _plain(words: str) -> str:
    """A heading without the marks of links and emphasis."""
    return _LINK.sub(r"\1", words).strip(" *_")


def kind_of_title(words: str) -> str | None:
    """``contract``, ``policy``, ``statute`` or ``none`` by the last telling word; ``None`` where no word tells."""
    folded = _TRAILING.sub("", re.sub(r"[_-]+", " ", fold(words)).strip())
    found = [
        (match.end(), len(match.group()), name)
        for name, words_of in _types("types").items()
        for match in words_of.finditer(folded)
    ]
    return max(found)[2] if found else None


def titled_type(title: str, name: str) -> EntityType | None:
    """What the title says, else the file's name."""
    stem = PurePath(name).stem
    said = kind_of_title(title) or kind_of_title(stem)
    # A name with both a version and a date is one of a series, and what is kept so are rules.
    series = "policy" if said is None and read_label(stem) and dates_in(stem) else None
    return next((one for one in _TYPES if one in (said, series)), None)


def is_other(title: str, name: str) -> bool:
    """Whether title or name say that it is no such document: a manual, a report."""
    return (kind_of_title(title) or kind_of_title(PurePath(name).stem)) == "none"


def hinted_type(text: str) -> EntityType | None:
    """What the text says of itself, again and again."""
    folded = fold(text)
    counts = {one: len(_types("hints")[one].findall(folded)) for one in _TYPES}
    best = max(_TYPES, key=lambda one: counts[one])
    return best if counts[best] >= _LEAST_HINTS else None


def settled_type(said: EntityType | None, text: str) -> EntityType | None:
    """The type in the end: a 规定 or 办法 of a company is a policy, and what no title names is what its text says."""
    if said == "statute" and pattern("of_a_company").search(fold(text)):
        return "policy"
    return said or hinted_type(text)
