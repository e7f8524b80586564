"""What a question by number costs: the structured lookup of a clause beside a similarity search over the same chunks.

Run it from the checkout: ``.venv/bin/python bench/clauses.py [--sizes 1k,10k] [--json]``. The store is filled with statutes and contracts in
four versions each, in both languages. "Structured" reads the question, resolves document, version and number, and fetches the text;
"similarity" searches full text and vectors of all chunks and ranks what it finds, once with the embedding of the question, once without.
"""

import argparse
import contextlib
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from measures import TIMERS
from rich.console import Console
from rich.table import Table

from veridical.memory.clauses.telling import report_of
from veridical.memory.clauses.understanding import asked_clauses
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.language.folding import detect_language
from veridical.memory.records import Query, RecallFilter
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

USER = "bench"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
VERSIONS, CLAUSES = 4, 50
_PLACES = ("东海", "西山", "南湖", "北原", "金城", "银川", "青岭", "白沙")
_ENGLISH = [
    "the",
    "provider",
    "client",
    "shall",
    "pay",
    "deliver",
    "fees",
    "within",
    "days",
    "of",
    "notice",
    "service",
    "goods",
    "term",
    "breach",
    "court",
    "law",
    "and",
    "or",
]
_CHINESE = "应当依照规定办理登记交付价款服务单位个人责任处罚机关申请期限通知合同数据设备检查保密质量标准"


def _sentence(dice: random.Random, *, chinese: bool) -> str:
    if chinese:
        return "".join(dice.choices(_CHINESE, k=40)) + "。"
    return " ".join(dice.choices(_ENGLISH, k=30)).capitalize() + "."


def documents(count: int) -> Iterator[tuple[str, str, str]]:
    """File name, text and a name by which a question calls each of ``count`` documents, all versions of each in order."""
    for number in range(count):
        chinese = number % 2 == 1
        for version in range(VERSIONS):
            # Most clauses keep their text from version to version.
            lines = []
            for clause in range(1, CLAUSES + 1):
                changed = version if clause % 7 == version else 0
                said = _sentence(random.Random(f"{number} {clause} {changed}"), chinese=chinese)
                lines.append(f"第{clause}条　{said}" if chinese else f"{clause}. {said}")
            title = (
                f"{_PLACES[number // 16 % 8]}{_PLACES[number // 2 % 8]}设备条例" if chinese else f"Contract N{number}"
            )
            name = f"{title}({2010 + version}-01-01).md" if chinese else f"{title} v{version + 1}.md"
            called = title if chinese else title.lower()
            yield name, f"# {title}\n\n" + "\n\n".join(lines) + "\n", called


def fill(memory: Memory, chunks: int) -> list[str]:
    """Add documents until there are about ``chunks`` chunks; return how questions call the documents."""
    names: dict[str, None] = {}
    for name, text, called in documents(max(2, chunks // (VERSIONS * CLAUSES))):
        memory.knowledge.add(USER, ReadDocument(name, "text/markdown", text, detect_language(text)), now=NOW)
        names[called] = None
    memory.knowledge.embed(USER)
    return list(names)


def questions(names: list[str], count: int) -> list[str]:
    """Questions by number, in both languages."""
    dice = random.Random(5)
    asked = []
    for _ in range(count):
        name, clause = dice.choice(names), dice.randint(1, CLAUSES)
        asked.append(
            f"{name}第{clause}条怎么规定的？" if not name.isascii() else f"What does clause {clause} of {name} say?"
        )
    return asked


def measure(memory: Memory, asked: list[str], timer: Callable[[], float]) -> dict[str, dict[str, float]]:
    """Milliseconds of both ways, and how many questions the structured one answered by exactly one clause."""
    times: dict[str, list[float]] = {}

    @contextlib.contextmanager
    def timed(name: str) -> Iterator[None]:
        started = timer()
        yield
        times.setdefault(name, []).append(1000 * (timer() - started))

    exact = 0
    for text in [*asked[:3], *asked]:
        with timed("structured lookup"):
            condition = asked_clauses(memory, USER, "", text, now=NOW, time_zone="UTC")
            found = () if condition is None else report_of(memory, USER, condition).clauses
        exact += len(found) == 1
        query = Query(text)
        with timed("similarity search"):
            hits = memory.knowledge.search(USER, 0, query, RecallFilter(), now=NOW)
            memory.knowledge.rank(USER, [query], hits)
        with timed("similarity search, question embedded before"):
            hits = memory.knowledge.search(USER, 0, query, RecallFilter(), now=NOW)
            memory.knowledge.rank(USER, [query], hits)
    report = {name: _percentiles(spent[3:]) for name, spent in times.items()}
    return report | {"answered by one clause": {"of": len(asked), "count": exact - 3}}


def _percentiles(spent: list[float]) -> dict[str, float]:
    return {"p50": round(float(np.percentile(spent, 50)), 2), "p95": round(float(np.percentile(spent, 95)), 2)}


def main() -> None:
    """Measure what the arguments name and print it as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1k,10k", help="chunks in the store, about: 1k,10k")
    parser.add_argument("--questions", type=int, default=60, help="questions asked at each size")
    parser.add_argument("--embedder", default="hashing:384", help="the embedder of the similarity search")
    parser.add_argument("--timer", choices=sorted(TIMERS), default="wall", help="which time to measure")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    report = {}
    for size in arguments.sizes.split(","):
        chunks = int(float(size.rstrip("k")) * (1000 if size.endswith("k") else 1))
        with tempfile.TemporaryDirectory() as folder, Memory(Path(folder), open_embedder(arguments.embedder)) as memory:
            started = time.perf_counter()
            names = fill(memory, chunks)
            filled = round(time.perf_counter() - started, 1)
            measured = measure(memory, questions(names, arguments.questions), TIMERS[arguments.timer])
        report[f"{chunks:,} chunks"] = measured | {"filled in, seconds": {"seconds": filled}}
    if arguments.json:
        print(json.dumps(report, indent=2, ensure_ascii=False))
        return
    table = Table("", *report, title=f"Milliseconds, p50 / p95 ({arguments.embedder}, {arguments.timer} time)")
    for name in next(iter(report.values())):
        table.add_row(
            name, *(" / ".join(f"{value:,}" for value in measured[name].values()) for measured in report.values())
        )
    Console().print(table)


if __name__ == "__main__":
    main()
