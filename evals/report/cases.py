"""The worst cases of a run, by what went wrong, each with its trace."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..stored_runs import Row, has_recall

_SHOWN = 6
"""Cases of one kind that are shown."""
_DROPPED = 12
_KEPT = 10
_ROW = {"text": "", "category": None, "confidence": None, "answers": (), "stale": (), "answerable": True, "gold": ()}
_ANSWER = {"text": "", "outcome": None, "mode": None, "abstained": False, "citations": ()}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of failure."""

    title: str
    remark: str
    holds: Callable[[Row], bool]
    worst: Callable[[Row], float]
    """What is larger is shown first."""


@dataclass(frozen=True, slots=True)
class Group:
    """The failures of one kind."""

    title: str
    remark: str
    count: int
    cases: Sequence[Mapping[str, Any]]


def worst_cases(rows: Sequence[Row]) -> list[Group]:
    """The failures of a run by kind, worst kind and worst case first; a question counts under its first kind."""
    groups, left = [], list(rows)
    for kind in _KINDS:
        failed = sorted((row for row in left if kind.holds(row)), key=kind.worst, reverse=True)
        left = [row for row in left if not kind.holds(row)]
        if failed:
            groups.append(Group(kind.title, kind.remark, len(failed), [_case(row) for row in failed[:_SHOWN]]))
    return groups


def _case(row: Row) -> dict[str, Any]:
    trace, gold = row.get("trace") or {}, list(row.get("gold") or [])
    retrieved = list(row.get("retrieved") or [])
    ranks = {id: place for place, id in enumerate(retrieved, start=1)}
    return {
        "row": _ROW | dict(row),
        "answer": _ANSWER | dict(_answer(row)),
        "gold": [(id, ranks.get(id), (row.get("texts") or {}).get(id, "")) for id in gold],
        "retrieved": [(place, id, id in gold) for place, id in enumerate(retrieved[:_KEPT], start=1)],
        "more_retrieved": max(len(retrieved) - _KEPT, 0),
        "kept": [_entry(entry) for entry in _list(trace, "kept")[:_KEPT]],
        "chosen": [_entry(entry) for entry in row.get("context") or _list(trace, "chosen")],
        "queries": _list(trace, "queries"),
        "filter": trace.get("filter") or {},
        "dropped": _by_rule(_list(trace, "dropped"), set(gold)),
    }


def _list(trace: Mapping[str, Any], name: str) -> list[Any]:
    found = trace.get(name)
    return list(found) if isinstance(found, list | tuple) else []


def _entry(entry: Any) -> dict[str, Any]:
    """Something that was kept, chosen or dropped: its id, and its speaker and words where they are known."""
    if not isinstance(entry, Mapping):
        return {"id": str(entry), "speaker": "", "text": ""}
    named = next((entry[name] for name in ("external_id", "turn_id", "id") if entry.get(name)), "")
    return {"id": named, "speaker": entry.get("speaker") or "", "text": entry.get("quote") or entry.get("text") or ""}


def _by_rule(dropped: Sequence[Any], gold: set[str]) -> list[dict[str, Any]]:
    """What was dropped, by rule; whether gold was among it says where an answer was lost."""
    rules: dict[str, list[str]] = {}
    for entry in dropped:
        if isinstance(entry, Mapping):
            rules.setdefault(str(entry.get("rule", "")), []).append(_entry(entry)["id"])
    return [
        {"rule": rule, "count": len(ids), "ids": [(id, id in gold) for id in _gold_first(ids, gold)[:_DROPPED]]}
        for rule, ids in rules.items()
    ]


def _gold_first(ids: Sequence[str], gold: set[str]) -> list[str]:
    return sorted(ids, key=lambda id: id not in gold)


def _answer(row: Row) -> Mapping[str, Any]:
    return row.get("answer") or {}


def _deepest_recall(row: Row) -> float:
    """Recall among all results."""
    return float(row["recall"][max(row["recall"], key=int)]) if has_recall(row) else 0.0


def _confidence(row: Row) -> float:
    return float(row.get("confidence") or 0.0)


def _has_outcome(outcome: str) -> Callable[[Row], bool]:
    return lambda row: _answer(row).get("outcome") == outcome


def _answers_the_unanswerable(row: Row) -> bool:
    answer = _answer(row)
    return row.get("answerable") is False and answer.get("abstained") is False and answer.get("outcome") != "PASS"


def _refuses_the_answerable(row: Row) -> bool:
    return bool(row.get("answerable", True) and _answer(row).get("abstained") and _deepest_recall(row) > 0)


def _answers_wrongly(row: Row) -> bool:
    return _answer(row).get("outcome") == "MISS" and _deepest_recall(row) > 0


def _finds_nothing(row: Row) -> bool:
    return has_recall(row) and _deepest_recall(row) == 0


def _finds_little(row: Row) -> bool:
    return has_recall(row) and _deepest_recall(row) < 1


_KINDS = (
    Kind(
        "Answered, though it cannot be known",
        "Nothing in the conversation answers the question, and it was not refused.",
        _answers_the_unanswerable,
        _confidence,
    ),
    Kind("Invented", "The answer names a value that is in no evidence.", _has_outcome("INVENTED"), _confidence),
    Kind("Stale", "The answer was true once and is no longer.", _has_outcome("STALE"), _confidence),
    Kind(
        "Refused, though the evidence was found",
        "A turn that answers was among the results.",
        _refuses_the_answerable,
        lambda row: _deepest_recall(row) - _confidence(row),
    ),
    Kind(
        "Answered beside the point",
        "The evidence was found, and another sentence was quoted.",
        _answers_wrongly,
        _deepest_recall,
    ),
    Kind("Not found", "No turn that answers was among the results.", _finds_nothing, _confidence),
    Kind(
        "Found in part",
        "Some of the turns that are needed were not among the results.",
        _finds_little,
        lambda row: -_deepest_recall(row),
    ),
)
