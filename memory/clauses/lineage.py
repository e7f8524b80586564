"""Which clause of one version is which of the next: by its text, then by likeness, then by its number and its place.

A clause that keeps its text keeps its lineage under any number. Of those whose text changed, the likest pairs belong
together where enough of their words agree (``ALIKE``; less under the same number or heading), and what is left between
the same neighbours under the same number is one clause that was rewritten. Everything else is new, or was removed.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..language.folding import CJK, fold
from .records import Clause

ALIKE = 0.5
"""Share of words (pairs of characters in Chinese) that two texts have in common to be one clause under two numbers."""
_ALIKE_IN_PLACE = 0.25
"""The same, under one number or one heading."""
_WITHIN = 0.85
"""Share of the words of a text that are in a longer one which it was extended to."""
_TELLING = 12
"""Words from which on that says something."""
_SAME_PLACE = 0.1
"""What the same number, and the same heading, add to a likeness when pairs compete."""
_WORDS = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")


class Pair(NamedTuple):
    """A clause in two versions."""

    old: Clause
    new: Clause

    @property
    def changed(self) -> bool:
        """Whether its text differs."""
        return self.old.sha256 != self.new.sha256

    @property
    def moved(self) -> bool:
        """Whether its number differs."""
        return self.old.at != self.new.at


@dataclass(frozen=True, slots=True)
class Changes:
    """What happened between two versions, clause by clause; paragraphs and items are part of their clauses."""

    added: tuple[Clause, ...]
    removed: tuple[Clause, ...]
    pairs: tuple[Pair, ...]
    """Every clause that both versions have, in the order of the newer one."""

    @property
    def changed(self) -> tuple[Pair, ...]:
        """Those whose text differs, under whatever number."""
        return tuple(pair for pair in self.pairs if pair.changed)

    @property
    def moved(self) -> tuple[Pair, ...]:
        """Those whose number differs, whatever their text."""
        return tuple(pair for pair in self.pairs if pair.moved)

    @property
    def kept(self) -> tuple[Pair, ...]:
        """Those of which nothing differs."""
        return tuple(pair for pair in self.pairs if not (pair.changed or pair.moved))


def changes(older: Sequence[Clause], newer: Sequence[Clause]) -> Changes:
    """What changed between two versions of one document, by lineage."""
    before, after = _by_lineage(older), _by_lineage(newer)
    return Changes(
        added=tuple(clause for lineage, clause in after.items() if lineage not in before),
        removed=tuple(clause for lineage, clause in before.items() if lineage not in after),
        pairs=tuple(Pair(before[lineage], clause) for lineage, clause in after.items() if lineage in before),
    )


def _by_lineage(version: Sequence[Clause]) -> dict[int, Clause]:
    return {clause.lineage: clause for clause in version if clause.unit == "clause"}


def lineages(versions: Sequence[Sequence[Clause]]) -> dict[int, int]:
    """The lineage of every clause, by the clauses' numbers: the smallest number that one of its versions has.

    Args:
        versions: the clauses of each version, the earliest first.
    """
    of: dict[int, int] = {}
    before: Sequence[Clause] = ()
    gone: dict[tuple[str, str], int] = {}
    for clauses in versions:
        carried = {new.number: of[old.number] for old, new in match(before, clauses)}
        of |= carried
        gone |= {_face(one): of[one.number] for one in before if of[one.number] not in set(carried.values())}
        for clause in (one for one in clauses if one.number not in of):
            # What comes back word for word after it was removed is the clause it was.
            of[clause.number] = gone.pop(_face(clause), clause.number)
        before = clauses
    return _named_by_first(of)


def _named_by_first(of: dict[int, int]) -> dict[int, int]:
    """Every lineage under the smallest number of its clauses, whichever version came first."""
    least: dict[int, int] = {}
    for number, lineage in of.items():
        least[lineage] = min(number, least.get(lineage, number))
    return {number: least[lineage] for number, lineage in of.items()}


def match(older: Sequence[Clause], newer: Sequence[Clause]) -> list[Pair]:
    """The clauses of two versions that belong together, paragraphs and items within their clauses."""
    pairs = _matched(*([clause for clause in version if clause.unit == "clause"] for version in (older, newer)))
    within = [_by_clause(version) for version in (older, newer)]
    for old, new in tuple(pairs):
        pairs += _matched(within[0].get(old.number, []), within[1].get(new.number, []))
    return pairs


def _by_clause(version: Sequence[Clause]) -> dict[int, list[Clause]]:
    """Paragraphs and items by the number of the clause that they stand in: the one before them in the text."""
    found: dict[int, list[Clause]] = {}
    outer = 0
    for clause in version:
        if clause.unit == "clause":
            outer = clause.number
        else:
            found.setdefault(outer, []).append(clause)
    return found


def _face(clause: Clause) -> tuple[str, str]:
    return clause.unit, clause.sha256


def _matched(older: Sequence[Clause], newer: Sequence[Clause]) -> list[Pair]:
    pairs: list[Pair] = []
    for rule in (_same_text, _likest, _same_place):
        pairs += rule(_left(older, pairs), _left(newer, pairs), pairs)
    return pairs


def _same_text(older: Sequence[Clause], newer: Sequence[Clause], _: Sequence[Pair]) -> list[Pair]:
    """Clauses with one text; where several have it ("repealed"), those under one number first, then in order."""
    pairs: list[Pair] = []
    faces: tuple[Callable[[Clause], object], ...] = (lambda one: (_face(one), one.at), _face)
    for face in faces:
        waiting: dict[object, list[Clause]] = {}
        for clause in _left(newer, pairs):
            waiting.setdefault(face(clause), []).append(clause)
        left = _left(older, pairs)
        pairs += [Pair(clause, waiting[face(clause)].pop(0)) for clause in left if waiting.get(face(clause))]
    return pairs


def _left(version: Sequence[Clause], pairs: Sequence[Pair]) -> list[Clause]:
    """The clauses that are in no pair yet."""
    taken = {clause.number for pair in pairs for clause in pair}
    return [clause for clause in version if clause.number not in taken]


def _likest(older: Sequence[Clause], newer: Sequence[Clause], _: Sequence[Pair]) -> list[Pair]:
    """Pairs of clauses whose words agree, the likest first."""
    words = {clause.number: _words_of(clause.text.removeprefix(clause.label)) for clause in (*older, *newer)}
    scored = []
    for old in older:
        for new in newer:
            likeness = _likeness(words[old.number], words[new.number])
            same = (old.at == new.at) + (bool(old.heading) and fold(old.heading) == fold(new.heading))
            if likeness >= (_ALIKE_IN_PLACE if same else ALIKE):
                scored.append((likeness + _SAME_PLACE * same, Pair(old, new)))
    return _greedy(pair for _, pair in sorted(scored, key=lambda one: (-one[0], one[1].old.number, one[1].new.number)))


def _same_place(older: Sequence[Clause], newer: Sequence[Clause], pairs: Sequence[Pair]) -> list[Pair]:
    """What is left under one number or heading between the same neighbours: it was rewritten."""
    placed = [sorted((pair[side].span.start, place) for place, pair in enumerate(pairs)) for side in (0, 1)]
    return _greedy(
        Pair(old, new)
        for old in older
        for new in newer
        if (old.at == new.at or (old.heading and fold(old.heading) == fold(new.heading)))
        and _neighbours(old, placed[0]) & _neighbours(new, placed[1])
    )


def _neighbours(clause: Clause, placed: Sequence[tuple[int, int]]) -> set[int]:
    """The pairs nearest before and behind a clause; -1 and -2 stand for the ends of the text."""
    before = [place for start, place in placed if start < clause.span.start]
    behind = [place for start, place in placed if start > clause.span.start]
    return {before[-1] if before else -1, behind[0] if behind else -2}


def _greedy(pairs: Iterable[Pair]) -> list[Pair]:
    """Pairs in order, each clause in one of them."""
    taken: set[int] = set()
    found = []
    for pair in pairs:
        if not taken & {pair.old.number, pair.new.number}:
            taken |= {pair.old.number, pair.new.number}
            found.append(pair)
    return found


def _words_of(text: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for word in _WORDS.findall(fold(text)):
        counted.update([word] if word.isascii() or len(word) == 1 else map("".join, pairwise(word)))
    return counted


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Twice the words in common over all words (Dice); just alike is what a longer text holds nearly all of."""
    total, common = one.total() + other.total(), (one & other).total()
    shorter = min(one.total(), other.total())
    within = common / shorter if shorter >= _TELLING else 0.0
    return max(2 * common / total if total else 0.0, ALIKE if within >= _WITHIN else 0.0)
