"""What the row of a question says, in a run document: every reader gives ``None`` where it says nothing."""

from collections.abc import Iterable, Mapping
from typing import Any

Row = Mapping[str, Any]
"""One question of a run document, with what was found for it and what was answered."""


def has_recall(row: Row) -> bool:
    """Whether turns are known that answer the question, so that finding them can be measured."""
    return bool(row.get("recall"))


def depths(rows: Iterable[Row]) -> list[str]:
    """The numbers of results at which recall was measured, ascending."""
    return sorted({k for row in rows if has_recall(row) for k in row["recall"]}, key=int)


def recall(k: str, row: Row) -> float | None:
    """Recall among the first ``k`` results."""
    return _number(row["recall"].get(k)) if has_recall(row) else None


def mean_recall(row: Row) -> float | None:
    """The mean of the recalls at every depth."""
    found = list(row["recall"].values()) if has_recall(row) else []
    return sum(found) / len(found) if found else None


def deepest_recall(row: Row) -> float:
    """Recall among all results; nothing where no turn is known that answers."""
    return float(row["recall"][depths([row])[-1]]) if has_recall(row) else 0.0


def category(row: Row) -> str:
    """The question's category; empty for none."""
    return "" if row.get("category") is None else str(row["category"])


def is_answerable(row: Row) -> bool:
    """Whether the records hold an answer."""
    return bool(row.get("answerable", True))


def confidence(row: Row) -> float | None:
    """How sure the memory was that it holds an answer."""
    return _number(row.get("confidence"))


def answer(row: Row) -> Mapping[str, Any]:
    """The answer; empty where none was asked for."""
    return row.get("answer") or {}


def outcome(row: Row) -> str | None:
    """What became of the question."""
    return answer(row).get("outcome")


def abstained(row: Row) -> bool | None:
    """Whether the question was refused."""
    return answer(row).get("abstained")


def of_answer(name: str, row: Row) -> float | None:
    """A number that is said of the answer."""
    return _number(answer(row).get(name))


def count(name: str, row: Row) -> float:
    """How many there are of something that an answer has: a number, or a list of them."""
    known = answer(row).get(name) or 0
    return float(known if isinstance(known, int) else len(known))


def spent(step: str, row: Row) -> float | None:
    """Milliseconds that a step took."""
    return _number((row.get("timings_ms") or {}).get(step))


def tokens(row: Row) -> float | None:
    """Tokens that a model read, or would have."""
    return _number(row.get("tokens"))


def _number(known: Any) -> float | None:
    return None if known is None else float(known)
