"""The graph: four entry points and one answer, threads that resume and belong to somebody, and nothing leaked."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver

from veridical.graph.build import build_builder, build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.graph.guard import VeridicalGraph
from veridical.memory.errors import BadInput, ThreadOwned, UserRequired
from veridical.nodes.contract import Context, Resources, State

ANN = Context(user_id="ann")
BUDGET = "The final budget of Apollo is 48,500 dollars."
QUESTION = "What is the budget of Apollo?"


def thread(name: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": name}}


def message(text: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(text)]}


@pytest.fixture
def threaded(resources: Resources) -> VeridicalGraph:
    return build_graph(resources, checkpointer=InMemorySaver())


@pytest.mark.requirement("GRAPH-FOUR-ENTRY-POINTS", "P5")
def test_the_four_entry_points_give_the_same_answer_on_one_thread(threaded: VeridicalGraph):
    threaded.invoke(message(BUDGET), thread("t"), context=ANN)

    async def asynchronously() -> list[str]:
        invoked = await threaded.ainvoke(message(QUESTION), thread("t"), context=ANN)
        streamed = [
            part async for part in threaded.astream(message(QUESTION), thread("t"), context=ANN, stream_mode="values")
        ]
        return [invoked["messages"][-1].text, streamed[-1]["messages"][-1].text]

    invoked = threaded.invoke(message(QUESTION), thread("t"), context=ANN)
    streamed = list(threaded.stream(message(QUESTION), thread("t"), context=ANN, stream_mode="values"))
    texts = [invoked["messages"][-1].text, streamed[-1]["messages"][-1].text, *asyncio.run(asynchronously())]
    assert len(set(texts)) == 1
    assert "48,500 dollars" in texts[0]
    assert invoked["answer"].mode == "floor"


@pytest.mark.requirement("GRAPH-RESUME")
@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_a_thread_resumes_after_a_restart(
    resources: Resources, tmp_path: Path, durability: str, caplog: pytest.LogCaptureFixture
):
    for text in (BUDGET, QUESTION):
        saver = open_checkpointer(tmp_path)
        result = build_graph(resources, checkpointer=saver).invoke(
            message(text), thread("t"), context=ANN, durability=durability
        )
        saver.conn.close()
    assert [said.text for said in result["messages"] if isinstance(said, HumanMessage)] == [BUDGET, QUESTION]
    assert "48,500" in result["messages"][-1].text
    assert not [record for record in caplog.records if "unregistered type" in record.message]


@pytest.mark.requirement("GRAPH-RESUME")
def test_the_checkpointer_serves_both_kinds_of_entry_points(resources: Resources, tmp_path: Path):
    saver = open_checkpointer(tmp_path)
    graph = build_graph(resources, checkpointer=saver)

    async def asynchronously() -> list[Any]:
        await graph.ainvoke(message(BUDGET), thread("t"), context=ANN)
        states = [state async for state in graph.aget_state_history(thread("t"))]
        await saver.adelete_thread("t")
        return states

    assert len(asyncio.run(asynchronously())) > 3
    assert graph.get_state(thread("t")).values == {}
    saver.conn.close()


@pytest.mark.requirement("GRAPH-RESET")
def test_what_belongs_to_one_turn_is_reset_at_the_next(threaded: VeridicalGraph):
    threaded.invoke(message(BUDGET), thread("t"), context=ANN)
    threaded.invoke(message(QUESTION), thread("t"), context=ANN)
    asked = threaded.get_state(thread("t")).values
    assert asked["hits"]
    assert asked["queries"]
    threaded.invoke(message("Thanks!"), thread("t"), context=ANN)
    thanked = threaded.get_state(thread("t")).values
    assert [thanked[key] for key in ("hits", "queries", "kept", "dropped", "evidence")] == [[], [], [], [], []]


@pytest.mark.requirement("GRAPH-RESET")
def test_the_state_keeps_few_messages_however_long_the_conversation(resources: Resources):
    from dataclasses import replace

    graph = build_graph(replace(resources, buffer=2), checkpointer=InMemorySaver())
    for number in range(6):
        result = graph.invoke(
            message(f"Note {number}: the code of room {number} is {number}{number}."), thread("t"), context=ANN
        )
    assert len(result["messages"]) == 4


@pytest.mark.requirement("C24", "P3")
def test_every_turn_is_in_the_log_however_far_the_buffer_has_moved_on(say: Callable[..., str], resources: Resources):
    for number in range(30):
        say(f"The code of room {number} is {number}{number}.")
    log = resources.memory.opening("ann", "s1", 1000)
    assert [turn.text for turn in log if turn.role == "user"] == [
        f"The code of room {number} is {number}{number}." for number in range(30)
    ]


@pytest.mark.requirement("GRAPH-BOUNDED")
def test_a_question_without_an_answer_ends_after_one_further_hop_at_most(graph: VeridicalGraph):
    steps = [
        name
        for part in graph.stream(
            message("Who is the manager of Borealis?"),
            context=Context(user_id="ann", session_id="s"),
            stream_mode="updates",
        )
        for name in part
    ]
    assert steps.count("calibrate") <= 2


@pytest.mark.requirement("THREAD-OWNER", "P6")
@pytest.mark.parametrize("mode", ["values", "updates", "messages", "custom", "debug"])
def test_another_users_call_on_a_thread_is_an_error_and_shows_nothing_of_it(threaded: VeridicalGraph, mode: str):
    threaded.invoke(message(BUDGET), thread("t"), context=ANN)
    seen = []
    with pytest.raises(ThreadOwned, match="another user"):
        seen.extend(threaded.stream(message("hi"), thread("t"), context=Context(user_id="bob"), stream_mode=mode))

    async def asynchronously() -> None:
        async for part in threaded.astream(
            message("hi"), thread("t"), context=Context(user_id="bob"), stream_mode=mode
        ):
            seen.append(part)  # noqa: PERF401 - an error ends the loop

    with pytest.raises(ThreadOwned):
        asyncio.run(asynchronously())
    assert seen == []


@pytest.mark.requirement("THREAD-OWNER")
def test_a_copy_of_the_graph_guards_its_threads_too(threaded: VeridicalGraph):
    threaded.invoke(message(BUDGET), thread("t"), context=ANN)
    with pytest.raises(ThreadOwned):
        threaded.with_config(tags=["copy"]).invoke(message("hi"), thread("t"), context=Context(user_id="bob"))


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("context", [None, Context(), {}, {"user_id": ""}])
def test_a_run_without_a_user_is_an_error_that_says_what_to_pass(graph: VeridicalGraph, context: Any):
    with pytest.raises(UserRequired, match="user_id"):
        graph.invoke(message("hi"), context=context)


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_an_unknown_field_of_the_context_is_named(graph: VeridicalGraph):
    with pytest.raises(BadInput, match="usr_id"):
        graph.invoke(message("hi"), context={"usr_id": "ann"})


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("messages", [[], [AIMessage("hello")], [HumanMessage("  ")]])
def test_a_call_without_words_is_an_error_that_says_what_to_send(graph: VeridicalGraph, messages: list[Any]):
    with pytest.raises(BadInput, match="send"):
        graph.invoke({"messages": messages}, context=ANN)


@pytest.mark.requirement("REPLAYED-HISTORY")
def test_a_client_that_sends_all_messages_each_time_adds_only_the_new_ones(graph: VeridicalGraph, resources: Resources):
    context = Context(user_id="ann", session_id="s")
    history: list[Any] = []
    for text in (BUDGET, "yes", "yes", QUESTION):
        history.append(("user", text))
        result = graph.invoke({"messages": history}, context=context)
        history.append(("assistant", result["messages"][-1].text))
    log = resources.memory.opening("ann", "s", 100)
    assert [turn.text for turn in log] == [text for _, text in history]


@pytest.mark.requirement("REPLAYED-HISTORY")
def test_a_history_that_is_sent_again_is_answered_again_and_not_recorded_again(
    graph: VeridicalGraph, resources: Resources
):
    context = Context(user_id="ann", session_id="s")
    first = graph.invoke(message(BUDGET), context=context)["messages"][-1].text
    history = [("user", BUDGET), ("assistant", first), ("user", QUESTION)]
    answers = [graph.invoke({"messages": history}, context=context)["messages"][-1].text for _ in range(2)]
    assert answers[0] == answers[1]
    assert [turn.text for turn in resources.memory.opening("ann", "s", 100) if turn.role == "user"] == [
        BUDGET,
        QUESTION,
    ]


@pytest.mark.requirement("REPLAYED-HISTORY")
def test_a_message_that_is_sent_again_under_its_id_is_recorded_once(graph: VeridicalGraph, resources: Resources):
    context = Context(user_id="ann", session_id="s")
    for _ in range(2):
        graph.invoke({"messages": [HumanMessage(BUDGET, id="m1")]}, context=context)
    assert [turn.text for turn in resources.memory.opening("ann", "s", 100) if turn.role == "user"] == [BUDGET]


@pytest.mark.requirement("MESSAGE-FORMS", "P2")
def test_list_content_and_tool_messages_are_stored_with_the_source_of_their_channel(
    graph: VeridicalGraph, resources: Resources
):
    parts = [
        {"type": "text", "text": BUDGET},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
    ]
    call = {"name": "prices", "args": {}, "id": "c1"}
    graph.invoke(
        {
            "messages": [
                HumanMessage(parts),
                AIMessage("", tool_calls=[call]),
                ToolMessage("The list price is 51,000 dollars.", tool_call_id="c1", name="prices"),
                HumanMessage("Noted."),
            ]
        },
        context=Context(user_id="ann", session_id="s"),
    )
    graph.invoke({"messages": [HumanMessage(parts)]}, context=Context(user_id="ann", session_id="s2"))
    log = resources.memory.opening("ann", "s", 100)
    assert [(turn.text, turn.source) for turn in log[:2]] == [
        ("The list price is 51,000 dollars.", "external_knowledge"),
        ("Noted.", "user_input"),
    ]
    assert resources.memory.opening("ann", "s2", 1)[0].text == BUDGET


@pytest.mark.requirement("C31", "C37")
def test_what_one_terminal_learns_another_uses_in_its_next_answer(say: Callable[..., str]):
    say(BUDGET, session="phone", terminal="phone")
    assert "48,500" in say(QUESTION, session="web", terminal="web")
    say("That's wrong, the budget of Apollo is 52,000 dollars.", session="web", terminal="web")
    answer = say(QUESTION, session="phone", terminal="phone")
    assert "52,000" in answer
    assert "48,500" not in answer


@pytest.mark.requirement("ASK-CHANGES-NOTHING")
def test_a_run_that_does_not_record_leaves_the_memory_as_it_was(say: Callable[..., str], resources: Resources):
    say(BUDGET)
    before = (resources.memory.opening("ann", "s1", 100), resources.memory.state("ann"))
    assert "48,500" in say(QUESTION, record=False)
    assert (resources.memory.opening("ann", "s1", 100), resources.memory.state("ann")) == before


@pytest.mark.requirement("NO-DRAFT-LEAKS")
def test_the_messages_stream_shows_the_released_answer_once(graph: VeridicalGraph):
    context = Context(user_id="ann", session_id="s")
    graph.invoke(message(BUDGET), context=context)
    parts = list(graph.stream(message(QUESTION), context=context, stream_mode=["messages", "custom", "values"]))
    shown = [data[0] for mode, data in parts if mode == "messages" and isinstance(data[0], AIMessage)]
    final = [data for mode, data in parts if mode == "values"][-1]["messages"][-1]
    assert "".join(part.text for part in shown) == final.text
    assert {part.id for part in shown} == {final.id}
    events = [data for mode, data in parts if mode == "custom"]
    assert [(event["type"], event["text"]) for event in events] == [("sentence", final.text), ("answer", final.text)]
    assert events[0]["citations"][0]["quote"] in BUDGET


@pytest.mark.requirement("GRAPH-DRAWING")
def test_the_drawing_equals_its_golden_file(graph: VeridicalGraph, golden: Callable[[str, str], None]):
    golden("graph.mmd", graph.get_graph().draw_mermaid(with_styles=False))


@pytest.mark.requirement("GRAPH-DRAWING")
def test_the_schemas_equal_their_golden_file(graph: VeridicalGraph, golden: Callable[[str, str], None]):
    schemas = {
        "input": graph.get_input_jsonschema(),
        "output": graph.get_output_jsonschema(),
        "context": graph.get_context_jsonschema(),
    }
    golden("schemas.json", json.dumps(schemas, indent=2, ensure_ascii=False, sort_keys=True) + "\n")


@pytest.mark.requirement("GRAPH-DRAWING")
def test_every_node_is_reachable_and_leads_to_the_end(resources: Resources):
    drawing = build_graph(resources).get_graph()
    after: dict[str, set[str]] = {}
    for edge in drawing.edges:
        after.setdefault(edge.source, set()).add(edge.target)
    seen, waiting = {"__start__"}, ["__start__"]
    while waiting:
        for name in after.get(waiting.pop(), set()) - seen:
            seen.add(name)
            waiting.append(name)
    assert seen == set(drawing.nodes)
    assert all(name in after for name in drawing.nodes if name != "__end__")


def test_every_key_that_a_node_returns_exists_in_the_state(resources: Resources):
    import typing

    keys = set(typing.get_type_hints(State))
    for name, node in build_builder(resources).nodes.items():
        returned = typing.get_type_hints(node.runnable.func.__wrapped__)["return"]
        assert set(typing.get_type_hints(returned)) <= keys, name
