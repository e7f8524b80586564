"""How a recall and an answer are written down: the plain JSON that the command line prints and ``why`` explains."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from .clauses.condition import Condition
from .clauses.tracing import condition_document
from .records import (
    Accepted,
    Answer,
    Candidate,
    Citation,
    Claim,
    Dropped,
    Evidence,
    FailedLeg,
    Query,
    RecallFilter,
    ResultKind,
    Turn,
    is_chunk,
    is_digest,
    reference_id,
)

Json = dict[str, Any]


def recall_document(
    *,
    queries: Sequence[Query],
    filter: RecallFilter,
    clauses: Condition | None = None,
    confidence: float,
    kept: Iterable[Candidate],
    dropped: Iterable[Dropped],
    failed: Sequence[FailedLeg] = (),
    turns: Mapping[int, Turn],
    accepted: Mapping[int, Accepted] | None = None,
    timings: Mapping[str, float],
) -> Json:
    """``{"queries", "filter", "confidence", "results", "dropped", "timings_ms"}``, and ``failed`` where a leg did.

    Where clauses are asked for, the condition that they have to meet is ``filter["clauses"]``. A result that says yes
    to a proposal of the assistant's, of which ``accepted`` tells by the number of its turn, has that as ``accepts``.
    """
    document: Json = {
        "queries": [query.text for query in queries],
        "filter": filter_document(filter) | _clauses(clauses),
        "confidence": round(confidence, 4),
        "results": [
            result_document(candidate, turns[candidate.turn]) | _accepts(turns, (accepted or {}).get(candidate.turn))
            for candidate in kept
        ],
        "dropped": [{"id": drop.id, "turn_id": reference_id(drop.turn), "rule": drop.rule} for drop in dropped],
        "timings_ms": {name: round(spent, 3) for name, spent in timings.items()},
    }
    return document | {"failed": [asdict(leg) for leg in failed]} if failed else document


def _accepts(turns: Mapping[int, Turn], accepted: Accepted | None) -> Json:
    """What a yes says yes to; nothing where the turn is no yes, or what was proposed is gone."""
    if accepted is None or accepted.turn not in turns:
        return {}
    proposal = accepted.span.cut(turns[accepted.turn].text)
    return {"accepts": {"turn_id": reference_id(accepted.turn), "text": proposal}}


def calibration_document(clauses: Condition, kept: Iterable[Candidate], dropped: Iterable[Dropped]) -> Json:
    """What was kept for a condition and what was dropped by which rule, as it is streamed while the turn still runs."""
    return {
        "type": "calibration",
        "clauses": condition_document(clauses),
        "kept": [candidate.id for candidate in kept],
        "dropped": [{"id": drop.id, "rule": drop.rule} for drop in dropped],
    }


def _clauses(clauses: Condition | None) -> Json:
    return {} if clauses is None else {"clauses": condition_document(clauses)}


def result_document(candidate: Candidate, turn: Turn) -> Json:
    """One result with the turn that it names."""
    return {
        "id": candidate.id,
        "kind": _kind(candidate),
        "turn_id": turn.id,
        "external_id": turn.external_id,
        "source": turn.source,
        "speaker": turn.speaker,
        "observed_at": _iso(turn.observed_at),
        "text": turn.text,
        "score": round(candidate.score, 6),
        "channels": {name: round(score, 6) for name, score in candidate.channels.items()},
    }


def _kind(candidate: Candidate) -> ResultKind:
    if is_digest(candidate.turn):
        return "summary"
    if is_chunk(candidate.turn):
        return "chunk"
    return "fact" if candidate.items else "turn"


def filter_document(filter: RecallFilter) -> Json:
    """The parts of the filter that say something."""
    document = {}
    for field in fields(filter):
        value = getattr(filter, field.name)
        if value not in {None, (), False}:
            document[field.name] = _iso(value) if isinstance(value, datetime) else value
    return document


def answer_document(answer: Answer) -> Json:
    """An answer with its claims, verdicts, citations and the prompts that made it."""
    return {
        "text": answer.text,
        "abstained": answer.abstained,
        "mode": answer.mode,
        "claims": [claim_document(claim) for claim in answer.claims],
        "citations": [citation_document(cited) for cited in answer.citations],
        "prompts": [asdict(prompt) for prompt in answer.prompts],
        "model_calls": answer.model_calls,
        "tokens": answer.tokens,
    }


def claim_document(claim: Claim) -> Json:
    """One claim with its verdict and the turns behind it."""
    return asdict(claim)


def citation_document(cited: Citation) -> Json:
    """One citation, its time in ISO 8601."""
    return {**asdict(cited), "observed_at": _iso(cited.observed_at)}


def evidence_document(evidence: Iterable[Evidence], turns: Mapping[int, Turn]) -> list[Json]:
    """The sentences that were chosen, quoted."""
    return [
        {
            "turn_id": reference_id(chosen.turn),
            "quote": chosen.span.cut(turns[chosen.turn].text),
            "score": round(chosen.score, 6),
            "items": [f"f{number}" for number in chosen.items],
        }
        for chosen in evidence
    ]


def _iso(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
