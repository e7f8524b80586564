"""Documents whose pages and fields collide, over a conversation of more than 127 turns: always the right one."""

import re
from collections.abc import Callable

import pytest

from tests.graph.talk import items
from veridical.graph import Resources

Say = Callable[..., str]

LAST = 135
ASKED_AT = (5, 10, 50, 127)
DOCUMENTS = {
    "en": (
        "The id of contract A is HT-2024-001. On page 3 its total is 4,200 euros, and its deposit is 420 euros.",
        "The id of contract B is HT-2024-010. On page 3 its total is 9,900 euros, and its deposit is 990 euros.",
        "The id of contract C is HT-2024-100. On page 3 its total is 1,500 euros, and its deposit is 150 euros.",
    ),
    "zh": (
        "合同甲的编号是HT-2024-001，第3页的总金额是12万元，押金是2万元。",
        "合同乙的编号是HT-2024-010，第3页的总金额是21万元，押金是3万元。",
        "合同丙的编号是HT-2024-100，第3页的总金额是9万元，押金是1万元。",
    ),
}
VALUES = {
    "en": (("HT-2024-001", "4,200", "420"), ("HT-2024-010", "9,900", "990"), ("HT-2024-100", "1,500", "150")),
    "zh": (("HT-2024-001", "12万", "2万"), ("HT-2024-010", "21万", "3万"), ("HT-2024-100", "9万", "1万")),
}
QUESTIONS = {
    "en": (
        ("What is the id of contract A?", 0, 0),
        ("What is the id of contract C?", 2, 0),
        ("What is the total on page 3 of contract B?", 1, 1),
        ("What is the deposit of contract A?", 0, 2),
        ("What is the id of the second contract?", 1, 0),
        ("What is the total of the third contract?", 2, 1),
        ("What is the id of contract D?", None, 0),
    ),
    "zh": (
        ("合同甲的编号是什么？", 0, 0),
        ("合同丙的编号呢？", 2, 0),
        ("合同乙第3页的总金额是多少？", 1, 1),
        ("合同甲的押金是多少？", 0, 2),
        ("第二份合同的编号是什么？", 1, 0),
        ("第三份合同的总金额是多少？", 2, 1),
        ("合同丁的编号是什么？", None, 0),
    ),
}
SPOKEN_OF = {
    "en": (
        ("Let me look at contract {} again: its term is two years.", "What was the id of that contract just now?"),
        ("A", "B", "C"),
    ),
    "zh": (("再看一下合同{}：它的期限是两年。", "刚才那份的编号是多少？"), ("甲", "乙", "丙")),
}
FILLER = {"en": "The weather station reported {} degrees at gate {}.", "zh": "气象站在{}号门测得{}度。"}


def told_of(answer: str, language: str) -> set[int]:
    """Which documents an answer quotes."""
    return {
        place
        for place, values in enumerate(VALUES[language])
        if any(re.search(rf"(?<![\d,]){re.escape(value)}(?![\d,])", answer) for value in values)
    }


@pytest.mark.requirement("C46")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_over_127_turns_every_document_is_told_apart(say: Say, resources: Resources, language: str) -> None:
    said = 0

    def turn(text: str) -> str:
        nonlocal said
        said += 1
        return say(text)

    for text in DOCUMENTS[language]:
        turn(text)
    (look, asked), names = SPOKEN_OF[language]
    for place, point in enumerate(ASKED_AT):
        while said < point - 1:
            turn(FILLER[language].format(said % 7, said + 3))
        for question, right, field in QUESTIONS[language]:
            answer = turn(question)
            assert told_of(answer, language) == (set() if right is None else {right}), (point, question, answer)
            assert right is None or VALUES[language][right][field] in answer, (point, question, answer)
        turn(look.format(names[place % 3]))
        answer = turn(asked)
        assert told_of(answer, language) == {place % 3}, (point, asked, answer)
        assert VALUES[language][place % 3][0] in answer
    assert said >= LAST
    live = {(item.entity, item.value) for item in items(resources) if item.kind == "fact"}
    assert len([value for _, value in live if value in {row[0] for row in VALUES[language]}]) == 3
