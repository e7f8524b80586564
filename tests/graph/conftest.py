"""A graph on a real store, with a deterministic embedder and a clock that the test moves."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridical.graph.build import build_graph
from veridical.graph.guard import VeridicalGraph
from veridical.memory.records import Answer
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources


class Clock:
    """A clock that stands still unless it is moved; each reading is a millisecond after the last."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def advance(self, **delta: float) -> None:
        self.now += timedelta(**delta)


@pytest.fixture
def clock() -> Clock:
    return Clock(datetime(2026, 3, 2, 9, tzinfo=UTC))


@pytest.fixture
def resources(tmp_path: Path, clock: Clock) -> Iterator[Resources]:
    with Memory(tmp_path / "data", open_embedder("hashing:256")) as memory:
        yield Resources(memory=memory, clock=clock, time_zone="UTC")


@pytest.fixture
def graph(resources: Resources) -> VeridicalGraph:
    return build_graph(resources)


@pytest.fixture
def say(graph: VeridicalGraph) -> Callable[..., str]:
    """Say something as a user in a session and hear the answer."""

    def _say(text: str, *, user: str = "ann", session: str = "s1", **context: object) -> str:
        result = graph.invoke(
            {"messages": [("user", text)]}, context=Context(user_id=user, session_id=session, **context)
        )
        return str(result["messages"][-1].text)

    return _say


@pytest.fixture
def tell(graph: VeridicalGraph) -> Callable[..., Answer]:
    """Say some lines as a user in a session, and hear the last answer with its claims and citations."""

    def _tell(*lines: str, user: str = "ann", session: str = "s") -> Answer:
        for line in lines:
            context = Context(user_id=user, session_id=session)
            found: Answer = graph.invoke({"messages": [("user", line)]}, context=context)["answer"]
        return found

    return _tell


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with its golden file; ``--update-golden`` writes the file instead."""

    def _compare(name: str, text: str) -> None:
        path = Path(__file__).parent / "golden" / name
        if request.config.getoption("update_golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return _compare
