"""The many lives of one store: what was acknowledged in them, and whether it is there in the next."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KINDS = ("turn", "summary", "document", "correction", "forgetting", "importing", "reindexing")
POINTS = ("statement", "commit", "checkpoint", "forgetting", "chroma", "seconds")
_AFTERWARDS = 2
_GUESSED = {"statement": 40, "commit": 4, "checkpoint": 12, "forgetting": 6, "chroma": 4, "seconds": 0.2}
_PASSED = {
    "turn": ("statement", "commit", "checkpoint", "chroma", "seconds"),
    "summary": ("statement", "commit", "checkpoint", "seconds"),
    "document": ("statement", "commit", "chroma", "seconds"),
    "correction": ("statement", "commit", "seconds"),
    "forgetting": ("statement", "commit", "forgetting", "chroma", "seconds"),
    "importing": ("statement", "commit", "chroma", "seconds"),
    "reindexing": ("statement", "commit", "chroma", "seconds"),
}
"""By which points an operation comes, so that a kill falls into it."""


class Forge:
    """The process that forks the lives."""

    def __init__(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("killed.py"))]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def live(self, task: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """One life: its lines, as they come."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps(task)}\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            told = json.loads(line)
            yield told
            if "signal" in told:
                return
        raise AssertionError("the process that forks the lives is gone")

    def close(self) -> None:
        """End it."""
        self._process.communicate()


