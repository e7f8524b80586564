"""What verified release adds to the wait for an answer: a scripted model that streams, with verification and without.

Run it from the checkout: ``.venv/bin/python bench/release_delay.py [--tokens-per-second 40] [--json]``. The model says the same words at
the same pace both times. "Bare" is when its first token, its first whole sentence and its last token are there; "verified" is when the
first verified sentence and the whole answer have been released by the graph, with everything that a turn does before the answer left out
(it is shown beside it).
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field

from veridical.graph import Context, Resources, build_graph
from veridical.memory.language.sentences import sentences
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

SAID = {
    "en": (
        "The final budget of Apollo is 48,500 dollars.",
        "Dana leads the design work and Omar handles the testing.",
        "The launch of Apollo moved from May 3 to May 17.",
        "The server has 64 GB of memory and the backup runs at 2:15 every night.",
    ),
    "zh": ("阿波罗项目的预算是48500美元。", "张伟负责设计，李娜负责测试。", "阿波罗的上线从五月三号推迟到五月十七号。"),
}
ASKED = {"en": "What do you know about Apollo, its budget and its launch?", "zh": "阿波罗项目的预算和上线时间是多少？"}
DRAFT = {
    "en": "Apollo's budget is 48,500 dollars. [t1] The launch of Apollo was moved to May 17. [t5]",
    "zh": "阿波罗项目的预算是48500美元。[t1]阿波罗的上线推迟到五月十七号。[t5]",
}


QUERIES = '{"queries": ["budget of Apollo", "launch of Apollo", "阿波罗 预算", "上线 时间"]}'


class Streaming(BaseChatModel):
    """Says one text token by token, at a pace; the first token comes after a wait."""

    text: str
    pace: float
    first: float
    began: list[float] = Field(default_factory=list)
    spoken: list[tuple[float, str]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "paced"

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        self.began.append(time.perf_counter())
        time.sleep(self.first)
        for piece in _tokens(self.text):
            self.spoken.append((time.perf_counter(), piece))
            yield ChatGenerationChunk(message=AIMessageChunk(piece))
            time.sleep(self.pace)

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        text = "".join(chunk.text for chunk in self._stream(messages))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])


def _tokens(text: str) -> list[str]:
    """Pieces of about four letters, or of one Chinese character and a half, as models stream them."""
    size = 4 if text.isascii() else 2
    return [text[start : start + size] for start in range(0, len(text), size)]


def measured(memory: Memory, language: str, pace: float, first: float) -> dict[str, float]:
    """One turn: seconds from the call of the model to what it has said, and to what has been released."""
    chat = Streaming(text=DRAFT[language], pace=pace, first=first)
    model = Model(chat, "paced", timeout=60, wait=lambda _: None)
    quick = Model(Streaming(text=QUERIES, pace=0, first=0), "quick", timeout=60, wait=lambda _: None)
    resources = Resources(memory=memory, clock=lambda: datetime(2026, 3, 9, 9, tzinfo=UTC), time_zone="UTC")
    graph = build_graph(replace(resources, models=Models(answer=model, rewrite=quick)))
    context = Context(user_id=language, session_id=f"asking-{language}", record=False)
    start = time.perf_counter()
    parts = graph.stream({"messages": [HumanMessage(ASKED[language])]}, context=context, stream_mode="custom")
    released = [time.perf_counter() for part in parts if part["type"] in {"sentence", "answer"}]
    called = chat.began[0]
    whole = sentences(DRAFT[language])[0].end
    said = 0
    first_sentence = next(at for at, piece in chat.spoken if (said := said + len(piece)) >= whole)
    return {
        "before the model is called": called - start,
        "bare, first token": chat.spoken[0][0] - called,
        "bare, first sentence": first_sentence - called,
        "bare, last token": chat.spoken[-1][0] - called,
        "verified, first sentence": released[0] - called,
        "verified, whole answer": released[-1] - called,
    }


def _told(memory: Memory) -> None:
    clock = lambda: datetime(2026, 3, 2, 9, tzinfo=UTC)  # noqa: E731 - a clock that stands still
    graph = build_graph(Resources(memory=memory, clock=clock, time_zone="UTC"))
    for language, texts in SAID.items():
        for text in texts:
            graph.invoke(
                {"messages": [HumanMessage(text)]}, context=Context(user_id=language, session_id=f"told-{language}")
            )


def report(runs: Sequence[dict[str, float]]) -> dict[str, float]:
    """The median of each figure, in milliseconds, and what verification added."""
    found = {name: 1000 * statistics.median(run[name] for run in runs) for name in runs[0]}
    added = {
        "added to the first sentence": found["verified, first sentence"] - found["bare, first sentence"],
        "added to the whole": found["verified, whole answer"] - found["bare, last token"],
    }
    return {name: round(value, 1) for name, value in (found | added).items()}


def main() -> None:
    """Measure both languages and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens-per-second", type=float, default=40.0)
    parser.add_argument("--first-token-ms", type=float, default=300.0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "data", open_embedder("hashing:256")) as memory:
        _told(memory)
        pace, first = 1 / given.tokens_per_second, given.first_token_ms / 1000
        results = {
            language: report([measured(memory, language, pace, first) for _ in range(given.runs + 1)][1:])
            for language in SAID
        }
    if given.json:
        print(json.dumps(results, indent=2))
        return
    for language, figures in results.items():
        print(f"{language}: milliseconds, medians of {given.runs} turns")
        for name, value in figures.items():
            print(f"  {name:30} {value:8.1f}")


if __name__ == "__main__":
    main()
