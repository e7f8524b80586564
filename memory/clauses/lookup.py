"""From what a question says to what it means: the documents, their versions and the numbers, or what stands against it.

Nothing here is found by likeness. A document is named or it is the one spoken of last; a version is named or it is the
one in force; and what cannot be told is asked back with its candidates.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..knowledge.rows import Document
from ..language.tokens import tokenize
from .asking import blanked, topic_in
from .categories import asked_category
from .condition import Asked, AskedVersion, Condition, Trouble, Wants
from .editions import Editions
from .mentioned import Named, aliases, find_documents, of_kind
from .records import ClauseNumber
from .rows import Family

_MOST_CANDIDATES = 8
_FEW = 2
"""Words that may stand beside a name in an answer to "which one?"."""
_OF_WHOLES: frozenset[Wants] = frozenset({"changes", "versions", "list", "count"})
"""What can be wanted of a document without a number of a clause."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A question read among documents, before it is known whether it can be met."""

    asked: Asked
    named: Named
    topic: tuple[str, ...]
    focus: Condition | None

    @property
    def elliptic(self) -> bool:
        """Whether it leaves out what it is about: "and clause 6?", "in the 2017 version?"."""
        if self.asked.follow_up or self.asked.points_back:
            return True
        return not self.topic and (not self.named.spans or self.bare)

    @property
    def bare(self) -> bool:
        """Whether it is hardly more than the names, numbers and versions in it: "contract A", A合同吧."""
        return len(tokenize(blanked(self.asked.remaining, list(self.named.spans)))) <= _FEW


@dataclass(frozen=True, slots=True)
class _Missing:
    trouble: Trouble
    said: str
    candidates: tuple[str, ...]


def resolve(
    asked: Asked, shelf: Sequence[Family], editions: Editions, focus: Condition | None = None
) -> Condition | None:
    """What a question means among the user's documents; ``None`` where it is no question about clauses.

    Args:
        asked: what its words say.
        shelf: the user's documents of clauses, one at least.
        editions: chooses versions, at the time asked about.
        focus: what the last answer in the conversation was about, where that was clauses.
    """
    named = find_documents(asked.remaining, shelf)
    if asked.sayer and not _is_document(asked.sayer, shelf):
        return None
    topic = topic_in(blanked(asked.remaining, list(named.spans)))
    reading = _continued(_Reading(asked, named, topic, focus))
    if not _is_about_clauses(reading, shelf):
        return None
    asked = reading.asked
    wants = _wants(reading)
    base = Condition(wants, numbers=asked.numbers, versions=asked.versions, topic=reading.topic, rest=asked.rest)
    if wants == "topic":
        base = replace(base, category=asked_category(blanked(asked.remaining, list(named.spans))))
    meant = _documents(reading, shelf)
    if isinstance(meant, _Missing):
        if wants == "scope" and meant.trouble == "which_document":
            return None  # any of them may answer
        return replace(base, trouble=meant.trouble, said=meant.said, candidates=meant.candidates)
    return _with_versions(base, meant, editions)


def _is_document(word: str, shelf: Sequence[Family]) -> bool:
    """Whether a word is one of the name of a document: "what does GDPR say" asks no person."""
    return any(word in name.split() for family in shelf for name in aliases(family))


def _continued(reading: _Reading) -> _Reading:
    """A follow-up takes from the answer before it what it leaves out: wish, number, version."""
    asked, focus = _with_clause(reading.asked, reading.focus), reading.focus
    if focus is None or not (reading.elliptic or asked.rest):
        return replace(reading, asked=asked)
    asked_back = focus.trouble in {"which_document", "no_document"} and bool(reading.named.kinds)
    others = asked_back or (bool(reading.named.keys) and set(reading.named.keys) != set(focus.keys))
    whole = asked.wants in _OF_WHOLES and not (asked.follow_up or asked.points_back)
    if not asked.numbers and not whole and _leans(reading, others=others):
        asked = replace(asked, numbers=focus.numbers, strong=True)
    if not asked.versions and not others and focus.trouble != "no_version":
        asked = replace(asked, versions=focus.versions)
    if asked.wants == "text" and asked.numbers and asked.follow_up and not asked.rest:
        kept = focus.wants if focus.wants in {"moved", "compare", "changes"} else "text"
        asked = replace(asked, wants="text" if others or asked.versions != focus.versions else kept)
    return replace(reading, asked=asked)


def _leans(reading: _Reading, *, others: bool) -> bool:
    """Whether a question without a number means the one before: it names another version or document, or says "it"."""
    asked = reading.asked
    return bool(asked.versions or asked.points_back or asked.rest or (others and not reading.topic))


def _with_clause(asked: Asked, focus: Condition | None) -> Asked:
    """第二款 by itself is one of the clause spoken of, or else what the document counts by."""
    before = focus.numbers[0].at if focus is not None and focus.numbers else None
    numbers = []
    for number in asked.numbers:
        if number.at.parts:
            numbers.append(number)
        elif before is not None and number.paragraph is not None:
            numbers.append(replace(number, at=before))
        else:
            numbers.append(replace(number, at=ClauseNumber((number.paragraph or 0,)), paragraph=None))
    return replace(asked, numbers=tuple(numbers))


def _is_about_clauses(reading: _Reading, shelf: Sequence[Family]) -> bool:
    """Whether a question is for the documents of clauses at all; any other is answered as if there were none."""
    asked, named, focus = reading.asked, reading.named, reading.focus
    spoken_of = bool(named.kinds or named.unknown)
    if named.keys or named.ambiguous:
        return True
    if asked.numbers:
        # "and the second one?" goes on with what was listed last, unless that was a clause.
        alone = asked.strong and not asked.follow_up
        return spoken_of or alone or (focus is not None and (asked.strong or asked.follow_up))
    if asked.wants in _OF_WHOLES:
        said = asked.of_versions or asked.wants in {"list", "count"} or focus is not None
        return spoken_of or (said and not reading.topic)
    return asked.wants == "topic" and bool(named.kinds) and bool(reading.topic)


