"""The graph in a host: as a node of another graph, as a step of a chain, with the host's own parts, whoever runs it."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from veridical.graph import Context, Settings, VeridicalGraph, build_builder, build_graph, open_resources
from veridical.graph.models import name_of
from veridical.memory.errors import BadInput, ThreadOwned, UserRequired, WrongEmbedder
from veridical.nodes.contract import Resources

from ..fakes import ScriptedModel

BUDGET = "The budget of Apollo is 48,500 dollars."
QUESTION = "What is the budget of Apollo?"
TOLD = {"messages": [("user", BUDGET)]}
ASKED = {"messages": [("user", QUESTION)]}


@dataclass(frozen=True)
class Tenancy:
    """A context of a host's own, in which a name of ours means something else."""

    user_id: str
    language: str = "de"


@dataclass(frozen=True, slots=True)
class Desk(Context):
    """A context of a host's that is derived from ours."""

    desk: str = ""


def on(name: str, **configurable: str) -> Any:
    """The config of a thread."""
    return {"configurable": {"thread_id": name, **configurable}}


def around(node: Any, schema: type | None = None, **options: Any) -> Any:
    """A host's graph with one node."""
    builder = StateGraph(MessagesState, context_schema=schema)
    builder.add_node("remembers", node)
    builder.add_edge(START, "remembers")
    return builder.compile(**options)


def said(result: Any) -> str:
    """The last message."""
    return str(result["messages"][-1].text)


@pytest.mark.requirement("EMBED-NODE")
@pytest.mark.parametrize(
    ("schema", "context"),
    [
        (Context, Context(user_id="ann")),
        (Context, {"user_id": "ann"}),
        (Tenancy, Tenancy("ann")),
        (None, {"user_id": "ann"}),
    ],
    ids=["ours", "ours-as-a-dict", "the-hosts", "without-a-schema"],
)
def test_as_a_node_the_graph_has_user_and_thread_of_the_graph_around_it(
    graph: VeridicalGraph, resources: Resources, schema: type | None, context: Any
):
    host = around(graph, schema, checkpointer=InMemorySaver())

    async def asynchronously() -> list[str]:
        invoked = await host.ainvoke(ASKED, on("t"), context=context)
        streamed = [part async for part in host.astream(ASKED, on("t"), context=context, stream_mode="values")]
        return [said(invoked), said(streamed[-1])]

    host.invoke(TOLD, on("t"), context=context)
    streamed = list(host.stream(ASKED, on("t"), context=context, stream_mode="values"))
    answers = {said(streamed[-1]), said(host.invoke(ASKED, on("t"), context=context)), *asyncio.run(asynchronously())}
    assert all("48,500 dollars" in answer for answer in answers)
    assert resources.memory.opening("ann", "t", 1)[0].text == BUDGET


@pytest.mark.requirement("EMBED-NODE", "NO-DRAFT-LEAKS")
def test_what_a_node_releases_comes_through_the_streams_of_the_graph_around_it(graph: VeridicalGraph):
    host = around(graph, Context)
    host.invoke(TOLD, context=Context("ann"))
    parts = list(
        host.stream(ASKED, context=Context("ann"), stream_mode=["messages", "updates", "custom"], subgraphs=True)
    )
    texts = [data[0].text for _, mode, data in parts if mode == "messages" and isinstance(data[0], AIMessageChunk)]
    assert "".join(texts).startswith("48,500 dollars")
    assert "perceive" in [name for space, mode, data in parts if mode == "updates" and space for name in data]
    assert [data["type"] for _, mode, data in parts if mode == "custom"] == ["sentence", "answer"]
    assert "remembers:calibrate" in host.get_graph(xray=True).nodes


@pytest.mark.requirement("EMBED-NODE")
def test_a_node_that_calls_the_graph_by_hand_speaks_for_its_own_user_in_its_own_thread(
    graph: VeridicalGraph, resources: Resources
):
    def by_hand(state: MessagesState, runtime: Runtime[Tenancy]) -> dict[str, Any]:
        return {"messages": graph.invoke({"messages": state["messages"]})["messages"]}

    around(by_hand, Tenancy, checkpointer=InMemorySaver()).invoke(TOLD, on("t"), context=Tenancy("ann"))
    assert resources.memory.opening("ann", "t", 1)[0].text == BUDGET


@pytest.mark.requirement("EMBED-CONTEXT")
def test_the_user_may_stand_in_the_config_as_well_and_the_context_goes_before_it(
    graph: VeridicalGraph, resources: Resources
):
    graph.invoke(TOLD, on("t", user_id="ann"))
    graph.invoke(TOLD, on("u", user_id="ann"), context={"user_id": "bob", "language": "zh"})
    around(graph).invoke(TOLD, on("v", user_id="cid"))
    owners = [
        resources.memory.opening(user, thread, 1)[0].text for user, thread in (("ann", "t"), ("bob", "u"), ("cid", "v"))
    ]
    assert owners == [BUDGET] * 3


