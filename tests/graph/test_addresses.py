"""Documents whose pages and fields collide: each is told right, however it was written down, at any distance."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.graph.talk import abstains
from veridical.graph import Resources
from veridical.memory.records import NewTurn

Say = Callable[..., str]

COLLIDING = {
    ("AK-204", "3", "TOTAL_AMT"): ("$48,500", "4.85万元"),
    ("AK-204", "3", "DEPOSIT_AMT"): ("$2,850", "2850元"),
    ("AK-204", "7", "TOTAL_AMT"): ("$9,120", "9120元"),
    ("AK-240", "3", "TOTAL_AMT"): ("$84,500", "8.45万元"),
    ("AK-240", "3", "DEPOSIT_AMT"): ("$2,580", "2580元"),
    ("BK-204", "3", "TOTAL_AMT"): ("$45,800", "4.58万元"),
    ("BK-204", "7", "PENALTY_RATE"): ("0.5%", "0.5%"),
}
WRITTEN = {
    "marks": ("[DOC_ID:{0}][PAGE:{1}][FIELD:{2}] {3}", 0),
    "marks and words": ("Noting this down: [DOC_ID:{0}][PAGE:{1}][FIELD:{2}], it says {3}.", 0),
    "prose": ("In {0}, page {1}, {2} is {3}.", 0),
    "Chinese marks": ("先记一下：[DOC_ID:{0}][PAGE:{1}][FIELD:{2}] {3}。", 1),
    "Chinese prose": ("{0}第{1}页的{2}是{3}。", 1),
}
ASKED = (
    "What is {2} on page {1} of {0}?",
    "For {0}, page {1}, what stands in the field {2}?",
    "{0} page {1} {2}?",
    "[DOC_ID:{0}][PAGE:{1}][FIELD:{2}]: what does it say?",
    "{0}第{1}页的{2}是多少？",
    "文档{0}，第{1}页，字段{2}写的是多少？",
)


def _remember(resources: Resources, texts: list[str]) -> None:
    turns = [
        NewTurn(
            "ann", "s1", f"x{place}", "user", "user_input", "user", text, "en", resources.clock(), "UTC", "statement"
        )
        for place, text in enumerate(texts)
    ]
    resources.memory.record_many(turns, now=resources.clock() + timedelta(seconds=1))
    resources.memory.vectors.apply_outbox("ann")


@pytest.mark.requirement("C46")
@pytest.mark.parametrize("form", WRITTEN)
def test_each_of_the_colliding_places_is_told_right(resources: Resources, say: Say, form: str):
    template, language = WRITTEN[form]
    _remember(resources, [template.format(*place, told[language]) for place, told in COLLIDING.items()])
    wrong = []
    for place, told in COLLIDING.items():
        for question in ASKED:
            answer = say(question.format(*place), session="s2", record=False)
            others = [other[language] for where, other in COLLIDING.items() if where != place]
            if told[language] not in answer or any(other in answer for other in others if other != told[language]):
                wrong.append((question.format(*place), answer))
    assert wrong == []


@pytest.mark.requirement("C46")
@pytest.mark.parametrize(
    "place", [("AK-240", "7", "TOTAL_AMT"), ("BK-204", "3", "DEPOSIT_AMT"), ("AK-402", "3", "TOTAL_AMT")]
)
def test_a_place_of_which_nothing_was_said_is_declined(resources: Resources, say: Say, place: tuple[str, str, str]):
    _remember(
        resources, ["[DOC_ID:{}][PAGE:{}][FIELD:{}] {}".format(*where, told[0]) for where, told in COLLIDING.items()]
    )
    for question in ASKED:
        assert abstains(say(question.format(*place), session="s2", record=False)), question


@pytest.mark.requirement("C46")
@pytest.mark.parametrize("later", [5, 10, 50, 127, 200])
def test_what_was_said_in_the_first_turns_is_told_right_however_many_followed(
    resources: Resources, say: Say, later: int
):
    told = ["[DOC_ID:{}][PAGE:{}][FIELD:{}] {}".format(*place, value[0]) for place, value in COLLIDING.items()]
    talk = (
        "I paid {} dollars for lunch.",
        "We met {} people at the fair.",
        "今天走了{}步。",
        "The bus was {} minutes late.",
    )
    _remember(resources, [*told, *(talk[turn % len(talk)].format(turn + 11) for turn in range(later))])
    assert "$84,500" in say("What is the total amount on page 3 of AK-240?", session="s2", record=False)
    assert "$2,850" in say("AK-204第3页的押金是多少？", session="s2", record=False)
    assert "$45,800" in say("BK-204第三页的总金额是多少？", session="s2", record=False)
    assert "0.5%" in say("What is the penalty rate in BK-204?", session="s2", record=False)


@pytest.mark.requirement("C46")
@pytest.mark.parametrize(
    ("told", "asked", "value"),
    [
        (
            (
                "The boat licence, [DOC_ID:AK-204][PAGE:3][FIELD:TOTAL_AMT]: $48,500.",
                "The bakery licence, [DOC_ID:AK-240][PAGE:3][FIELD:TOTAL_AMT]: $84,500.",
            ),
            "What is the total amount of the bakery licence?",
            "$84,500",
        ),
        (
            (
                "游船合同，[DOC_ID:AK-204][PAGE:3][FIELD:TOTAL_AMT] 4.85万元。",
                "面包房合同，[DOC_ID:AK-240][PAGE:3][FIELD:TOTAL_AMT] 8.45万元。",
            ),
            "面包房合同的总金额是多少？",
            "8.45万元",
        ),
    ],
)
def test_documents_are_told_apart_by_what_they_are_about(
    resources: Resources, say: Say, told: tuple[str, ...], asked: str, value: str
):
    _remember(resources, list(told))
    assert value in say(asked, session="s2", record=False)
