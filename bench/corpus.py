"""Synthetic conversations in English and Chinese: deterministic, with word frequencies as language has them."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

_ENGLISH = 6000
_CHINESE = 2500
_SYLLABLES = [
    "ba",
    "be",
    "bo",
    "da",
    "de",
    "do",
    "fa",
    "fi",
    "ga",
    "go",
    "ha",
    "ka",
    "ki",
    "la",
    "le",
    "lo",
    "ma",
    "me",
    "mi",
    "na",
    "ne",
    "no",
    "pa",
    "pe",
    "po",
    "ra",
    "re",
    "ro",
    "sa",
    "se",
    "so",
    "ta",
    "te",
    "to",
    "va",
    "wa",
    "za",
    "zo",
]
_FUNCTION = [
    "the",
    "of",
    "to",
    "and",
    "in",
    "a",
    "is",
    "that",
    "for",
    "it",
    "on",
    "with",
    "as",
    "was",
    "at",
    "be",
    "this",
    "have",
    "from",
    "or",
    "an",
    "by",
]
_PARTICLES = ["的", "了", "在", "是", "和", "也", "就", "都", "我们", "他", "她", "这个", "那个", "今天"]
_PROJECTS = ["Apollo", "Borealis", "Cygnus", "Draco", "Elara", "Fornax", "Gemini", "Hydra", "Icarus", "Juno"]
_FACTS = ("budget", "deadline", "manager", "database", "venue")
_FACTS_ZH = ("预算", "截止日期", "负责人", "数据库", "地点")


@dataclass(frozen=True, slots=True)
class Line:
    """One synthetic utterance."""

    session: str
    text: str
    language: str
    by_user: bool


class Corpus:
    """Sentences of a Zipfian vocabulary; every fiftieth turn states a fact about a project."""

    def __init__(self, seed: int = 7) -> None:
        """Make the vocabulary."""
        self._random = random.Random(seed)
        pick = self._random.choice
        self._english = ["".join(pick(_SYLLABLES) for _ in range(pick((2, 2, 3, 3, 4)))) for _ in range(_ENGLISH)]
        self._chinese = [chr(pick(range(0x4E00, 0x9000))) + chr(pick(range(0x4E00, 0x9000))) for _ in range(_CHINESE)]
        self._weights = [1 / (rank + 8) for rank in range(max(_ENGLISH, _CHINESE))]

    def lines(self, count: int, *, session_length: int = 40) -> Iterator[Line]:
        """``count`` utterances in sessions, user and assistant in turn, about two thirds English."""
        for index in range(count):
            chinese = self._random.random() < 0.35
            text = self._fact(chinese, index) if index % 50 == 0 else self._sentence(chinese)
            yield Line(f"s{index // session_length}", text, "zh" if chinese else "en", index % 2 == 0)

    def questions(self, count: int) -> list[str]:
        """``count`` questions: half about facts, half in words of the vocabulary, both languages."""
        made = []
        for index in range(count):
            chinese = index % 3 == 2
            project = self._random.choice(_PROJECTS)
            if index % 2:
                fact = self._random.choice(_FACTS_ZH if chinese else _FACTS)
                made.append(f"{project}的{fact}是什么？" if chinese else f"What is the {fact} of {project}?")
            else:
                words = self._words(chinese, 4)
                made.append(f"{''.join(words)}是什么？" if chinese else f"When did {project} {' '.join(words)}?")
        return made

    def _fact(self, chinese: bool, index: int) -> str:
        project, amount = self._random.choice(_PROJECTS), 1000 + index
        if chinese:
            return f"{project}的{self._random.choice(_FACTS_ZH)}定为{amount}元"
        return f"The {self._random.choice(_FACTS)} of {project} is {amount} dollars"

    def _sentence(self, chinese: bool) -> str:
        length = self._random.randint(5, 16)
        glue = _PARTICLES if chinese else _FUNCTION
        words = [word for content in self._words(chinese, length) for word in (content, self._random.choice(glue))]
        if self._random.random() < 0.1:
            words.insert(1, self._random.choice(_PROJECTS))
        return "".join(words) if chinese else " ".join(words).capitalize() + "."

    def _words(self, chinese: bool, count: int) -> list[str]:
        vocabulary = self._chinese if chinese else self._english
        return self._random.choices(vocabulary, self._weights[: len(vocabulary)], k=count)