@pytest.mark.requirement("EMBED-CONTEXT", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("context", [None, Tenancy(""), {"tenant": "x"}])
def test_a_graph_around_that_names_no_user_is_told_so(graph: VeridicalGraph, context: Any):
    with pytest.raises(UserRequired, match="user_id"):
        around(graph, Tenancy if isinstance(context, Tenancy) else None).invoke(TOLD, context=context)


@pytest.mark.requirement("EMBED-CONTEXT")
def test_a_context_derived_from_ours_counts_with_all_its_fields(graph: VeridicalGraph, resources: Resources):
    around(graph, Desk).invoke(TOLD, context=Desk(user_id="ann", terminal="till", session_id="s", desk="north"))
    assert resources.memory.opening("ann", "s", 1)[0].terminal == "till"


@pytest.mark.requirement("EMBED-CONTEXT", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("field", "says"),
    [
        ({"language": "de"}, "language 'de' will not do"),
        ({"limit": 0}, "limit 0 will not do"),
        ({"as_of": "2026-03-01"}, "as_of .* will not do"),
        ({"as_of": "2026"}, "as_of '2026' will not do"),
        ({"as_of": 2026}, "as_of 2026 will not do"),
        ({"colour": "red"}, "no field 'colour'"),
    ],
)
def test_a_field_of_a_context_that_will_not_do_is_named(graph: VeridicalGraph, field: dict[str, Any], says: str):
    with pytest.raises(BadInput, match=says):
        graph.invoke(TOLD, context={"user_id": "ann", **field})


@pytest.mark.requirement("EMBED-CONTEXT")
def test_a_time_that_came_over_a_wire_is_read(say: Callable[..., str], graph: VeridicalGraph):
    say(BUDGET)
    context = {"user_id": "ann", "record": False, "recorded_as_of": "2026-03-01T00:00:00Z"}
    assert "48,500" not in said(graph.invoke(ASKED, context=context))
    assert "48,500" in said(graph.invoke(ASKED, context={**context, "recorded_as_of": "2026-03-03T00:00:00Z"}))


@pytest.mark.requirement("EMBED-CONTEXT", "THREAD-OWNER")
def test_behind_a_door_that_knows_who_signed_in_nobody_speaks_for_another(graph: VeridicalGraph):
    signed_in = on("t", langgraph_auth_user_id="ann")
    graph.invoke(TOLD, signed_in)
    with pytest.raises(BadInput, match="'ann' is signed in"):
        graph.invoke(ASKED, signed_in, context=Context("bob"))


@pytest.mark.requirement("THREAD-OWNER")
def test_a_thread_that_is_bound_to_the_graph_has_its_owner_too(resources: Resources):
    bound = build_graph(resources, checkpointer=InMemorySaver()).with_config(configurable={"thread_id": "t"})
    bound.invoke(TOLD, context=Context("ann"))
    with pytest.raises(ThreadOwned):
        bound.invoke(ASKED, context=Context("bob"))


@pytest.mark.requirement("THREAD-OWNER", "GRAPH-BOUNDED")
def test_a_host_that_compiles_the_builder_itself_gets_a_guarded_graph(resources: Resources):
    compiled = build_builder(resources).compile(InMemorySaver(), name="mine", interrupt_before=["compress"])
    compiled.invoke(TOLD, on("t"), context=Context("ann"))
    compiled.invoke(ASKED, on("t"), context=Context("ann"))
    assert (compiled.name, compiled.config, compiled.get_state(on("t")).next) == (
        "mine",
        {"recursion_limit": 30},
        ("compress",),
    )
    with pytest.raises(ThreadOwned):
        compiled.invoke(None, on("t"), context=Context("bob"))
    assert "48,500" in said(compiled.invoke(None, on("t"), context=Context("ann")))


def in_a_chain(graph: Runnable[Any, Any]) -> Runnable[Any, str]:
    """The graph between a prompt and a parser."""
    return (
        ChatPromptTemplate([("user", "{words}")]) | graph | itemgetter("messages") | itemgetter(-1) | StrOutputParser()
    )


@pytest.mark.requirement("EMBED-CHAIN")
def test_in_a_chain_the_graph_takes_a_prompt_and_gives_an_answer_through_every_entry_point(graph: VeridicalGraph):
    chain = in_a_chain(graph.bind(context=Context("ann"), stream_mode="values"))
    chain.invoke({"words": BUDGET})
    asked = {"words": QUESTION}

    async def asynchronously() -> list[str]:
        streamed = [piece async for piece in chain.astream(asked)]
        return [await in_a_chain(graph).ainvoke(asked, {"configurable": {"user_id": "ann"}}), streamed[-1]]

    answers = [chain.invoke(asked), *chain.batch([asked]), [*chain.stream(asked)][-1], *asyncio.run(asynchronously())]
    assert len(set(answers)) == 1
    assert answers[0].startswith("48,500 dollars")


class Overhearing(BaseCallbackHandler):
    """A host's callback that keeps every token it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def on_llm_new_token(self, token: str, **_: Any) -> None:
        self.heard.append(token)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "hosted", embeddings="hashing:64")


@pytest.mark.requirement("EMBED-PARTS", "NO-DRAFT-LEAKS")
def test_the_hosts_model_drafts_and_neither_its_own_callbacks_nor_the_runs_hear_a_draft(settings: Settings):
    ears = Overhearing()
    model = ScriptedModel(script=["{}", "{}", "Apollo costs 48,500 dollars [t1]."], callbacks=[ears])
    with open_resources(settings, model=model) as resources:
        graph = build_graph(resources)
        graph.invoke(TOLD, context=Context("ann"))
        answer = graph.invoke(ASKED, {"callbacks": [ears]}, context=Context("ann"))["answer"]
    assert answer.mode == "model"
    assert "48,500" in answer.text
    assert "".join(ears.heard) in {"", answer.text}
    assert model.callbacks == [ears]


@pytest.mark.requirement("EMBED-PARTS", "WRONG-EMBEDDER")
def test_the_hosts_embeddings_embed_and_the_store_remembers_which(settings: Settings):
    embeddings = DeterministicFakeEmbedding(size=32)
    with open_resources(settings, embeddings=embeddings) as resources:
        build_graph(resources).invoke(TOLD, context=Context("ann"))
        assert (resources.memory.embedder.name, resources.memory.embedder.dimensions) == (
            "DeterministicFakeEmbedding",
            32,
        )
    with pytest.raises(WrongEmbedder, match="DeterministicFakeEmbedding"), open_resources(settings):
        pass
    with open_resources(settings, embeddings=embeddings) as resources:
        assert "48,500" in said(build_graph(resources).invoke(ASKED, context=Context("ann")))


def test_a_model_of_the_hosts_has_the_name_that_a_setting_would_give_it(monkeypatch: pytest.MonkeyPatch):
    from langchain_openai import ChatOpenAI, OpenAIEmbeddings

    monkeypatch.setenv("OPENAI_API_KEY", "none")
    assert name_of(ChatOpenAI(model="gpt-5-mini")) == "openai:gpt-5-mini"
    assert name_of(OpenAIEmbeddings(model="text-embedding-3-small")) == "openai:text-embedding-3-small"


@pytest.fixture
def prices() -> Iterator[InMemoryVectorStore]:
    """A host's vector store with one document of reference knowledge."""
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=32))
    store.add_documents([Document("The premium plan costs 4,200 dollars a year.", metadata={"source": "prices.md"})])
    return store


