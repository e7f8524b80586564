"""Who asks what they changed is told each value with the one that it replaced."""

from collections.abc import Callable

import pytest

from veridical.graph import Resources
from veridical.memory.changed import asks_for_changes

Say = Callable[..., str]
TOLD = ["My rent is 900 euros.", "I live in Leeds.", "No, my rent is 950 euros.", "I moved to York last week."]
SAID = ["房租每个月3500元。", "我住在北京。", "不对，房租是4000元。", "我上周搬到苏州了。"]


@pytest.mark.requirement("C16")
@pytest.mark.parametrize(
    ("told", "question", "expected", "absent"),
    [
        (
            TOLD,
            "What did I change?",
            ["900 euros” [t1] → “my rent is 950 euros” [t5]", "Leeds” [t3] → “I moved to York last week” [t7]"],
            [],
        ),
        (TOLD, "What did I change about the rent?", ["900 euros” [t1] → “my rent is 950 euros” [t5]"], ["York"]),
        (SAID, "我改了什么？", ["3500元” [t1] → “房租是4000元” [t5]", "北京” [t3] → “我上周搬到苏州了” [t7]"], []),
        (SAID, "房租有什么变化？", ["3500元” [t1] → “房租是4000元” [t5]"], ["苏州"]),
    ],
)
def test_what_was_changed_is_told_with_what_it_replaced(
    say: Say, resources: Resources, told: list[str], question: str, expected: list[str], absent: list[str]
) -> None:
    for text in told:
        say(text)
    answer = say(question)
    assert all(words in answer for words in expected)
    assert not any(words in answer for words in absent)
    trace = resources.memory.answer("ann")
    assert {claim["verdict"] for claim in trace["claims"]} == {"supported"}
    assert {"t1", "t5"} <= {cited["turn_id"] for cited in trace["citations"]}


def test_where_nothing_was_changed_nothing_is_told(say: Say) -> None:
    say("My rent is 900 euros.")
    assert "can't confirm" in say("What did I change?")


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("What did I change?", frozenset()),
        ("So what have I corrected so far?", frozenset()),
        ("What has changed recently?", frozenset()),
        ("Which things did I update today?", frozenset()),
        ("What changes have I made to the budget?", frozenset({"budget"})),
        ("Tell me what I changed about my phone number.", frozenset({"phone"})),
        ("我都改过什么？", frozenset()),
        ("我最近更正了哪些内容", frozenset()),
        ("有什么变化吗？", frozenset()),
        ("哪些变了？", frozenset()),
        ("预算有哪些改动？", frozenset({"budget"})),
        ("What did I change the budget to?", None),
        ("What would you change?", None),
        ("What did Clara change?", None),
        ("What did I change about the printer?", None),
        ("Did I change the budget?", None),
        ("我改了预算吗？", None),
        ("我把预算改成了什么？", None),
        ("韩梅改了什么？", None),
        ("我什么时候改了预算？", None),
    ],
)
def test_a_question_for_changes_is_told_from_others(text: str, attributes: frozenset[str] | None) -> None:
    assert asks_for_changes(text) == attributes
