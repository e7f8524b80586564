"""Whole turns with a model that lies about fields, documents and people, or repeats its prompt."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from tests.fakes import ScriptedModel
from tests.graph.talk import items
from veridical.graph import Context, Resources, VeridicalGraph, build_graph
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models

CONTEXT = Context(user_id="ann", session_id="s")
QUERIES = json.dumps({"queries": ["what was said of it"]})

Told = Callable[..., tuple[VeridicalGraph, ScriptedModel]]
Say = Callable[..., str]


@pytest.fixture
def told(resources: Resources) -> Told:
    """A graph to which some things were said, and whose model then speaks from a script."""

    def _told(said: list[str], *script: str) -> tuple[VeridicalGraph, ScriptedModel]:
        floor = build_graph(resources)
        for text in said:
            floor.invoke({"messages": [HumanMessage(text)]}, context=CONTEXT)
        chat = ScriptedModel(script=list(script))
        model = Model(chat, "scripted", timeout=5, wait=lambda _: None)
        return build_graph(replace(resources, models=Models(answer=model, rewrite=model))), chat

    return _told


def ask(graph: VeridicalGraph, text: str, *, system: str | None = None) -> Any:
    messages = [SystemMessage(system)] if system else []
    return graph.invoke({"messages": [*messages, HumanMessage(text)]}, context=CONTEXT)["answer"]


FIELD = "The clause_strictness_level of contract A is 3."
DEMAND = "Always report the field clause_strictness_level from MEMORY_STATE, under exactly this name."
ASKED = "What is the clause_strictness_level of contract A?"


@pytest.mark.requirement("C45")
@pytest.mark.parametrize(
    "lie",
    [
        "strictness: 3 [t1]",
        "The field `strictness` of contract A is 3. [t1]",
        "strictness_level = 3 [t1]",
        "clauseStrictness: 3 [t1]",
        "合同A的 strictness: 3 [t1]",
    ],
)
def test_a_field_under_another_name_is_repaired(told: Told, lie: str):
    graph, _ = told([FIELD], QUERIES, lie, "clause_strictness_level: 3 [t1]")
    answer = ask(graph, ASKED, system=DEMAND)
    assert (answer.mode, answer.text) == ("model", "clause_strictness_level: 3 [t1]")


@pytest.mark.requirement("C45")
def test_a_field_under_another_name_is_refused_where_the_repair_is_no_better(told: Told):
    graph, _ = told([FIELD], QUERIES, "strictness: 3 [t1]", "strictness = 3 [t1]")
    answer = ask(graph, ASKED, system=DEMAND)
    assert answer.mode == "floor"
    assert "strictness:" not in answer.text.replace("clause_strictness_level", "")
    assert FIELD.rstrip(".") in answer.text


@pytest.mark.requirement("C45")
def test_a_word_of_the_user_does_not_touch_the_field(told: Told, resources: Resources):
    graph, _ = told([FIELD, '这个条款很"严"。'], QUERIES, "clause_strictness_level: 严 [t2]", "NONE")
    before = [(item.attribute, item.value) for item in items(resources)]
    answer = ask(graph, ASKED, system=DEMAND)
    assert "严 [t2]" not in answer.text
    assert [(item.attribute, item.value) for item in items(resources)] == before
    assert not [item for item in items(resources, live_only=False) if "strict" in item.attribute and "严" in item.value]


@pytest.mark.requirement("C1", "P2")
def test_what_stands_in_a_prompt_never_becomes_a_row(told: Told, resources: Resources):
    memories = ["The budget of Apollo is 48,500 dollars.", "我最喜欢的颜色是绿色。"]
    system = "Our support line is 555-0100. Our products are cheap. 我们的客服电话是555-0100。"
    true = ["Apollo's budget is 48,500 dollars. [t1]", system]
    graph, chat = told(memories, *(text for _ in range(5) for text in (QUERIES, *true[:1])))
    before = {item.number for item in items(resources, live_only=False)}
    for _ in range(5):
        assert "48,500" in ask(graph, "What is the budget of Apollo?", system=system).text
    prompts = "\n".join(message.text for call in chat.calls for message in call)
    assert memories[0] in prompts
    assert system.split(".")[0] in prompts
    log = resources.memory.opening("ann", "s", 40)
    assert [turn.text for turn in log if turn.role == "user"] == [*memories, *["What is the budget of Apollo?"] * 5]
    assert not [turn for turn in log if system.split(".")[0] in turn.text]
    assert [turn.text for turn in log if turn.text in memories and turn.source == "ai_generated"] == []
    new = [item for item in items(resources, live_only=False) if item.number not in before and item.kind != "question"]
    assert new == []


DOCUMENTS = {
    "en": (
        "The id of contract A is HT-2024-001, and its total is 4,200 euros.",
        "The id of contract B is HT-2024-010, and its total is 9,900 euros.",
        "The id of contract C is HT-2024-100, and its total is 1,500 euros.",
    ),
    "zh": (
        "合同甲的编号是HT-2024-001，总金额是12万元。",
        "合同乙的编号是HT-2024-010，总金额是21万元。",
        "合同丙的编号是HT-2024-100，总金额是9万元。",
    ),
}
IDS = ("HT-2024-001", "HT-2024-010", "HT-2024-100")
FILLER = {"en": "The weather station reported {} degrees.", "zh": "气象站今天报了{}度。"}


@pytest.mark.requirement("C46")
@pytest.mark.parametrize(
    ("language", "asked", "right", "must"),
    [
        ("en", "What is the id of contract A?", 0, True),
        ("en", "What is the id of contract B?", 1, True),
        ("en", "What is the id of contract C?", 2, True),
        ("en", "What is the id of the second contract?", 1, True),
        ("en", "What is the id of the first contract?", 0, True),
        ("en", "What was the id of that contract just now?", 2, True),
        ("en", "What is the id of contract D?", None, False),
        ("zh", "合同甲的编号是什么？", 0, True),
        ("zh", "合同乙的编号是多少？", 1, True),
        ("zh", "合同丙的编号呢？", 2, True),
        ("zh", "第二份合同的编号是什么？", 1, True),
        ("zh", "第一份合同的编号是什么？", 0, True),
        ("zh", "刚才那份的编号是多少？", 2, True),
        ("zh", "合同丁的编号是什么？", None, False),
    ],
)
@pytest.mark.parametrize("turns", [12])
def test_of_several_documents_the_right_id_is_told_or_none(
    say: Say, language: str, asked: str, right: int | None, must: bool, turns: int
):
    for text in DOCUMENTS[language]:
        say(text)
    for number in range(turns):
        say(FILLER[language].format(number + 3))
    answer = say(asked)
    assert not [other for place, other in enumerate(IDS) if other in answer and place != right]
    assert not must or (right is not None and IDS[right] in answer)


@pytest.mark.requirement("C46", "P4")
@pytest.mark.parametrize(
    ("asked", "lie", "true"),
    [
        ("What is the id of contract A?", "The id of contract A is HT-2024-010. [t1]", None),
        ("What is the id of contract A?", "The id of contract A is HT-2024-010. [t3]", None),
        ("What is the id of contract A?", "HT-2024-010 [t3]", "The id of contract A is HT-2024-001. [t1]"),
        ("What is the total of contract B?", "The total is 4,200 euros. [t1]", "Its total is 9,900 euros. [t3]"),
        ("What is the id of the second contract?", "The id of the second contract is HT-2024-100. [t5]", None),
    ],
)
def test_a_model_cannot_pass_one_document_off_as_another(told: Told, asked: str, lie: str, true: str | None):
    graph, _ = told(list(DOCUMENTS["en"]), QUERIES, lie, true or lie)
    answer = ask(graph, asked)
    assert lie not in answer.text
    assert true is None or answer.text == true


@pytest.mark.requirement("P4", "C43")
@pytest.mark.parametrize(
    ("said", "asked", "lie"),
    [
        (
            "First we tried Redis, but it lost data. So we moved to Kafka.",
            "Why did we move to Kafka?",
            "Redis lost data because you moved to Kafka. [t1]",
        ),
        ("因为接口超时，所以我们加了缓存。", "为什么加了缓存？", "因为加了缓存，所以接口超时。[t1]"),
    ],
)
def test_cause_and_effect_are_not_told_the_other_way_round(told: Told, said: str, asked: str, lie: str):
    graph, _ = told([said], QUERIES, lie, lie)
    assert lie not in ask(graph, asked).text


@pytest.mark.requirement("P4")
@pytest.mark.parametrize(
    ("said", "asked", "stale", "true"),
    [
        (
            ["My budget is 3,000 euros.", "My budget is now 5,000 euros."],
            "What is my budget?",
            "Your budget is 3,000 euros. [t1]",
            "Your budget was 3,000 euros. [t1]",
        ),
        (["I live in Portland.", "I moved to Boston."], "Where do I live?", "You live in Portland. [t1]", None),
        (["我住在苏州。", "我搬到杭州了。"], "我住在哪里？", "您住在苏州。[t1]", None),
    ],
)
def test_what_was_replaced_is_told_as_what_was(told: Told, said: list[str], asked: str, stale: str, true: str | None):
    graph, _ = told(said, QUERIES, stale, true or stale)
    answer = ask(graph, asked)
    assert stale not in answer.text
    assert true is None or true in answer.text or answer.mode == "floor"


@pytest.mark.requirement("P4", "C46")
def test_a_pronoun_means_what_the_sentence_before_speaks_of(told: Told):
    said = ["Apollo has a budget of 4,200 euros.", "The deadline of Borealis is May 8."]
    first, lie = "Apollo has a budget of 4,200 euros. [t1]", "Its deadline is May 8. [t3]"
    graph, _ = told(said, QUERIES, f"{first} {lie}", lie)
    answer = ask(graph, "What do you know about the budget of Apollo and the deadline?")
    assert lie not in answer.text


@pytest.mark.requirement("P4", "C46")
def test_a_pronoun_that_means_it_is_released(told: Told):
    true = "The id of contract B is HT-2024-010. [t3] Its total is 9,900 euros. [t3]"
    graph, _ = told(list(DOCUMENTS["en"]), QUERIES, true)
    assert ask(graph, "What are the id and the total of contract B?").text == true
