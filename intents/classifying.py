"""What a turn wants done, by its words: steps by trigger phrases, plans taken back by change words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from ..memory.records import Language, Span
from .force import Force, Heard, Sentence, force_of
from .lexicon import changing, force
from .triggers import Named, Vocabulary, size

Step = tuple[str, str]
"""A step, by its domain and its id."""
WishKind = Literal["step", "restore", "undo", "redo", "withdrawn"]
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_BACK: tuple[WishKind, ...] = ("redo", "restore", "undo")


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing that a turn wants: a step, or that steps be taken back."""

    kind: WishKind
    span: Span
    """The words that say so."""
    part: Span
    """The sentence that they are in."""
    force: Force = "firm"
    steps: tuple[Step, ...] = ()
    """The steps that may be meant; more than one where it cannot be told by the words alone."""
    longest: tuple[Step, ...] = ()
    """Those of them that the longest words name."""


def wishes_in(vocabularies: Mapping[str, Vocabulary], heard: Heard) -> list[Wish]:
    """What a turn wants by its words alone, in the order of the text."""
    found: list[Wish] = []
    for sentence in heard.sentences:
        found += _parted(sorted(_of_sentence(vocabularies, sentence), key=lambda it: it.span), heard.text)
    wanted = any(it.kind in {"step", "restore", "redo"} for it in found)
    # "Never mind, ship it by SF": the step that is wanted says more than that another is not.
    return [it for it in found if not (wanted and it.kind == "undo")]


def _of_sentence(vocabularies: Mapping[str, Vocabulary], sentence: Sentence) -> list[Wish]:
    steps = list(_steps(vocabularies, sentence))
    back = [it for it in _taken_back(sentence) if not any(_outdoes(vocabularies, step, it, sentence) for step in steps)]
    return [*back, *(it for it in steps if not any(it.span.overlaps(other.span) for other in back))]


_SEPARATORS = (re.compile(r"[,，;；、]"), re.compile(r"\b(?:and|then|but)\b|然后|并且|再|另外|同时"))


def _parted(wishes: list[Wish], text: str) -> list[Wish]:
    """Give each wish of a sentence the part of it that says what it is about: "cancel #1 and ship #2 by SF"."""
    edges = [wish.part.start for wish in wishes[:1]]
    for before, after in pairwise(wishes):
        between = (pattern.search(text, before.span.end, after.span.start) for pattern in _SEPARATORS)
        cut = next((match.start() for match in between if match), after.span.start)
        edges.append(cut)
    ends = [*edges[1:], *(wish.part.end for wish in wishes[-1:])]
    return [replace(wish, part=Span(start, end)) for wish, start, end in zip(wishes, edges, ends, strict=True)]


def _outdoes(vocabularies: Mapping[str, Vocabulary], step: Wish, back: Wish, sentence: Sentence) -> bool:
    """Whether what looks like taking back is a step with something that the sentence names: withdraw a contract."""
    if not step.span.overlaps(back.span) or back.kind != "undo":
        return False
    longer = step.span.end - step.span.start >= back.span.end - back.span.start
    return longer and any(vocabularies[domain].names_in(sentence.text) for domain, _ in step.steps)


def _taken_back(sentence: Sentence) -> Iterator[Wish]:
    seen: list[Span] = []
    for kind in _BACK:
        for language in _LANGUAGES:
            for match in changing(language, kind).finditer(sentence.text):
                span = Span(sentence.span.start + match.start(), sentence.span.start + match.end())
                if match.group() and not any(span.overlaps(other) for other in seen) and _is_meant(sentence, span):
                    seen.append(span)
                    yield Wish(kind, span, sentence.span)


def _is_meant(sentence: Sentence, span: Span) -> bool:
    """Whether a plan is to be taken back, and it is not only talked about ("what was the original plan?")."""
    meant = force_of(sentence, span, spoken=True)
    return meant == "firm" or (meant == "asked" and _asks_for(sentence, span))


def _asks_for(sentence: Sentence, span: Span) -> bool:
    before = sentence.text[: span.start - sentence.span.start]
    return bool(force(sentence.language, "possible").search(before))


def _steps(vocabularies: Mapping[str, Vocabulary], sentence: Sentence) -> Iterator[Wish]:
    for group in _grouped(vocabularies, sentence):
        longest = max(size(named.span) for _, named in group)
        named = {(domain, it.transition): it.span for domain, it in group}
        span = next(it for it in named.values() if size(it) == longest)
        span = Span(sentence.span.start + span.start, sentence.span.start + span.end)
        meant: dict[Force, list[Step]] = {}
        for step in named:
            meant.setdefault(_meaning(vocabularies[step[0]], step[1], sentence, span), []).append(step)
        for meaning, steps in meant.items():
            kind: WishKind = "step" if meaning in {"firm", "asked"} else "withdrawn"
            best = tuple(it for it in steps if size(named[it]) == longest)
            if meaning != "none":
                yield Wish(kind, span, sentence.span, meaning, tuple(steps), best)


def _meaning(vocabulary: Vocabulary, transition: str, sentence: Sentence, span: Span) -> Force:
    return force_of(sentence, span, names=vocabulary.names, looks=_looks(vocabulary, transition))


def _looks(vocabulary: Vocabulary, transition: str) -> bool:
    domain = vocabulary.domain
    return domain.states[domain.transitions[transition].to].untouched


def _grouped(vocabularies: Mapping[str, Vocabulary], sentence: Sentence) -> Iterator[list[tuple[str, Named]]]:
    """The steps that the same words name, over all domains; within one domain the longest words count."""
    named = [(domain, it) for domain, words in vocabularies.items() for it in words.named_in(sentence.text)]
    named = [pair for pair in named if not _is_alien(vocabularies[pair[0]], sentence, pair[1].span)]
    kept = sorted(_without_takers(named, sentence), key=lambda pair: pair[1].span)
    while kept:
        span = kept[0][1].span
        yield [pair for pair in kept if pair[1].span.overlaps(span)]
        kept = [pair for pair in kept if not pair[1].span.overlaps(span)]


def _without_takers(named: Sequence[tuple[str, Named]], sentence: Sentence) -> list[tuple[str, Named]]:
    """Without the "cancel" of "cancel my return": it takes the step after it back, and is none itself."""
    takers = []
    for _, one in named:
        before = force(sentence.language, "takes_back").search(sentence.text[: one.span.start])
        if before:
            takers += [it for _, it in named if Span(*before.span()).overlaps(it.span)]
    return [pair for pair in named if pair[1] not in takers]


def _is_alien(vocabulary: Vocabulary, sentence: Sentence, span: Span) -> bool:
    """Whether the words go on with something that is no business of the domain: "cancel my gym membership"."""
    match = force(sentence.language, "things").match(sentence.text[span.end :])
    if match is None:
        return False
    thing = Span(span.end + match.start("thing"), span.end + match.end("thing"))
    own = [it for it in vocabulary.names_at(sentence.text, span.start) if not it.overlaps(thing) or it.end == thing.end]
    return not own
