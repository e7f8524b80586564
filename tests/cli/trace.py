"""A trace as the graph stores it."""

from typing import Any


def trace(**changes: Any) -> dict[str, Any]:
    """The trace of one answered question; ``changes`` replace top-level entries."""
    return {
        "answer_id": "a7",
        "question": "What is the final budget of Apollo?",
        "asked_at": "2026-03-02T10:12:00+00:00",
        "session_id": "s",
        "turn_id": "t9",
        "text": "On 2026-03-01 you said: “The final budget of Apollo is 48,500 dollars.” [t1]",
        "abstained": False,
        "mode": "floor",
        "claims": [{"text": "48,500 dollars", "verdict": "supported", "evidence": ["t1"], "reason": "amount in t1"}],
        "citations": [
            {
                "id": "f1",
                "turn_id": "t1",
                "external_id": "D1:3",
                "quote": "The final budget of Apollo is 48,500 dollars.",
                "observed_at": "2026-03-01T10:11:00Z",
                "speaker": "user",
                "source": "user_input",
            }
        ],
        "prompts": [{"name": "floor_reply", "version": 1, "sha256": "ab" * 32}],
        "model_calls": 0,
        "tokens": 0,
        "queries": ["What is the final budget of Apollo?", "final budget apollo"],
        "filter": {"entities": ["apollo"], "before_turn": 9},
        "results": [
            {
                "id": "f1",
                "kind": "fact",
                "turn_id": "t1",
                "external_id": "D1:3",
                "source": "user_input",
                "speaker": "user",
                "observed_at": "2026-03-01T10:11:00Z",
                "text": "The final budget of Apollo is 48,500 dollars.",
                "score": 0.912,
                "channels": {"lexical": 3.4, "exact": 1.0},
            }
        ],
        "dropped": [
            {"id": "t8", "turn_id": "t8", "rule": "identity"},
            *({"id": f"t{number}", "turn_id": f"t{number}", "rule": "relevance"} for number in range(20, 43)),
        ],
        "evidence": [
            {"turn_id": "t1", "quote": "The final budget of Apollo is 48,500 dollars.", "score": 1.0, "items": ["f1"]}
        ],
        "timings_ms": {"retrieve": 3.2, "calibrate": 1.1},
    } | changes
