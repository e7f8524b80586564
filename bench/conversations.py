"""Made-up conversations of any length, the same every time: facts of known answer among talk that follows Zipf's law."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

from veridical.memory.records import NewTurn

USER = "bench"
START = datetime(2024, 1, 1, 8, tzinfo=UTC)
TURNS_PER_SESSION = 40

_SYLLABLES = ["ka", "lo", "mi", "ren", "tas", "vo", "nel", "dri", "pum", "sha", "gor", "bel", "fi", "zet", "qua", "ost"]
_ENGLISH = ["budget", "deadline", "project manager", "database", "office", "supplier"]
_CHINESE = ["预算", "截止日期", "负责人", "数据库", "办公室", "供应商"]
_CHARACTERS = "山水云风花月春秋江河湖海天地人心城门石木金火土田竹梅兰松鹤龙虎马羊鱼鸟星光雨雪雷电声色香味书画琴棋诗酒茶"


def vocabulary(size: int) -> list[str]:
    """Words that no stemmer knows, shorter ones first."""
    rng = np.random.default_rng(1)
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(rng.choice(_SYLLABLES, size=rng.integers(2, 5)))] = None
    return sorted(words, key=len)


WORDS = vocabulary(8000)


def talk(rng: np.random.Generator) -> str:
    """A sentence of six to thirty words, frequent ones frequent."""
    ranks = np.minimum(rng.zipf(1.3, size=rng.integers(6, 30)) - 1, len(WORDS) - 1)
    return " ".join(WORDS[rank] for rank in ranks).capitalize() + "."


def chinese_talk(rng: np.random.Generator) -> str:
    """A sentence of eight to forty Chinese characters."""
    return "".join(rng.choice(list(_CHARACTERS), size=rng.integers(8, 40))) + "。"


def project(number: int) -> str:
    """The name of one of two thousand projects."""
    return WORDS[number % 2000 + 500].capitalize()


def sentence(number: int) -> str:
    """What is said in one turn: every fifth turn states a fact, every third is Chinese."""
    rng = np.random.default_rng(number)
    amount = int(rng.integers(10, 9999)) * 100
    if number % 15 == 0:
        return f"{project(number)}的{_CHINESE[number // 15 % 6]}定为{amount}。{chinese_talk(rng)}"
    if number % 5 == 0:
        return f"The {_ENGLISH[number // 5 % 6]} of {project(number)} is {amount} dollars. {talk(rng)}"
    return chinese_talk(rng) if number % 3 == 0 else talk(rng)


def turns(first: int, last: int) -> Iterator[NewTurn]:
    """The turns of the numbers ``first`` to ``last - 1``."""
    for number in range(first, last):
        text = sentence(number)
        yield NewTurn(
            user_id=USER,
            session_id=f"session-{number // TURNS_PER_SESSION}",
            external_id=f"m{number}",
            role="user",
            source="user_input",
            speaker=USER,
            text=text,
            language="en" if text.isascii() else "zh",
            observed_at=START + timedelta(minutes=7 * number),
            time_zone="UTC",
            act="statement",
        )


def questions(stored: int, count: int) -> list[str]:
    """Questions about facts that are spread over what is stored, in both languages."""
    asked = []
    for index in range(count):
        number = index * stored // count // 15 * 15
        if index % 2:
            asked.append(f"{project(number)}的{_CHINESE[number // 15 % 6]}是多少？")
        else:
            number += 5
            asked.append(f"What is the {_ENGLISH[number // 5 % 6]} of {project(number)}?")
    return asked
