"""Two people whom one word means: of several sisters the one in Oslo is not the one in Rome."""

import functools
import re
from collections.abc import Sequence
from itertools import combinations

from ..language import resources
from ..language.folding import fold
from ..language.lexicon import of_relative
from ..records import Item
from .patterns import expand, mapping


def are_two(attribute: str, one: str, other: str) -> bool:
    """Whether two quotations of one attribute of a relative tell of two relatives of that kind.

    They do where each names its own ("my sister Anna", "my sister Eva"), or says which one it is (大姐, 二姐).
    """
    if not of_relative(attribute)[0]:
        return False
    names, others = _names(one), _names(other)
    if names and others:
        return names.isdisjoint(others)
    which, another = _which(one), _which(other)
    return which != another and ("other" in {which, another} or bool(which and another))


def of_several(attribute: str, items: Sequence[Item]) -> bool:
    """Whether items of one attribute are about more than one relative."""
    return any(are_two(attribute, one.quote, other.quote) for one, other in combinations(items, 2))


def of_the_same(attribute: str, quote: str, items: Sequence[Item]) -> list[Item]:
    """Those of the items that a quotation of the same attribute may be about, as far as that can be told."""
    if not of_relative(attribute)[0]:
        return list(items)
    same = [item for item in items if not are_two(attribute, quote, item.quote)]
    return [] if of_several(attribute, same) else same


def _names(quote: str) -> set[str]:
    """What may be the name of the relative that a quotation introduces: "my sister Anna Maria", 我姐姐王芳."""
    found = set()
    for match in _introduced().finditer(quote):
        words = fold(match["en"] or "").split()
        found |= {" ".join(words[:count]) for count in range(1, len(words) + 1)}
        found |= {match["zh"][:count] for count in range(2, len(match["zh"]) + 1)} if match["zh"] else set()
    return found


def _which(quote: str) -> str:
    """Which of several relatives a quotation means, if it says so."""
    match = _told_apart().search(quote)
    return "" if match is None else _whiches()[fold(match["en"] or match["zh"])]


@functools.cache
def _whiches() -> dict[str, str]:
    return {**mapping("en", "which_relative"), **mapping("zh", "which_relative")}


@functools.cache
def _introduced() -> re.Pattern[str]:
    relation, relatives = expand("en", "{relation}"), expand("zh", "{relatives}")
    name = expand("zh", "{surname}") + r"[\u3400-\u9fff]{1,2}"
    return re.compile(
        rf"\b(?i:my|our) (?:[a-z-]+ )?(?i:{relation}),? (?P<en>[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)?)"
        rf"|(?:{relatives})(?:叫|是)?(?P<zh>{name}|[小阿][\u3400-\u9fff]|([\u3400-\u9fff])\3)"
    )


@functools.cache
def _told_apart() -> re.Pattern[str]:
    relation = expand("en", "{relation}")
    english = resources.alternatives(list(mapping("en", "which_relative")))
    chinese = resources.alternatives(list(mapping("zh", "which_relative")))
    return re.compile(rf"\b(?i:my|our) (?P<en>(?i:{english})) (?:[a-z-]+ )?(?i:{relation})\b|(?P<zh>{chinese})")
