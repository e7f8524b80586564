"""A turn whose embedder is away goes on, and says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from tests.fakes import StatusError
from tests.memory.retrieval.test_guarded import Provider
from veridical.graph import Context, Resources, build_graph
from veridical.graph.recall import recall
from veridical.memory.retrieval.embedders import LangChainEmbedder
from veridical.memory.store import Memory

from .conftest import Clock

CONTEXT = Context(user_id="ann", session_id="s")
BUDGET = "The budget of Apollo is 48,500 dollars."


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def away(tmp_path: Path, provider: Provider, clock: Clock) -> Iterator[Resources]:
    """Resources whose embedder refuses its key."""
    provider.fails = StatusError(401)
    with Memory(tmp_path / "away", LangChainEmbedder("fake:model", provider)) as memory:
        yield Resources(memory=memory, clock=clock, time_zone="UTC")


@pytest.mark.requirement("EMBEDDER-AWAY", "P3")
def test_a_turn_goes_on_without_its_embedder_and_its_trace_says_so(away: Resources) -> None:
    graph = build_graph(away)
    graph.invoke({"messages": [HumanMessage(BUDGET)]}, context=CONTEXT)
    noted = away.memory.answer("ann") or {}
    assert [leg["leg"] for leg in noted["failed"]] == ["embedding"]

    result = graph.invoke({"messages": [HumanMessage("What is the budget of Apollo?")]}, context=CONTEXT)
    assert "48,500" in result["answer"].text
    assert [cited.turn_id for cited in result["answer"].citations] == ["t1"]
    trace = away.memory.answer("ann") or {}
    assert [leg["leg"] for leg in trace["failed"]] == ["dense", "embedding"]
    assert all("401" in leg["reason"] for leg in trace["failed"])
    assert away.memory.vectors.pending("ann") == 4


@pytest.mark.requirement("EMBEDDER-AWAY", "CLI-RECALL-JSON")
def test_a_recall_names_the_leg_that_failed_and_only_then(away: Resources, resources: Resources) -> None:
    for each, failed in ((away, ["dense"]), (resources, [])):
        build_graph(each).invoke({"messages": [HumanMessage(BUDGET)]}, context=CONTEXT)
        found = recall(each, "What is the budget of Apollo?", CONTEXT)
        assert found["results"][0]["turn_id"] == "t1"
        assert [leg["leg"] for leg in found.get("failed", ())] == failed
        assert ("failed" in found) == bool(failed)


@pytest.mark.requirement("EMBEDDER-AWAY")
def test_what_waited_is_embedded_when_the_memory_is_asked_to_again(
    away: Resources, provider: Provider, tmp_path: Path
) -> None:
    build_graph(away).invoke({"messages": [HumanMessage(BUDGET)]}, context=CONTEXT)
    provider.fails = None
    with Memory(tmp_path / "away", LangChainEmbedder("fake:model", provider)) as reopened:
        assert reopened.embed_waiting() is None
        assert reopened.vectors.pending() == 0
