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

_CONTINUED: frozenset[Wants] = frozenset({"moved", "compare", "changes"})
"""What a follow-up that only names another number goes on with."""
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

    @property
    def spoken_of(self) -> bool:
        """Whether it speaks of some document, known or not."""
        return bool(self.named.kinds or self.named.unknown)


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
    if not _is_about_clauses(reading):
        return None
    asked = reading.asked
    wants = _wants(reading)
    base = Condition(wants, numbers=asked.numbers, versions=asked.versions, topic=reading.topic, rest=asked.rest)
    if wants == "topic":
        base = _on_topic(base, blanked(asked.remaining, list(named.spans)))
    meant = _documents(reading, shelf)
    if isinstance(meant, _Missing):
        if wants == "scope" and meant.trouble == "which_document":
            return None  # any of them may answer
        return replace(base, trouble=meant.trouble, said=meant.said, candidates=meant.candidates)
    return _with_versions(base, meant, editions)


def _on_topic(base: Condition, rest: str) -> Condition:
    """The condition with the category that the words of a topic name, and these words as they were written."""
    worded = (token.text for token in tokenize(rest) if not token.cjk and token.stem in base.topic)
    said = " ".join((*worded, *(word for word in base.topic if not word.isascii())))
    return replace(base, category=asked_category(rest), said=said)


def _is_document(word: str, shelf: Sequence[Family]) -> bool:
    """Whether a word is one of the name of a document: "what does GDPR say" asks no person."""
    return any(word in name.split() for family in shelf for name in aliases(family))


def _continued(reading: _Reading) -> _Reading:
    """A follow-up takes from the answer before it what it leaves out: number, version and wish."""
    asked, focus = _with_clause(reading.asked, reading.focus), reading.focus
    reading = replace(reading, asked=asked)
    if focus is None or not (reading.elliptic or asked.rest):
        return reading
    others = _names_others(reading, focus)
    whole = asked.wants in _OF_WHOLES and not (asked.follow_up or asked.points_back)
    if not asked.numbers and not whole and _leans(reading, others=others):
        asked = replace(asked, numbers=focus.numbers, strong=True)
    if not asked.versions and not others and _keeps_version(reading, focus):
        asked = replace(asked, versions=focus.versions)
    return replace(reading, asked=replace(asked, wants=_continued_wish(asked, focus, others=others)))


def _keeps_version(reading: _Reading, focus: Condition) -> bool:
    """Whether the version goes on: not where a document is named anew, nor those of a comparison by itself."""
    goes_on = reading.asked.follow_up or reading.asked.points_back
    single = focus.wants not in _CONTINUED or goes_on
    return focus.trouble != "no_version" and single and (goes_on or not reading.named.keys)


def _names_others(reading: _Reading, focus: Condition) -> bool:
    """Whether another document is named, or one at last to the question which was meant."""
    asked_back = focus.trouble in {"which_document", "no_document"} and bool(reading.named.kinds)
    return asked_back or (bool(reading.named.keys) and set(reading.named.keys) != set(focus.keys))


def _continued_wish(asked: Asked, focus: Condition, *, others: bool) -> Wants:
    """The wish of "and clause 6?" is that of the answer before; another document or version begins anew."""
    plain = asked.wants == "text" and bool(asked.numbers) and asked.follow_up and not asked.rest
    anew = others or asked.versions != focus.versions
    return focus.wants if plain and not anew and focus.wants in _CONTINUED else asked.wants


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


def _is_about_clauses(reading: _Reading) -> bool:
    """Whether a question is for the documents of clauses at all; any other is answered as if there were none."""
    asked, named = reading.asked, reading.named
    if named.keys or named.ambiguous:
        return True
    if asked.numbers:
        return _numbers_clauses(reading)
    if asked.wants in _OF_WHOLES:
        return reading.spoken_of or (_of_whole(reading) and not reading.topic)
    return asked.wants == "topic" and bool(named.kinds) and bool(reading.topic)


def _numbers_clauses(reading: _Reading) -> bool:
    """Whether numbers are of clauses: "and the second one?" goes on with what was listed last, unless that was one."""
    asked = reading.asked
    if reading.spoken_of or (asked.strong and not asked.follow_up):
        return True
    return reading.focus is not None and (asked.strong or asked.follow_up)


def _of_whole(reading: _Reading) -> bool:
    asked = reading.asked
    return asked.of_versions or asked.wants in {"list", "count"} or reading.focus is not None


def _wants(reading: _Reading) -> Wants:
    asked = reading.asked
    if not asked.numbers and asked.wants == "compare":
        return "topic" if reading.topic and reading.named.keys else "scope"
    if not asked.numbers:
        whole = asked.wants in _OF_WHOLES or (asked.wants == "topic" and bool(reading.topic))
        return asked.wants if whole else "scope"
    several = len(reading.named.keys) > 1 and not asked.versions
    return "compare" if several and asked.wants in {"changes", "text"} else asked.wants


# --- Documents --------------------------------------------------------------------------------------------------------


def _documents(reading: _Reading, shelf: Sequence[Family]) -> list[Family] | _Missing:
    asked, named = reading.asked, reading.named
    if named.unknown and (not named.keys or asked.wants == "compare"):
        return _unknown(named, shelf)
    if named.keys:
        return [*_of_keys(named.keys, shelf), *_beside(reading, shelf)]
    possible = _of_keys(named.ambiguous, shelf) or _possible(named, _changeable(asked, shelf))
    if not possible:
        return _Missing("no_document", " / ".join(named.kinds), _handles(shelf))
    if len(possible) == 1 or asked.both:
        return possible
    spoken_of = () if reading.focus is None else reading.focus.keys
    return _of_keys(spoken_of, possible) or _Missing("which_document", "", _handles(possible))


def _beside(reading: _Reading, shelf: Sequence[Family]) -> list[Family]:
    """What a comparison names by its kind alone, beside a name: "contract A and the lease"."""
    if reading.asked.wants != "compare":
        return []
    only = [found[0] for kind in reading.named.kinds if len(found := of_kind(shelf, kind)) == 1]
    return [family for family in only if family.key not in reading.named.keys]


def _unknown(named: Named, shelf: Sequence[Family]) -> _Missing:
    """A name that no document has, with the documents of its kind."""
    alike = [family for kind in named.unknown_kinds for family in of_kind(shelf, kind)]
    return _Missing("no_document", " / ".join(named.unknown), _handles(alike or shelf))


def _of_keys(keys: Sequence[str], families: Sequence[Family]) -> list[Family]:
    known = {family.key: family for family in families}
    return [known[key] for key in keys if key in known]


def _changeable(asked: Asked, shelf: Sequence[Family]) -> Sequence[Family]:
    """Only what has more than one version can have changed."""
    if asked.wants != "changes" or asked.numbers:
        return shelf
    return [family for family in shelf if len(family.versions) > 1] or shelf


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
    current = editions.choose(family, AskedVersion(place=-1))
    forward = asked.since or (asked.place or 0) > 0 or asked.place == -2
    if forward and current is not None:
        return [chosen, current]
    began = editions.within(family, asked) if asked.held else []
    before = editions.before(family, began[0] if began else chosen)
    return list(filter(None, (chosen, current) if before is None else (before, chosen)))
