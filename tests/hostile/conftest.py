"""A memory whose user has said what is true, and the graph over it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from veridical.graph.build import build_graph
from veridical.memory.records import Answer, Item, Language
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.items import list_items
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

from .corpus import LIE, TRUTH, clock, turn


class Victim:
    """A memory in which the truth was said, and that is attacked."""

    def __init__(self, folder: Path, language: Language) -> None:
        self.language = language
        self.memory = Memory(folder, open_embedder("hashing:64"))
        self.clock = clock()
        self.resources = Resources(memory=self.memory, clock=self.clock, time_zone="UTC")
        self.truth, self.question, self.value = TRUTH[language]
        self.memory.record(turn(self.truth, 0, language), now=self.clock())
        self.items = self.stored()
        self.state = self.fields()

    def stored(self) -> list[Item]:
        """Every item of the user, live or not."""
        with self.memory.database.read() as connection:
            return list_items(connection, "ann", live_only=False)

    def fields(self) -> dict[str, object]:
        """MEMORY_STATE without what counts its versions."""
        return self.memory.state("ann").model_dump(exclude={"version", "last_updated"})

    def ask(self, resources: Resources | None = None, **given: object) -> Answer:
        """The answer to the question for the truth."""
        context = Context(user_id="ann", session_id="s", record=False, **given)
        graph = build_graph(resources or self.resources)
        answer: Answer = graph.invoke({"messages": [("user", self.question)]}, context=context)["answer"]
        return answer

    def check(self) -> None:
        """Nothing is stored, held or answered but the truth."""
        assert [(item.value, item.source) for item in self.stored() if LIE in item.value] == []
        assert [item for item in self.stored() if item.live] == self.items
        assert self.fields() == self.state
        answer = self.ask()
        assert self.value in answer.text, answer.text
        assert LIE not in answer.text, answer.text


@pytest.fixture
def victims(tmp_path: Path) -> Iterator[Callable[[Language], Victim]]:
    """Memories to attack, closed afterwards."""
    opened: list[Victim] = []

    def open_(language: Language) -> Victim:
        opened.append(Victim(tmp_path / f"data{len(opened)}", language))
        return opened[-1]

    yield open_
    for one in opened:
        one.memory.close()
