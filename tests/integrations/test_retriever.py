"""The memory as a LangChain retriever: LangChain's own tests, and the citations in the metadata."""

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import RetrieversIntegrationTests

from veridical.graph import Context, Resources, build_graph
from veridical.integrations import VeridicalRetriever
from veridical.memory.errors import UserRequired

TOLD = (
    "The budget of Apollo is 48,500 dollars.",
    "The budget of Apollo was discussed with Marta.",
    "The budget of Apollo needs a signature by Friday.",
    "The budget of Apollo pays for two trips to Lyon.",
)
QUESTION = "What about the budget of Apollo?"


@pytest.fixture
def told(resources: Resources) -> Resources:
    graph = build_graph(resources)
    for text in TOLD:
        graph.invoke({"messages": [("user", text)]}, context=Context(user_id="ann", session_id="s"))
    return resources


@pytest.mark.requirement("PLUG-RETRIEVER")
@pytest.mark.anyio
class TestStandard(RetrieversIntegrationTests):
    """LangChain's own tests of a retriever."""

    @pytest.fixture(autouse=True)
    def _open(self, told: Resources) -> None:
        self.told = told

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return VeridicalRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"resources": self.told, "user_id": "ann"}

    @property
    def retriever_query_example(self) -> str:
        return QUESTION


@pytest.mark.requirement("PLUG-RETRIEVER")
def test_each_document_cites_what_was_said(told: Resources):
    (first, *_) = VeridicalRetriever(resources=told, user_id="ann").invoke("How much is the budget of Apollo?")
    assert first.page_content == TOLD[0]
    cited = first.metadata
    assert (first.id, cited["kind"], cited["turn_id"], cited["session_id"]) == ("f1", "fact", "t1", "s")
    assert (cited["speaker"], cited["source"]) == ("user", "user_input")
    assert cited["observed_at"].startswith("2026-03-02T09:00")
    assert 0 < cited["confidence"] <= 1
    assert cited["score"] > 0


def test_a_time_to_look_back_from_hides_what_came_later(told: Resources):
    retriever = VeridicalRetriever(resources=told, user_id="ann")
    assert retriever.invoke(QUESTION, as_of=datetime(2026, 3, 1, tzinfo=UTC)) == []
    assert (
        VeridicalRetriever(resources=told, user_id="ann", as_of=datetime(2026, 3, 1, tzinfo=UTC)).invoke(QUESTION) == []
    )


def test_documents_come_with_title_and_version(told: Resources, tmp_path: Any):
    from veridical.memory.knowledge.reading import read_document

    path = tmp_path / "prices.md"
    path.write_text("# Prices\n\nThe premium plan costs 4,200 dollars.\n", encoding="utf-8")
    told.memory.knowledge.add("ann", read_document(path), now=told.clock())
    found = VeridicalRetriever(resources=told, user_id="ann").invoke("How much does the premium plan cost?")
    chunk = next(one for one in found if one.metadata["kind"] == "chunk")
    assert (chunk.metadata["version"], chunk.metadata["source"]) == (1, "external_knowledge")
    assert "prices" in chunk.metadata["title"].lower()


@pytest.mark.requirement("P6")
def test_whose_memory_it_is_is_said_or_it_is_one_sentence(told: Resources):
    retriever = VeridicalRetriever(resources=told)
    assert retriever.invoke(QUESTION, {"metadata": {"user_id": "ann"}})
    assert retriever.invoke(QUESTION, {"metadata": {"user_id": "bob"}}) == []
    with pytest.raises(UserRequired, match="give VeridicalRetriever a user_id"):
        retriever.invoke(QUESTION)
