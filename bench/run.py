"""`make bench`: turn times at several store sizes, ingest rate, start-up and memory. Reported, never asserted."""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import measures
from rich.console import Console
from rich.table import Table
from stores import Filler

_EMBEDDER = "hashing:384"


def main() -> None:
    """Measure what the arguments name and print it as a table or as JSON."""
    arguments = _arguments()
    measures.Clock.timer = staticmethod(measures.TIMERS[arguments.timer])
    report: dict[str, object] = {"embedder": _EMBEDDER, "timer": arguments.timer}
    with tempfile.TemporaryDirectory() as folder:
        filler = Filler(Path(folder), _EMBEDDER)
        questions = filler.corpus.questions(arguments.questions)
        sizes: dict[str, object] = {}
        for size in arguments.sizes:
            print(f"filling the store to {size:,} turns …", file=sys.stderr)
            filler.fill(size)
            measured: dict[str, object] = dict(measures.recall_times(filler, questions))
            if not arguments.no_turns:
                measured |= measures.turn_times(filler.memory, questions)
            measured["peak memory, MB"] = measures.peak_memory()
            sizes[f"{size:,} turns"] = measured
        filler.memory.close()
    report["sizes"] = sizes
    report["ingest"] = measures.ingest_rate(arguments.ingest, _EMBEDDER)
    report["start-up, seconds"] = measures.start_up()
    if arguments.json:
        print(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        _print(report)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=_sizes, default=[1_000, 10_000, 100_000], help="stored turns: 1k,10k,100k")
    parser.add_argument("--questions", type=int, default=40, help="questions asked at each size")
    parser.add_argument("--ingest", type=int, default=1_000, help="turns of the ingest measurement")
    parser.add_argument("--no-turns", action="store_true", help="measure recall only, not whole turns")
    parser.add_argument("--timer", choices=sorted(measures.TIMERS), default="wall", help="which time to measure")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def _sizes(text: str) -> list[int]:
    units = {"k": 1_000, "m": 1_000_000}
    return sorted(int(float(part.rstrip("km")) * units.get(part[-1:], 1)) for part in text.lower().split(","))


def _print(report: dict[str, object]) -> None:
    console = Console()
    sizes = report["sizes"]
    table = Table(title=f"Milliseconds, p50 / p95 ({report['embedder']}, {report['timer']} time)")
    table.add_column("")
    for size in sizes:
        table.add_column(size, justify="right")
    names = dict.fromkeys(name for measured in sizes.values() for name in measured)
    for name in names:
        table.add_row(name, *(_cell(measured.get(name)) for measured in sizes.values()))
    console.print(table)
    for title in ("ingest", "start-up, seconds"):
        small = Table("", title, show_header=True)
        for name, value in report[title].items():
            small.add_row(name, f"{value:,}")
        console.print(small)


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return f"{value['p50']:.1f} / {value['p95']:.1f}"
    return "" if value is None else f"{value:,}"


if __name__ == "__main__":
    main()