@pytest.mark.requirement("EMBED-PARTS", "KNOWLEDGE-RETRIEVER")
def test_the_hosts_vector_store_is_the_reference_knowledge(settings: Settings, prices: InMemoryVectorStore):
    with open_resources(settings, retriever=prices.as_retriever()) as resources:
        result = build_graph(resources).invoke(
            {"messages": [("user", "What does the premium plan cost?")]}, context=Context("ann")
        )
    assert "4,200 dollars" in said(result)
    assert "[c1: prices.md #" in said(result)


class OfUsers(BaseRetriever):
    """A retriever that keeps documents apart by user."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        owner = (run_manager.metadata or {})["user_id"]
        return [Document(f"The premium plan costs {len(owner)},200 dollars a year.", id=f"prices of {owner}")]


@pytest.mark.requirement("EMBED-PARTS", "KNOWLEDGE-RETRIEVER", "P6")
def test_a_retriever_of_the_hosts_is_told_who_asks(settings: Settings):
    with open_resources(settings, retriever=OfUsers()) as resources:
        asked = {"messages": [("user", "What does the premium plan cost?")]}
        told = [said(build_graph(resources).invoke(asked, context=Context(user))) for user in ("ann", "bobby")]
    assert ["3,200 dollars" in told[0], "5,200 dollars" in told[1]] == [True, True]


@pytest.mark.requirement("EMBED-PARTS", "GRAPH-RESUME")
def test_the_hosts_asynchronous_checkpointer_keeps_the_thread(resources: Resources):
    async def asynchronously() -> list[Any]:
        async with AsyncSqliteSaver.from_conn_string(":memory:") as saver:
            graph = build_graph(resources, checkpointer=saver)
            await graph.ainvoke(TOLD, on("t"), context=Context("ann"))
            await graph.ainvoke(ASKED, on("t"), context=Context("ann"))
            return (await graph.aget_state(on("t"))).values["messages"]  # type: ignore[no-any-return]

    messages = asyncio.run(asynchronously())
    assert [type(message) for message in messages] == [HumanMessage, AIMessage] * 2
