"""Statements about the world are set against documents; what users say of themselves never is."""

import pytest

from veridical.memory.store import Memory

from .conftest import START, Add, Say

PRICES = """# Price list

| Plan | Price per year |
|---|---|
| Basic plan | 1,200 dollars |
| Premium plan | 4,200 dollars |

# Terms

The warranty is 24 months. The CEO of Acme is Bob Miller. The discount of Acme is 15%.

# Staff

My name is Max Weber. I am 61 years old. I like tea.
"""
价目 = """# 价目表

高级版的价格是4200元。

| 套餐 | 价格 |
|---|---|
| 基础版 | 1200元 |
"""


@pytest.mark.requirement("KNOWLEDGE-CROSS-CHECK")
@pytest.mark.parametrize(
    ("said", "documented"),
    [
        ("The premium plan costs 5,000 dollars.", "4,200 dollars"),
        ("The price of the premium plan is 5k dollars.", "4,200 dollars"),
        ("The CEO of Acme is Alice Stone.", "Bob Miller"),
        ("The warranty is 36 months.", "24 months"),
        ("The discount of Acme is 20%.", "15%"),
        ("高级版的价格是五千元。", "4200元"),
        ("基础版的价格是1500元。", "1200元"),
    ],
)
def test_another_value_of_the_same_thing_is_a_contradiction(
    memory: Memory, add: Add, say: Say, said: str, documented: str
):
    add(PRICES, name="price-list.md")
    add(价目, name="价目表.md")
    items = say(said)
    (found,) = memory.knowledge.contradictions("ann", [item.number for item in items])
    assert found.value == documented
    assert found.reference.source == "external_knowledge"
    (conflict,) = memory.state("ann").conflicts
    assert (conflict.preferred, conflict.other, conflict.rule) == (items[0].id, found.reference.id, "knowledge")


@pytest.mark.requirement("KNOWLEDGE-CROSS-CHECK")
@pytest.mark.parametrize(
    "said",
    [
        "The premium plan costs 4,200 dollars.",
        "The premium plan costs 4.2k dollars.",
        "高级版的价格是四千二百元。",
        "The gold plan costs 5,000 dollars.",
        "The warranty is 3 kilograms.",
        "Maybe the premium plan costs 5,000 dollars.",
        "Does the premium plan cost 5,000 dollars?",
    ],
)
def test_the_same_value_another_thing_and_a_guess_are_none(memory: Memory, add: Add, say: Say, said: str):
    add(PRICES, name="price-list.md")
    add(价目, name="价目表.md")
    items = say(said)
    assert memory.knowledge.contradictions("ann", [item.number for item in items]) == []
    assert memory.state("ann").conflicts == ()


@pytest.mark.requirement("KNOWLEDGE-CROSS-CHECK")
@pytest.mark.parametrize(
    "said",
    [
        "My name is Ann Stone.",
        "I am 34 years old.",
        "I like coffee.",
        "My budget for the premium plan is 3,000 dollars.",
        "我叫李雷。",
        "我今年34岁。",
    ],
)
def test_nothing_that_users_say_of_themselves_is_contradicted(memory: Memory, add: Add, say: Say, said: str):
    add(PRICES, name="price-list.md")
    add("名字：王芳\n\n年龄：61岁。我叫王芳。我今年61岁。\n", name="员工.md")
    assert say(said)
    assert memory.state("ann").conflicts == ()


@pytest.mark.requirement("KNOWLEDGE-CROSS-CHECK")
def test_what_was_said_before_a_document_came_is_checked_when_it_comes(memory: Memory, add: Add, say: Say):
    (item,) = say("The premium plan costs 5,000 dollars.")
    add(PRICES, name="price-list.md", day=2)
    assert [conflict.preferred for conflict in memory.state("ann").conflicts] == [item.id]


@pytest.mark.requirement("KNOWLEDGE-CROSS-CHECK", "KNOWLEDGE-VERSIONS")
def test_a_conflict_ends_with_the_version_that_made_it(memory: Memory, add: Add, say: Say):
    (item,) = say("The premium plan costs 5,000 dollars.")
    add(PRICES, name="price-list.md", day=2)
    add(PRICES.replace("4,200", "5,000"), name="price-list.md", day=3)
    assert memory.state("ann").conflicts == ()
    assert memory.knowledge.contradictions("ann", [item.number]) == []


@pytest.mark.requirement("KNOWLEDGE-NO-USER-FACTS", "P2")
def test_a_document_makes_no_item_and_no_turn(memory: Memory, add: Add, say: Say):
    say("My name is Ann.")
    before = memory.state("ann")
    add(PRICES, name="price-list.md", day=2)
    assert memory.state("ann") == before
    assert memory.recent("ann", "s1", 10)[-1].text == "My name is Ann."
    with memory.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM items").scalar() == 1


@pytest.mark.requirement("P6", "KNOWLEDGE-CROSS-CHECK")
def test_the_documents_of_others_contradict_nobody(memory: Memory, add: Add, say: Say):
    add(PRICES, name="price-list.md", user="bob")
    say("The premium plan costs 5,000 dollars.")
    assert memory.state("ann").conflicts == ()
    assert START.tzinfo is not None