@dataclass
class Told:
    """What was acknowledged, and what was begun and not acknowledged."""

    turns: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By the id of the message: number and text."""
    answers: list[str] = field(default_factory=list)
    values: set[str] = field(default_factory=set)
    documents: set[tuple[str, str]] = field(default_factory=set)
    summaries: set[str] = field(default_factory=set)
    imported: dict[str, int] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    being_forgotten: set[str] = field(default_factory=set)


@dataclass
class Store:
    """A store through its lives."""

    forge: Forge
    folder: Path
    seed: int
    database_url: str = ""
    chroma_url: str = ""
    elsewhere: Callable[[str], Iterable[str]] = lambda _: ()
    """Names the places beyond the folder in which a text stands."""
    kills: Counter[str] = field(default_factory=Counter)
    """By operation and point."""
    lives: int = 0
    told: Told = field(default_factory=Told)

    def __post_init__(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True)
        self._chance = random.Random(self.seed)
        self._counts: dict[tuple[str, str], float] = {}
        self._made = self._batches = 0
        self._pending: list[dict[str, Any]] = []
        self._secrets: list[str] = []
        self._facts: list[str] = []
        self._kinds = iter(())
        self._operations: dict[str, dict[str, Any]] = {}

    def live(self, *, kill: bool = True) -> None:
        """One life: hold what the store holds against what was acknowledged, then work until killed."""
        kind = self._next_kind()
        chosen = self._operation(kind)
        operations = [*self._pending, chosen, *(self._operation("turn") for _ in range(_AFTERWARDS))]
        self._operations |= {one["id"]: one for one in operations}
        task = {
            "folder": str(self.folder),
            "database_url": self.database_url,
            "chroma_url": self.chroma_url,
            "embedder": "hashing:48",
            "examined": not kill or self.lives % 2 == 0,
            "kill": self._kill(self._chance.choice((chosen, chosen, operations[0]))) if kill else {},
            "operations": operations if kill else self._pending,
        }
        self.lives += 1
        current, passed = operations[0], task["kill"].get("point", "seconds")
        for line in self.forge.live(task):
            assert "fault" not in line, f"seed {self.seed}, life {self.lives}: {line['fault']}"
            if "held" in line:
                self._check(line["held"])
            elif "begun" in line:
                current = self._operations[line["begun"]]
                self._pending, self._batches = [current], 0
                if current["kind"] == "forgetting":
                    self.told.being_forgotten.add(current["secret"])
            elif line.get("signal"):
                self.kills[f"{current['label']} at {passed}"] += 1
            else:
                self._note(line)

    def _note(self, line: dict[str, Any]) -> None:
        if "recorded" in line:
            self.told.turns[line["recorded"]] = (line["number"], self._operations[line["recorded"]]["text"])
        elif "imported" in line:
            # An import that is repeated begins with what is there already.
            self._batches += line["count"]
            self.told.imported[line["imported"]] = max(self._batches, self.told.imported.get(line["imported"], 0))
        elif "done" in line:
            operation = self._operations[line["done"]]
            self._pending = []
            for point, count in line["counts"].items():
                self._counts[operation["label"], point] = count
            getattr(self, f"_done_{operation['kind']}")(operation, line["result"])

    def _done_turn(self, operation: dict[str, Any], result: dict[str, Any]) -> None:
        self.told.answers.append(result["answer"])
        if result["summary"]:
            self.told.summaries.add(result["summary"])

    def _done_document(self, operation: dict[str, Any], result: dict[str, Any]) -> None:
        self.told.documents.add((operation["name"], operation["text"]))

    def _done_correction(self, operation: dict[str, Any], result: dict[str, Any]) -> None:
        if result["corrected"]:
            self.told.values.add(operation["new"])
            self._facts.append(operation["new"])

    def _done_forgetting(self, operation: dict[str, Any], result: dict[str, Any]) -> None:
        assert (result["residue"], list(result["left"])) == ([], [])
        self.told.forgotten.add(operation["secret"])

    def _done_importing(self, operation: dict[str, Any], result: dict[str, Any]) -> None:
        self.told.imported[operation["id"]] = operation["count"]

    def _done_reindexing(self, operation: dict[str, Any], result: dict[str, Any]) -> None:
        """What it embedded, the doctor counts."""

    def _check(self, held: dict[str, Any]) -> None:
        """Hold the store to what was acknowledged."""
        where = f"seed {self.seed}, life {self.lives}"
        assert held["problems"] == [], (where, held["problems"])
        said = {external: (number, text) for number, role, external, text in held["turns"] if role != "assistant"}
        assert len({number for number, *_ in held["turns"]}) == len(held["turns"]), where
        kept = {id: turn for id, turn in self.told.turns.items() if not self._may_be_gone(turn[1])}
        lost = {id: (turn, said.get(id)) for id, turn in kept.items() if said.get(id) != turn}
        assert not lost, (
            where,
            lost,
            [row for row in held["turns"] if row[0] in {turn[0] for turn, _ in lost.values()}],
        )
        answers = Counter(text for _, role, _, text in held["turns"] if role == "assistant")
        missing = Counter(one for one in self.told.answers if not self._may_be_gone(one)) - answers
        assert not missing, f"{where}: {missing}"
        assert not self.told.values - {value for value, _ in held["items"]}, (where, self.told.values)
        assert self.told.documents <= {(name, text) for name, text in held["documents"]}, where
        assert self.told.summaries <= set(held["summaries"]), where
        for id, count in self.told.imported.items():
            there = sum(external.startswith(f"{id}-") for external in said)
            assert there >= count, f"{where}: of {id}, {there} lines"
        self._check_forgotten(held, where)

    def _check_forgotten(self, held: dict[str, Any], where: str) -> None:
        """What was forgotten is nowhere, and neither is what is no longer in any turn, acknowledged or not."""
        texts = [text for *_, text in held["turns"]]
        for secret in self.told.being_forgotten:
            gone = not any(secret in text for text in texts)
            assert gone or secret not in self.told.forgotten, f"{where}: {secret} is said again"
            if gone:
                places = list(self.places_of(secret))
                assert places == [], (where, secret, secret in self.told.forgotten, places)

    def places_of(self, secret: str) -> Iterator[str]:
        """Where a secret stands: files of the folder, and tables of a server."""
        for path in self.folder.rglob("*"):
            if path.is_file() and secret.encode() in path.read_bytes():
                yield path.name
        yield from self.elsewhere(secret)

    def _may_be_gone(self, text: str) -> bool:
        return any(secret in text for secret in self.told.being_forgotten)

    def _next_kind(self) -> str:
        kind = next(self._kinds, None)
        if kind is None:
            order = list(KINDS)
            self._chance.shuffle(order)
            self._kinds = iter(order)
            kind = next(self._kinds)
        needed = {"forgetting": self._secrets, "correction": self._facts}
        return kind if needed.get(kind, True) else "turn"

    def _kill(self, operation: dict[str, Any]) -> dict[str, Any]:
        label, during = operation["label"], operation["id"]
        point = self._chance.choice(_PASSED[label])
        most = self._counts.get((label, point), _GUESSED[point])
        if point == "seconds":
            return {"during": during, "seconds": self._chance.uniform(0, most)}
        return {"during": during, "point": point, "count": self._chance.randint(1, max(1, int(most)))}

    def _operation(self, label: str) -> dict[str, Any]:
        self._made += 1
        made = f"{self.seed}n{self._made}"
        operation = {"id": f"m{made}", "label": label, "kind": "turn" if label == "summary" else label}
        return operation | getattr(self, f"_make_{label}")(made)

    def _make_turn(self, made: str) -> dict[str, Any]:
        session = f"session {self._chance.randrange(3)}"
        kind = self._chance.randrange(4)
        if kind == 0:
            secret = f"zq{made}x{self._chance.randrange(10**8):08d}"
            self._secrets.append(secret)
            return {"session": session, "text": f"My locker code is {secret}."}
        if kind == 1:
            return {"session": session, "text": "What is my locker code?"}
        value = f"{self._chance.randrange(10**4, 10**6):,} dollars"
        self._facts.append(value)
        project = self._chance.choice(("Apollo", "Borealis", "Cygnus"))
        return {"session": session, "text": f"The budget of {project} is {value}."}

    def _make_summary(self, made: str) -> dict[str, Any]:
        return {"session": f"session {self._chance.randrange(3)}", "text": "Thanks, bye!"}

    def _make_document(self, made: str) -> dict[str, Any]:
        name = f"prices-{self._chance.randrange(4)}.md"
        rows = "\n\n".join(f"## Plan {n}\n\nPlan {n} of {made} costs {n * 7 + 20} dollars a month." for n in range(8))
        return {"name": name, "text": f"# Prices {made}\n\n{rows}\n"}

    def _make_correction(self, made: str) -> dict[str, Any]:
        return {"old": self._chance.choice(self._facts), "new": f"{self._chance.randrange(10**6, 10**8):,} dollars"}

    def _make_forgetting(self, made: str) -> dict[str, Any]:
        return {"secret": self._secrets.pop(self._chance.randrange(len(self._secrets)))}

    def _make_importing(self, made: str) -> dict[str, Any]:
        path, count = self.folder.parent / f"{self.folder.name}-{made}.jsonl", 110
        rows = (
            {
                "speaker": "Mira",
                "text": f"Crate {n} of {made} holds lamps.",
                "external_id": f"m{made}-{n}",
                "timestamp": 1714555800 + n,
                "session": f"import {made}",
            }
            for n in range(count)
        )
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        return {"path": str(path), "count": count}

    def _make_reindexing(self, made: str) -> dict[str, Any]:
        return {"embedder": self._chance.choice(("hashing:48", "hashing:64"))}
