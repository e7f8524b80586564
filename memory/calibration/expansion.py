"""The floor's rewrite of a question: a few queries in the words that memories use, and what the recall prefers."""

import re
from collections.abc import Iterable, Sequence

from ..language import resources
from ..language.folding import fold
from ..language.lexicon import synonyms
from ..language.talk import TALK, lines_of
from ..records import MATTER, Query, RecallFilter
from . import wording
from .asked import Question
from .fit import people
from .validity import spoken

_MOST_QUERIES = 5
_MOST_SYNONYMS = 3
_MOST_PHRASES = 2
_MOST_WORDS = 12
_LAST_LINES, _FADES = 4, 0.8
"""Lines of a talk that are looked for by themselves, and what each counts of the one after it."""
_WHO = 4.0
"""What it counts that a memory names somebody of whom a talk speaks."""
_ONLY_ASKS = re.compile(r"\b(?:do|does|did)\b|[?？]")


def expand(question: Question) -> tuple[list[Query], RecallFilter]:
    """Three to five queries, the question itself first, and the filter that goes with them.

    Returns:
        Queries without duplicates, and a filter without the caller's own limits (the current turn, ``--as-of``).
    """
    if question.talk:
        return _of_talk(question.text), RecallFilter()
    content = [
        *question.names,
        *(spoken(e) for e in (question.entity,) if e),
        *question.identifiers,
        *_plain(question.terms),
    ]
    queries = [
        Query(question.text),
        Query(_matter(question), 1.0, MATTER),
        Query(" ".join(content), 1.0, "content"),
        Query(" ".join(_synonyms(question)), 0.6, "synonyms"),
        Query(" ".join(_topic(question)), 0.8, "topic"),
        Query(" ".join(_entities(question)), 0.5, "entities"),
    ]
    unique: dict[str, Query] = {}
    for query in queries:
        if query.text.strip():
            unique.setdefault(" ".join(query.text.split()), query)
    return list(unique.values())[:_MOST_QUERIES], _filter(question)


def _of_talk(text: str) -> list[Query]:
    """The whole stretch, who is named in it, and its last lines, the nearer the heavier."""
    named = " ".join(sorted(people(text), key=fold(text).find))
    last = lines_of(text)[::-1][:_LAST_LINES]
    lines = (Query(line, _FADES**age, TALK) for age, line in enumerate(last))
    return [Query(text, 2.0, TALK), *([Query(named, _WHO, "entities")] if named else []), *lines]


def hop(question: Question, entities: Sequence[str]) -> list[Query]:
    """One further query: the question's words with the names that the first retrieval brought up."""
    if not entities or question.talk:
        return []
    return [Query(" ".join((*entities, *_plain(question.terms))), 0.8, "hop")]


def _plain(terms: Iterable[str]) -> list[str]:
    return [term.removeprefix("#") for term in terms]


def _synonyms(question: Question) -> list[str]:
    """Each content word's nearest relatives, and the phrases of the attributes, in both languages."""
    words: dict[str, None] = {}
    for attribute in question.attributes:
        words.update(dict.fromkeys(_phrases(attribute)))
    for term in question.terms:
        words.update(dict.fromkeys(_alternating(synonyms(term))[:_MOST_SYNONYMS]))
    if question.asks in {"more", "less"}:
        words.update(dict.fromkeys(sorted(wording.implied("amount"))))
    return list(words)[:_MOST_WORDS]


def _phrases(attribute: str) -> list[str]:
    """The commonest phrases of an attribute, which stand first in the lexicon, of both languages."""
    entry = resources.load("attributes")["attributes"].get(attribute, {})
    return [str(phrase) for language in ("zh", "en") for phrase in entry.get(language, ())[:_MOST_PHRASES]]


def _alternating(words: Iterable[str]) -> list[str]:
    """Words of both scripts in turn, so that a cut keeps some of each."""
    latin = sorted(word for word in words if word.isascii())
    other = sorted(word for word in words if not word.isascii())
    mixed = [word for pair in zip(latin, other, strict=False) for word in pair]
    shorter = min(len(latin), len(other))
    return mixed + latin[shorter:] + other[shorter:]


def _topic(question: Question) -> list[str]:
    """What a follow-up points back to: the listed things for an ordinal, the topic otherwise."""
    if question.ordinal is not None:
        return [listed.quote for listed in question.listed][:4]
    if question.entity:
        return [spoken(question.entity), *_plain(question.terms)]
    return []


def _matter(question: Question) -> str:
    """What the question is about, without the words that ask and without the speaker whom it names.

    What answers does not ask, and a name draws the vector of a question to all that its bearer said.
    """
    if not question.terms and set(question.names) <= {question.speaker}:
        return ""
    rest = wording.pattern("ask_words").sub(" ", fold(question.text))
    speakers = _speakers(question)
    if speakers is not None:
        rest = speakers.sub(" ", rest)
    return " ".join(_ONLY_ASKS.sub(" ", rest).split())


def _entities(question: Question) -> list[str]:
    return [*question.names, *question.identifiers, *question.owners]


def _speakers(question: Question) -> re.Pattern[str] | None:
    """The speaker whom a question names, with the names that it joins to theirs ("Ana and Bo's")."""
    if question.speaker is None:
        return None
    name, joined = "|".join(map(_whole, question.names)), wording.pattern("joins_names").pattern
    return re.compile(f"(?:(?:{name}){joined})*{_whole(question.speaker)}(?:{joined}(?:{name}))*")


def _whole(name: str) -> str:
    bare = re.escape(name)
    return rf"(?<![a-z0-9]){bare}(?:['’]s)?(?![a-z0-9])" if name.isascii() else bare


def _beside(question: Question) -> tuple[str, ...]:
    """The names that a question joins to its speaker's."""
    speakers = _speakers(question)
    together = speakers.search(fold(question.text)) if speakers else None
    others = [name for name in question.names if name != question.speaker]
    return tuple(name for name in others if together and re.search(_whole(name), together.group()))


def _filter(question: Question) -> RecallFilter:
    entities = (*question.identifiers, *question.names, *((question.entity,) if question.entity else ()))
    ranged = question.as_of is None and question.asks != "when"
    return RecallFilter(
        as_of=question.as_of,
        speaker=question.speaker,
        beside=_beside(question),
        time_from=question.time_from if ranged else None,
        time_to=question.time_to if ranged else None,
        entities=tuple(dict.fromkeys(entities)),
        kinds=question.kinds,
        has_decision=question.decided,
        history=question.history,
    )
