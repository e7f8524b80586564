"""Errands in retrieval and in the memory state: a filter for who names one, a preference else, and nothing hidden."""

import pytest
from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from tests.graph.errands import STORY, Tell, errands, trace
from veridical.graph import Context, Resources
from veridical.memory.prompting import state_section
from veridical.memory.records import RecallFilter
from veridical.memory.storage.keys import is_key
from veridical.memory.storage.states import MemoryState
from veridical.nodes.perceive import perceive
from veridical.nodes.rewrite import RewriteInput, rewrite


def filter_of(resources: Resources, question: str) -> RecallFilter:
    """What a question is restricted to and prefers."""
    runtime = Runtime(context=Context(user_id="ann", session_id="s", record=False))
    read = perceive({"messages": [HumanMessage(question)]}, runtime, resources=resources)
    given = RewriteInput(turn=read["turn"], question=read["question"], recall=True, proposed=[], settles=False)
    return rewrite(given, runtime, resources=resources)["filter"]


@pytest.mark.requirement("INTENT-RECALL")
@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "What did I tell you about order #12345?"), ("zh", "关于订单12345我都说过什么？")],
)
def test_a_question_that_names_the_order_finds_the_turns_that_moved_it(
    tell: Tell, resources: Resources, language: str, question: str
):
    tell(*STORY[language][:3])
    assert filter_of(resources, question).errand == (1, 3, 5)
    tell(question)
    found = {result["turn_id"] for result in trace(resources)["results"]}
    assert {"t1", "t5"} <= found


@pytest.mark.requirement("INTENT-RECALL")
def test_a_question_about_one_order_finds_nothing_of_another(tell: Tell, resources: Resources):
    tell("Cancel order #11.", "Ship order #12 by JD.")
    assert filter_of(resources, "What did I tell you about order #11?").errand == (1,)
    tell("What did I tell you about order #11?")
    assert "t3" not in {result["turn_id"] for result in trace(resources)["results"]}


@pytest.mark.requirement("INTENT-RECALL")
def test_a_question_that_names_another_order_prefers_no_errand(tell: Tell, resources: Resources):
    tell("Cancel order #11.")
    assert filter_of(resources, "What did I tell you about order #99?").errand == ()


@pytest.mark.requirement("INTENT-RECALL")
def test_a_question_that_names_nothing_prefers_the_errand_that_is_talked_about(tell: Tell, resources: Resources):
    tell("Cancel order #11.", "Ship order #12 by JD.")
    assert filter_of(resources, "Which carrier was it again?").errand == (3,)


@pytest.mark.requirement("INTENT-RECALL")
@pytest.mark.parametrize(
    ("told", "question", "value"),
    [
        ("The budget of Apollo is 48,500 dollars.", "What is the budget of Apollo?", "48,500"),
        ("My dentist is called Dr. Wu.", "What is my dentist called?", "Wu"),
        ("阿波罗项目的预算是5万元。", "阿波罗项目的预算是多少？", "5万"),
        ("我的牙医姓吴。", "我的牙医姓什么？", "吴"),
    ],
)
def test_an_unrelated_question_finds_its_answer_whatever_is_open(
    tell: Tell, resources: Resources, told: str, question: str, value: str
):
    before = tell(told, question)
    assert value in before.text
    tell(*STORY["zh" if not told.isascii() else "en"][:3])
    after = tell(question)
    assert after.text.splitlines()[-1] == before.text.splitlines()[-1]


@pytest.mark.requirement("INTENT-RECALL")
def test_without_errands_nothing_is_preferred(tell: Tell, resources: Resources):
    tell("The budget of Apollo is 48,500 dollars.")
    assert filter_of(resources, "What is it?").errand == ()


@pytest.mark.requirement("INTENT-STATE")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_memory_state_has_the_open_errand_typed_and_in_snake_case(tell: Tell, resources: Resources, language: str):
    tell(*STORY[language][:3])
    found = errands(resources)["order:12345"]
    todo = resources.memory.state("ann").open_todos[0]
    assert (found.domain, found.state, found.turn_id, found.todo_ids) == ("orders", "shipping_update", "t5", (todo.id,))
    assert found.slots == {"shipping_preference": "sf"}
    assert all(map(is_key, (found.domain, found.state, *found.slots)))


@pytest.mark.requirement("INTENT-STATE")
def test_the_state_changes_its_version_with_every_step(tell: Tell, resources: Resources):
    versions = []
    for line in STORY["en"][:4]:
        tell(line)
        versions.append(resources.memory.state("ann").version)
    assert versions == sorted(set(versions))


@pytest.mark.requirement("INTENT-STATE")
def test_the_state_in_the_prompt_has_the_errand(tell: Tell, resources: Resources):
    tell(*STORY["en"][:3])
    section = state_section(resources.memory.state("ann"), "en")
    assert '"intents":[{"domain":"orders","entity":"order:12345","state":"shipping_update"' in section


@pytest.mark.requirement("INTENT-STATE")
def test_a_state_that_was_stored_before_there_were_errands_is_read():
    document = MemoryState().model_dump(mode="json")
    del document["intents"]
    assert MemoryState.model_validate(document).intents == ()


@pytest.mark.parametrize(
    ("ordered", "moved", "asked"),
    [
        ("Where is order #12345?", "We moved from Boston to Denver in 2024.", "Where did I live in 2023?"),
        ("订单12345到哪了？", "我们2024年从北京搬到了深圳。", "我2023年住在哪里？"),
    ],
)
def test_a_question_about_ones_own_life_is_none_about_the_order_that_was_spoken_of(
    tell: Tell, ordered: str, moved: str, asked: str
):
    assert "12345" not in tell(ordered, moved, asked).text
