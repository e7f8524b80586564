"""The JSON of `recall` and `ask`, whose names are a contract: exactly these.

`failed` is there where a leg failed, `intents` where a turn was about errands, `accepts` where a result says yes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

_RECALL = ("queries", "filter", "results", "dropped", "timings_ms")
_RESULT = ("id", "kind", "turn_id", "external_id", "source", "speaker", "observed_at", "text", "score", "channels")
_DROPPED = ("id", "rule")
_FAILED = ("leg", "reason")
_ASK = (
    "answer_id",
    "text",
    "abstained",
    "mode",
    "claims",
    "citations",
    "prompts",
    "model_calls",
    "tokens",
    "timings_ms",
)
_CLAIM = ("text", "verdict", "evidence")
_CITATION = ("id", "turn_id", "external_id", "quote")


def recall_json(document: Mapping[str, Any]) -> dict[str, Any]:
    """What ``recall --json`` prints of a recall."""
    chosen = _only(document, _RECALL) | _failed(document)
    return chosen | {"results": _results(document["results"]), "dropped": _each(document["dropped"], _DROPPED)}


def _results(results: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The results; a yes has beside it the proposal that it accepts."""
    return [_only(one, _RESULT) | ({"accepts": one["accepts"]} if one.get("accepts") else {}) for one in results]


def ask_json(trace: Mapping[str, Any]) -> dict[str, Any]:
    """What ``ask --json`` prints of an answer's trace; ``why --json`` prints the rest."""
    chosen = _only(trace, _ASK) | _failed(trace) | _errands(trace)
    return chosen | {"claims": _each(trace["claims"], _CLAIM), "citations": _each(trace["citations"], _CITATION)}


def _failed(document: Mapping[str, Any]) -> dict[str, Any]:
    """The legs that failed; the name is there only where one did."""
    return {"failed": _each(document["failed"], _FAILED)} if document.get("failed") else {}


def _errands(trace: Mapping[str, Any]) -> dict[str, Any]:
    """What the turn did to errands, or asked about them; the name is there only where it did."""
    return {"intents": trace["intents"]} if trace.get("intents") else {}


def _each(entries: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    return [_only(entry, names) for entry in entries]


def _only(source: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: source[name] for name in names}