def _wants(reading: _Reading) -> Wants:
    asked = reading.asked
    if len(reading.named.keys) > 1 and asked.numbers and asked.wants in {"changes", "text"} and not asked.versions:
        return "compare"
    if asked.numbers:
        return asked.wants
    return asked.wants if asked.wants in _OF_WHOLES or (asked.wants == "topic" and reading.topic) else "scope"


# --- Documents --------------------------------------------------------------------------------------------------------


def _documents(reading: _Reading, shelf: Sequence[Family]) -> list[Family] | _Missing:
    asked, named, focus = reading.asked, reading.named, reading.focus
    known = {family.key: family for family in shelf}
    if named.unknown and (not named.keys or asked.wants == "compare"):
        alike = [family for kind in named.unknown_kinds for family in of_kind(shelf, kind)]
        return _Missing("no_document", " / ".join(named.unknown), _handles(alike or shelf))
    if named.keys:
        return [known[key] for key in named.keys]
    if asked.wants == "changes" and not asked.numbers:
        # Only what has more than one version can have changed.
        shelf = [family for family in shelf if len(family.versions) > 1] or shelf
    spoken_of = [known[key] for key in focus.keys if key in known] if focus is not None else []
    possible = [known[key] for key in named.ambiguous] or _possible(named, shelf)
    if not possible:
        return _Missing("no_document", " / ".join(named.kinds), _handles(shelf))
    if len(possible) == 1 or asked.both:
        return possible
    meant = [family for family in spoken_of if family in possible]
    return meant or _Missing("which_document", "", _handles(possible))


def _possible(named: Named, shelf: Sequence[Family]) -> list[Family]:
    """The documents of the kind that is spoken of, or all."""
    if not named.kinds:
        return list(shelf)
    found = [family for kind in named.kinds for family in of_kind(shelf, kind)]
    return list({family.key: family for family in found}.values())


def _handles(families: Sequence[Family]) -> tuple[str, ...]:
    titles = [family.versions[-1].title or family.key for family in families]
    called = (one if titles.count(one) == 1 else family.key for one, family in zip(titles, families, strict=True))
    return tuple(called)[:_MOST_CANDIDATES]


# --- Versions ---------------------------------------------------------------------------------------------------------


def _with_versions(base: Condition, meant: Sequence[Family], editions: Editions) -> Condition:
    """The condition with the versions to read, or with what is wrong about the version that it asks for."""
    keys = tuple(family.key for family in meant)
    base = replace(base, keys=keys)
    chosen: list[Document] = []
    for family in meant:
        found = _versions_of(family, base, editions)
        if isinstance(found, AskedVersion):
            labels = tuple(one.version_label for one in editions.known(family))
            return replace(base, keys=(family.key,), trouble="no_version", said=found.said, candidates=labels)
        chosen += found
    return replace(base, documents=tuple(dict.fromkeys(one.number for one in chosen)))


def _versions_of(family: Family, base: Condition, editions: Editions) -> list[Document] | AskedVersion:
    """The versions of one document that are to be read, the earliest first; or the one asked for that is not there.

    Of a number that moved the first is the version that it is a number of, whichever else there are.
    """
    if base.wants == "versions":
        return editions.known(family)
    if base.wants == "moved":
        return _traced(family, base, editions)
    if base.wants == "changes":
        return _compared(family, base, editions)
    found: list[Document] = []
    for asked in base.versions or (None,):
        document = editions.choose(family, asked)
        if document is None:
            return asked or AskedVersion()
        found.append(document)
    return sorted(found, key=lambda one: one.valid_from) if base.wants == "compare" else found[:1]


def _traced(family: Family, base: Condition, editions: Editions) -> list[Document] | AskedVersion:
    asked = base.versions[0] if base.versions else None
    chosen = editions.choose(family, asked or AskedVersion(place=-2))
    if chosen is None and asked is not None:
        return asked
    known = editions.known(family)
    start = chosen or known[-1]
    return [start, *(one for one in known if one != start)]


def _compared(family: Family, base: Condition, editions: Editions) -> list[Document] | AskedVersion:
    """The two versions that a question about changes sets against each other."""
    chosen: list[Document] = []
    for asked in base.versions:
        document = editions.choose(family, asked)
        if document is None:
            return asked
        chosen.append(document)
    if len(chosen) == 1:
        chosen = _with_other(family, base.versions[0], chosen[0], editions)
    if not chosen:
        current = editions.choose(family, AskedVersion(place=-1))
        previous = editions.choose(family, AskedVersion(place=-2))
        chosen = [one for one in (previous, current) if one is not None]
    return sorted(dict.fromkeys(chosen), key=lambda one: one.valid_from)[-2:] if len(chosen) > 1 else chosen


def _with_other(family: Family, asked: AskedVersion, chosen: Document, editions: Editions) -> list[Document]:
    """The version that one named version is compared with: today's after "since", else the one before it."""
    began = editions.within(family, asked) if asked.held else []
    first = began[0] if began and not asked.since else chosen
    current = editions.choose(family, AskedVersion(place=-1))
    if current is not None and (asked.since or (asked.place or 0) > 0 or asked.place == -2):
        return [chosen, current]
    before = editions.before(family, first)
    return [before, chosen] if before is not None else [chosen, *([current] if current else [])]
