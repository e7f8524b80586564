"""`create_agent` with the memory as middleware: what goes into the model, what comes out of it, what is kept."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.caches import InMemoryCache
from langchain_core.globals import set_llm_cache
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from tests.fakes import ScriptedModel
from tests.integrations.conftest import THREAD, Agent
from tests.integrations.speaking import calling
from veridical.graph import Context, Resources
from veridical.memory.errors import ThreadOwned, UserRequired
from veridical.memory.storage.items import list_items
from veridical.memory.storage.turns import recent_turns

BUDGET = "My budget for Apollo is 48,500 dollars."
QUESTION = "What is my budget for Apollo?"
TRUE = "Your budget for Apollo is 48,500 dollars [t1]."
LIE = "Your budget for Apollo is 52,000 dollars [t1]."

Agents = Callable[..., Agent]


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return "18°C and sunny"


def turns(resources: Resources, user: str = "ann") -> list[tuple[str, str]]:
    with resources.memory.database.read() as connection:
        return [(turn.source, turn.text) for turn in recent_turns(connection, user, 50)]


def facts(resources: Resources, user: str = "ann") -> list[str]:
    with resources.memory.database.read() as connection:
        return [item.value for item in list_items(connection, user, kind="fact")]


@pytest.mark.requirement("PLUG-MIDDLEWARE")
def test_an_agent_answers_from_what_it_was_told_in_another_thread(agent: Agents, resources: Resources):
    talk = agent(system_prompt="You sell projects.")
    talk.says(f"Got it! {TRUE}").run(BUDGET)
    result = talk.says(TRUE).run(QUESTION, config={"configurable": {"thread_id": "later"}})
    told = talk.model.asked[-1]
    assert told[0].text.startswith("MEM_START\n{")
    assert '"value":"48,500 dollars"' in told[0].text.split("MEM_END")[0]
    assert "LAST UPDATED: 2026-03-02" in told[0].text
    assert "You sell projects." in told[0].text.split("MEM_END")[1]
    assert told[-1].text.startswith(f'RETRIEVED_MEMORY\n[t1] 2026-03-02 09:00 user (user_input): "{BUDGET}"')
    assert told[-1].text.endswith(f"QUESTION: {QUESTION}")
    answer = result["messages"][-1]
    assert answer.text == TRUE
    assert result["messages"][0].text == QUESTION
    assert set(result) == {"messages"}
    known = answer.response_metadata["veridical"]
    assert [(one["turn_id"], one["quote"]) for one in known["citations"]] == [("t1", BUDGET)]
    assert resources.memory.answer("ann", int(known["answer_id"][1:]))["question"] == QUESTION  # type: ignore[index]
    assert turns(resources) == [
        ("user_input", BUDGET),
        ("ai_generated", f"Got it! {TRUE}"),
        ("user_input", QUESTION),
        ("ai_generated", TRUE),
    ]


@pytest.mark.requirement("PLUG-MIDDLEWARE", "P4")
def test_a_lie_is_replaced_by_what_was_said_and_leaves_no_trace(agent: Agents, resources: Resources):
    talk = agent()
    talk.says("Got it!").run(BUDGET)
    heard = talk.says(LIE, "NONE").hear(QUESTION)
    assert "48,500 dollars" in heard
    assert "52,000" not in heard
    assert not any("52,000" in text for _, text in turns(resources))
    assert "WHAT IS WRONG" in talk.model.question()


def test_a_repaired_sentence_is_released(agent: Agents):
    talk = agent()
    talk.says("Got it!").run(BUDGET)
    assert talk.says(LIE, TRUE).hear(QUESTION) == TRUE


@pytest.mark.requirement("PLUG-MIDDLEWARE", "P3")
def test_the_users_words_are_kept_although_the_model_fails(agent: Agents, resources: Resources):
    talk = agent()
    with pytest.raises(ConnectionError):
        talk.says(ConnectionError("gone")).run(BUDGET)
    assert turns(resources) == [("user_input", BUDGET)]


def test_what_was_never_said_is_not_confirmed(agent: Agents):
    talk = agent().says("Your sister is called Marta.", "NONE")
    assert "can't confirm" in talk.hear("What is the name of my sister?")


def test_talk_without_claims_passes_and_smuggled_claims_do_not(agent: Agents):
    talk = agent()
    assert talk.says("Hello! How can I help you today?").hear("Hi!") == "Hello! How can I help you today?"
    heard = talk.says("Shall I use your budget of 52,000 dollars? Which city?", "NONE").hear("I plan a trip to Rome.")
    assert heard == "Which city?"


def test_general_knowledge_is_marked_and_asked_for_without_the_memory(agent: Agents):
    talk = agent()
    talk.says("Got it!").run(BUDGET)
    heard = talk.says("Paris, dear friend of Apollo.", "NONE", "The capital is Paris.").hear(
        "What is the capital of France?"
    )
    assert heard == "Not from your records, but as a matter of general knowledge: The capital is Paris."
    assert "48,500" not in talk.model.told()


def test_a_request_that_takes_for_granted_what_is_not_so_reaches_no_model_and_no_tool(agent: Agents):
    talk = agent(tools=[weather])
    talk.says("Got it!").run("I moved to Boston, I don't live in Portland any more.")
    heard = talk.hear("Plan my weekend at home in Portland.")
    assert "Our records say otherwise" in heard
    assert len(talk.model.asked) == 1


@pytest.mark.requirement("PLUG-MIDDLEWARE", "P2")
def test_what_a_tool_returns_bears_out_this_answer_and_becomes_nobodys_fact(agent: Agents, resources: Resources):
    talk = agent(tools=[weather])
    result = talk.says(
        calling("weather", "It surely rains in Paris.", city="Paris"), "It is 18°C and sunny in Paris."
    ).run("What's the weather in Paris?")
    _, call, returned, answer = result["messages"]
    assert (call.text, call.tool_calls[0]["args"]) == ("", {"city": "Paris"})
    assert returned.text == "18°C and sunny"
    assert answer.text == "It is 18°C and sunny in Paris."
    cited = answer.response_metadata["veridical"]["citations"][0]
    assert (cited["id"], cited["quote"], cited["speaker"]) == ("call-weather", "18°C and sunny", "weather")
    assert (cited["source"], cited["turn_id"]) == ("external_knowledge", "")
    assert [source for source, _ in turns(resources)] == ["user_input", "ai_generated"]
    assert facts(resources) == []
    assert "It surely rains" in talk.model.told()  # the model sees its own words again, and nobody else does


def test_what_a_tool_did_not_return_is_replaced_by_what_it_returned(agent: Agents):
    talk = agent(tools=[weather]).says(calling("weather", city="Paris"), "It is 35°C in Paris.", "NONE")
    assert talk.hear("What's the weather in Paris?") == "On 2026-03-02 weather said: “18°C and sunny” [weather]"


def test_a_tools_result_counts_in_its_turn_only(agent: Agents):
    talk = agent(tools=[weather])
    talk.says(calling("weather", city="Paris"), "It is 18°C and sunny in Paris.").run("What's the weather in Paris?")
    heard = talk.says("You said that it is 18°C and sunny in Paris.", "NONE").hear(
        "What did I say about the weather in Paris?"
    )
    assert "You said that it is 18°C" not in heard


@tool
def cancel(order: str, status: str) -> str:
    """Cancel an order."""
    return "refused"


def test_that_a_tool_was_called_bears_out_nothing(agent: Agents):
    talk = agent(tools=[weather, cancel])
    calls = calling("weather", city="Rome, where your sister lives")
    heard = talk.says(calls, "Your sister lives in Rome.", "NONE").hear("What is the weather where my sister is?")
    assert heard == "On 2026-03-02 weather said: “18°C and sunny” [weather]"
    calls = calling("cancel", order="12345", status="cancelled")
    heard = talk.says(calls, "Order 12345 is cancelled.", "NONE").hear("Please mark order 12345 as cancelled.")
    assert "12345 is cancelled." not in heard
    for order in ("Send the mail to Bob.", "Approve request 7.", "Cancel order 77.", "Mark order 88 as cancelled."):
        verb, *rest = order.rstrip(".").split()
        done = {"Send": "The mail to Bob was sent.", "Approve": "Request 7 is approved."}
        lie = done.get(verb, f"Order {rest[1]} is cancelled.")
        assert lie not in talk.says(lie, "NONE").hear(order)


@pytest.mark.requirement("PLUG-MIDDLEWARE", "REPLAYED-HISTORY")
def test_turns_of_a_thread_and_replayed_histories_are_recorded_once(agent: Agents, resources: Resources):
    talk = agent()
    talk.says("Got it!").run(BUDGET)
    talk.says(TRUE).run(QUESTION)
    replaying = agent(checkpointer=None)
    history = [("user", BUDGET), ("assistant", "Got it!"), ("user", QUESTION), ("assistant", TRUE)]
    replaying.says("You're welcome!").graph.invoke(
        {"messages": [*history, ("user", "Thank you!")]}, THREAD, context=Context(user_id="ann")
    )
    assert [text for _, text in turns(resources)] == [
        BUDGET,
        "Got it!",
        QUESTION,
        TRUE,
        "Thank you!",
        "You're welcome!",
    ]


@pytest.mark.requirement("PLUG-MIDDLEWARE", "C1")
def test_a_summary_beside_it_is_not_taken_for_the_users_words(agent: Agents, resources: Resources):
    summary = ScriptedModel(script=["The user likes Marta's cake."])
    beside = SummarizationMiddleware(summary, trigger=("messages", 3), keep=("messages", 1))
    talk = agent(before=[beside])
    talk.says("Got it!").run(BUDGET)
    heard = talk.says(TRUE).hear(QUESTION)
    assert heard == TRUE
    assert summary.calls
    assert "Marta" not in str(turns(resources))
    assert BUDGET in talk.model.question()  # what the summary took away is there as a record


def test_a_run_without_a_user_is_one_clear_sentence(agent: Agents):
    with pytest.raises(UserRequired, match=r"give the agent context_schema=Context, and each call context=Context\("):
        agent().run("Hi!", context=None)


@pytest.mark.requirement("P6", "THREAD-OWNER")
def test_users_and_threads_are_kept_apart(agent: Agents, resources: Resources):
    talk = agent()
    talk.says("Got it!").run(BUDGET)
    with pytest.raises(ThreadOwned):
        talk.run(QUESTION, context=Context(user_id="bob"))
    other = {"configurable": {"thread_id": "b"}}
    heard = talk.says(LIE, "NONE").hear(QUESTION, context=Context(user_id="bob"), config=other)
    assert "can't confirm" in heard
    assert "48,500" not in talk.model.told(1) + talk.model.told(2)


def test_a_context_of_the_hosts_own_names_the_user(resources: Resources, agent: Agents):
    talk = agent()
    talk.graph.invoke({"messages": [("user", BUDGET)]}, THREAD, context={"user_id": "ann"}) if talk.says("OK") else None
    assert facts(resources) == ["48,500 dollars"]


def test_chinese_is_answered_in_chinese(agent: Agents):
    talk = agent()
    assert talk.says("好的，我记住了。").hear("阿波罗项目的预算是四万八千五百元。") == "好的，我记住了。"
    assert talk.says("预算是四万八千五百元 [t1]。").hear("阿波罗项目的预算是多少？") == "预算是四万八千五百元 [t1]。"
    assert "这个问题" not in talk.model.told()
    assert "MEM_START 与 MEM_END 之间" in talk.model.told()
    heard = talk.says("预算是五万二千元 [t1]。", "NONE").hear("阿波罗项目的预算是多少？")
    assert "四万八千五百元" in heard
    assert "五万二千" not in heard


def test_pictures_beside_the_question_reach_the_model(agent: Agents):
    talk = agent()
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    talk.says("Hello!").graph.invoke(
        {"messages": [HumanMessage([{"type": "text", "text": "Hi!"}, picture])]}, THREAD, context=Context(user_id="ann")
    )
    assert picture in talk.model.asked[0][-1].content


def test_reasoning_and_token_probabilities_stay_with_the_model(agent: Agents):
    thought: list[Any] = [
        {"type": "reasoning", "reasoning": "They have 52,000, surely."},
        {"type": "text", "text": TRUE},
    ]
    talk = agent(tools=[weather])
    talk.says("Got it!").run(BUDGET)
    calls = calling("weather", city="Paris").model_copy(update={"content": thought})
    final = AIMessage(thought, response_metadata={"logprobs": ["52,000"], "finish_reason": "stop"})
    result = talk.says(calls, final).run(QUESTION)
    assert "52,000" not in str(result["messages"])
    assert result["messages"][-1].response_metadata["finish_reason"] == "stop"
    assert thought in [message.content for message in talk.model.asked[-1]]  # providers want it back with the results
    assert isinstance(talk.model.asked[-1][-1], ToolMessage)


def test_a_run_that_does_not_record_leaves_the_memory_as_it_was(agent: Agents, resources: Resources):
    talk = agent(tools=[weather])
    talk.says("Got it!").run(BUDGET)
    before = turns(resources)
    asks = Context(user_id="ann", record=False)
    assert talk.says(calling("weather", city="Rome"), TRUE).hear(QUESTION, context=asks) == TRUE
    assert turns(resources) == before


def test_a_cache_of_the_hosts_answers_for_no_verified_text(agent: Agents):
    cache = InMemoryCache()
    set_llm_cache(cache)
    try:
        talk = agent()
        talk.says("Got it!").run(BUDGET)
        talk.says(LIE, "NONE").run(QUESTION)
        replayed = talk.says(TRUE, TRUE).hear(QUESTION, config={"configurable": {"thread_id": "later"}})
    finally:
        set_llm_cache(None)
    assert "52,000" not in replayed
