"""The memory as tools of an agent: the model asks, and the records, the user's words and the user decide."""

from collections.abc import Callable
from typing import Any

import pytest
from langgraph.types import Command

from tests.integrations.conftest import ANN, THREAD, Agent
from tests.integrations.speaking import calling
from veridical.graph import Context, Resources
from veridical.integrations import memory_tools
from veridical.memory.storage.items import list_items

BUDGET = "My budget for Apollo is 48,500 dollars."
Agents = Callable[..., Agent]


@pytest.fixture
def talk(agent: Agents, resources: Resources) -> Agent:
    """An agent with the memory's tools that was told a budget (t1)."""
    talk = agent(tools=memory_tools(resources))
    talk.says("Got it!").run(BUDGET)
    return talk


def facts(resources: Resources) -> dict[str, str]:
    with resources.memory.database.read() as connection:
        return {item.attribute: item.value for item in list_items(connection, "ann", kind="fact")}


def returned(result: dict[str, Any]) -> str:
    return str([message for message in result["messages"] if message.type == "tool"][-1].text)


@pytest.mark.requirement("PLUG-TOOLS")
def test_what_is_recalled_may_be_said_with_its_turn(talk: Agent, resources: Resources):
    heard = "Your budget for Apollo is 48,500 dollars [t1]."
    result = talk.says(calling("recall", question="Apollo budget"), heard).run("So how much may it cost?")
    assert '"turn_id": "t1", "source": "user_input"' in returned(result)
    assert "So how much" not in returned(result)
    assert result["messages"][-1].text == heard
    assert facts(resources) == {"budget": "48,500 dollars"}


@pytest.mark.requirement("PLUG-TOOLS", "P1")
def test_what_is_remembered_must_be_quoted_from_a_turn_of_the_users(talk: Agent, resources: Resources):
    told = "I parked on level four today, by the way."
    call = calling("remember", turn_id="t3", quotation="parked on level four", attribute="parking", value="level four")
    talk.says(call, "Noted.").run(told)
    assert facts(resources)["parking"] == "level four"
    for turn, quotation in [("t3", "parked on level five"), ("t2", "Got it!"), ("t99", "parked"), ("f1", "x")]:
        result = talk.says(calling("remember", turn_id=turn, quotation=quotation), "All right.").run("Well, thanks.")
        assert "Traceback" not in returned(result)
        assert len(returned(result).splitlines()) == 1
    assert set(facts(resources)) == {"budget", "parking"}
    assert "t3" in talk.model.question(2)  # the model is told the id of what was just said


@pytest.mark.requirement("PLUG-TOOLS")
def test_a_correction_takes_the_users_own_words(talk: Agent, resources: Resources):
    talk.says(calling("correct", item_id="f1", turn_id="t1", value="52,000 dollars"), "All right.").run("Hm.")
    assert facts(resources) == {"budget": "48,500 dollars"}
    told = "Hm, that was before the meeting: 52,000 dollars."
    talk.says(calling("correct", item_id="f1", turn_id="t5", value="52,000 dollars"), "All right.").run(told)
    assert facts(resources)["budget"] == "52,000 dollars"


@pytest.mark.requirement("PLUG-TOOLS", "P8")
def test_nothing_is_forgotten_before_the_user_says_yes_to_exactly_that(talk: Agent, resources: Resources):
    asked = talk.says(calling("forget", kind="value", names=["48,500"])).run("Please forget my budget.")
    shown = asked["__interrupt__"][0].value
    assert [turn["id"] for turn in shown["turns"]] == ["t1"]
    for answer in (True, "yes", "000000000000"):
        refused = talk.says("All right.").graph.invoke(Command(resume=answer), THREAD, context=ANN)
        assert returned(refused) == "The user did not agree: nothing was forgotten."
        assert facts(resources)
        asked = talk.says(calling("forget", kind="value", names=["48,500"])).run("Please forget my budget.")
    done = talk.says("It is forgotten.").graph.invoke(Command(resume=shown["confirm"]), THREAD, context=ANN)
    assert returned(done) == "It is forgotten for good (t1)."
    assert done["messages"][-1].text == "It is forgotten."
    assert facts(resources) == {}


@pytest.mark.requirement("PLUG-TOOLS", "P6")
def test_whose_memory_it_is_comes_from_the_run(talk: Agent, resources: Resources):
    assert all("user" not in one.args for one in memory_tools(resources))
    other: Any = {"configurable": {"thread_id": "b"}}
    call = calling("recall", question="Apollo budget")
    result = talk.says(call, "Hello!").run("Hello!", context=Context(user_id="bob"), config=other)
    assert returned(result) == '{"results": []}'


def test_arguments_that_will_not_do_are_one_sentence(talk: Agent):
    result = talk.says(calling("recall", question="budget", limit=1000), "Hello!").run("Hello!")
    assert returned(result).startswith("The argument limit will not do")
