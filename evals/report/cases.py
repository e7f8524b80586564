"""The worst cases of a run, by what went wrong, each with its trace."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..rows import Row, abstained, answer, confidence, deepest_recall, has_recall, is_answerable, outcome

_SHOWN = 6
"""Cases of one kind that are shown."""
_DROPPED = 12
_KEPT = 10
_ROW: Mapping[str, Any] = {
    "text": "",
    "category": None,
    "confidence": None,
    "answers": (),
    "stale": (),
    "answerable": True,
    "gold": (),
    "retrieved": (),
    "context": (),
    "texts": {},
}
_ANSWER: Mapping[str, Any] = {"text": "", "outcome": None, "mode": None, "abstained": False, "citations": ()}


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
    whole, trace = {**_ROW, **row}, row.get("trace") or {}
    retrieved, gold = list(whole["retrieved"]), list(whole["gold"])
    return {
        "row": whole,
        "answer": {**_ANSWER, **answer(row)},
        "gold": _gold(gold, retrieved, whole["texts"]),
        "retrieved": [(place, id, id in gold) for place, id in enumerate(retrieved[:_KEPT], start=1)],
        "more_retrieved": max(len(retrieved) - _KEPT, 0),
        "kept": list(map(_entry, _list(trace, "kept")[:_KEPT])),
        "chosen": list(map(_entry, whole["context"] or _list(trace, "chosen"))),
        "queries": _list(trace, "queries"),
        "filter": trace.get("filter") or {},
        "dropped": _by_rule(_list(trace, "dropped"), set(gold)),
    }


def _gold(gold: Sequence[str], retrieved: Sequence[str], texts: Mapping[str, str]) -> list[tuple[str, int | None, str]]:
    """The turns that answer: each with its place among the results, and its words."""
    ranks = {id: place for place, id in enumerate(retrieved, start=1)}
    return [(id, ranks.get(id), texts.get(id, "")) for id in gold]


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


def _sureness(row: Row) -> float:
    return confidence(row) or 0.0


def _has_outcome(wanted: str) -> Callable[[Row], bool]:
    return lambda row: outcome(row) == wanted


def _answers_the_unanswerable(row: Row) -> bool:
    return not is_answerable(row) and abstained(row) is False and outcome(row) != "PASS"


def _refuses_the_answerable(row: Row) -> bool:
    return bool(is_answerable(row) and abstained(row) and deepest_recall(row) > 0)


def _answers_wrongly(row: Row) -> bool:
    return outcome(row) == "MISS" and deepest_recall(row) > 0


def _finds_nothing(row: Row) -> bool:
    return has_recall(row) and deepest_recall(row) == 0


def _finds_little(row: Row) -> bool:
    return has_recall(row) and deepest_recall(row) < 1


_KINDS = (
    Kind(
        "Answered, though it cannot be known",
        "Nothing in the conversation answers the question, and it was not refused.",
        _answers_the_unanswerable,
        _sureness,
    ),
    Kind("Invented", "The answer names a value that is in no evidence.", _has_outcome("INVENTED"), _sureness),
    Kind("Stale", "The answer was true once and is no longer.", _has_outcome("STALE"), _sureness),
    Kind(
        "Refused, though the evidence was found",
        "A turn that answers was among the results.",
        _refuses_the_answerable,
        lambda row: deepest_recall(row) - _sureness(row),
    ),
    Kind(
        "Answered beside the point",
        "The evidence was found, and another sentence was quoted.",
        _answers_wrongly,
        deepest_recall,
    ),
    Kind("Not found", "No turn that answers was among the results.", _finds_nothing, _sureness),
    Kind(
        "Found in part",
        "Some of the turns that are needed were not among the results.",
        _finds_little,
        lambda row: -deepest_recall(row),
    ),
)
