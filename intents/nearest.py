"""What a sentence without a trigger phrase asks for, by the examples that are nearest in meaning."""

import functools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..memory.language.talk import commonplaces
from ..memory.records import Language
from .triggers import Vocabulary

if TYPE_CHECKING:
    from ..memory.retrieval.embedders import Embedder, Matrix

_LANGUAGES: tuple[Language, ...] = ("en", "zh")
ABOVE_TALK = 0.035
"""By so much an example has to be nearer than any everyday line. E5's cosines all lie between .7 and .9."""
ABOVE_OTHERS = 0.012
"""By so much the nearest step has to be nearer than the next, or it cannot be told."""


@dataclass(frozen=True, slots=True)
class Near:
    """The steps that a sentence may ask for, the nearest first; more than one where it cannot be told."""

    steps: tuple[tuple[str, str], ...]


class Examples:
    """The example sentences of all domains, embedded once, when they are first needed."""

    def __init__(self, vocabularies: Mapping[str, Vocabulary], embedder: "Embedder") -> None:
        """Take the domains' examples and the store's embedder."""
        self._vocabularies = vocabularies
        self._embedder = embedder

    @functools.cached_property
    def _lines(self) -> list[tuple[tuple[str, str], str]]:
        return list(_lines(self._vocabularies))

    @functools.cached_property
    def _vectors(self) -> "tuple[Matrix, Matrix]":
        talk = [line for language in _LANGUAGES for line in commonplaces(language)]
        examples = self._embedder.embed_query([text for _, text in self._lines])
        return examples, self._embedder.embed_query(talk)

    def scores(self, text: str, among: Collection[tuple[str, str]]) -> dict[tuple[str, str], float]:
        """How near a text is to the nearest example of each of some steps; those without examples are left out.

        Raises:
            EmbedderFailed: the embedder gave no embedding.
        """
        places = [place for place, (step, _) in enumerate(self._lines) if step in among]
        if not places:
            return {}
        (vector,) = self._embedder.embed_query([text])
        found: dict[tuple[str, str], float] = {}
        for place, score in zip(places, self._vectors[0][places] @ vector, strict=True):
            step = self._lines[place][0]
            found[step] = max(found.get(step, -1.0), float(score))
        return found

    def near(self, text: str) -> Near | None:
        """What a text asks for; ``None`` where everyday talk, or nothing, is as near.

        Raises:
            EmbedderFailed: the embedder gave no embedding.
        """
        if not self._lines:
            return None
        examples, talk = self._vectors
        (vector,) = self._embedder.embed_query([text])
        floor = float(np.max(talk @ vector))
        best: dict[tuple[str, str], float] = {}
        for (step, _), score in zip(self._lines, examples @ vector, strict=True):
            best[step] = max(best.get(step, -1.0), float(score))
        ranked = sorted(best.items(), key=lambda pair: -pair[1])
        top = ranked[0][1]
        if top - floor < ABOVE_TALK:
            return None
        return Near(tuple(step for step, score in ranked[:3] if top - score < ABOVE_OTHERS))


def _lines(vocabularies: Mapping[str, Vocabulary]) -> Iterator[tuple[tuple[str, str], str]]:
    for domain, vocabulary in vocabularies.items():
        for transition in vocabulary.domain.transitions.values():
            for language in _LANGUAGES:
                for text in transition.examples[language]:
                    yield (domain, transition.id), text
