"""A run document as `eval run --json` prints it, made up with a seed."""

import random
from typing import Any

PEOPLE = ("Mei", "Jonas", "Priya", "张伟")
THINGS = ("the harbour flat", "the choir", "the red bicycle", "the allotment", "搬家的日子", "新厨房的预算")
RULES = ("identity", "validity", "supersession", "relevance", "relevance", "relevance")
DEPTHS = (3, 5, 10, 20)


def run_document(
    *, seed: int = 1, dialogues: int = 6, each: int = 40, shift: float = 0.0, **changes: Any
) -> dict[str, Any]:
    """A document of `dialogues` × `each` questions; `shift` makes gold come earlier; `changes` replace entries."""
    dice = random.Random(seed)
    rows = [question(dice, dialogue, number, shift) for dialogue in range(dialogues) for number in range(each)]
    measured = [row for row in rows if row["recall"]]
    metrics: dict[str, Any] = {
        f"recall@{k}": sum(row["recall"][str(k)] for row in measured) / len(measured) for k in DEPTHS
    }
    metrics["abstention"] = {"auc": 0.84, "refused_at_15_false": 0.66}
    metrics["factual_consistency"] = 0.91
    config = {
        "veridical": "0.2.0",
        "embeddings": "hashing:256",
        "model": "",
        "limit": 20,
        "prompts": {},
        "settings": {"limit": 20, "embeddings": "hashing:256"},
        "hash": f"{seed:04x}",
        "conversations": None,
    }
    return {"dataset": "jsonl", "version": 1, "config": config, "metrics": metrics, "questions": rows} | changes


def question(dice: random.Random, dialogue: int, number: int, shift: float) -> dict[str, Any]:
    """One question with what was found and answered."""
    answerable = number % 5 != 0
    turns = [f"D{1 + place // 30}:{1 + place % 30}" for place in dice.sample(range(270), 20)]
    gold = dice.sample(turns, 1 + number % 2) if answerable else []
    gold += [f"D77:{number}"] if answerable and dice.random() < 0.25 - shift / 2 else []
    turns = sorted(turns, key=lambda turn: (turn not in gold) * (1 + shift) + dice.random() * 1.6)
    recall = {str(k): sum(id in turns[:k] for id in gold) / len(gold) for k in DEPTHS} if gold else {}
    confidence = min(max(dice.gauss(0.68 if answerable else 0.3, 0.2), 0.0), 1.0)
    abstained = confidence < 0.4
    return {
        "id": f"d{dialogue}-q{number}",
        "dialogue": f"d{dialogue}",
        "category": ("fact", "update", "who_said", "relative_date", "order")[number % 5]
        if answerable
        else "unanswerable",
        "language": "zh" if dialogue % 2 else "en",
        "text": f"What did {dice.choice(PEOPLE)} say about {dice.choice(THINGS)}?",
        "answerable": answerable,
        "gold": gold,
        "answers": [f"{dice.randint(2, 90)} metres"] if answerable else [],
        "stale": [f"{dice.randint(2, 90)} metres"] if number % 7 == 1 else [],
        "retrieved": turns,
        "recall": recall,
        "confidence": round(confidence, 4),
        "answer": answer(dice, turns, answerable, abstained),
        "timings_ms": {
            "recall": round(dice.lognormvariate(2.8, 0.4), 2),
            "ask": round(dice.lognormvariate(3.5, 0.5), 2),
        },
        "tokens": dice.randint(180, 420),
        "context": [{"external_id": id, "quote": "It is 12 metres.", "score": 1.0} for id in turns[:2]],
        "texts": dict.fromkeys([*gold, *turns[:5]], "Mei: It is 12 metres, as she said."),
        "trace": trace(dice, turns),
    }


def answer(dice: random.Random, turns: list[str], answerable: bool, abstained: bool) -> dict[str, Any]:
    """A quotation of the first turn, or a refusal."""
    wrong = ("MISS", "MISS", "STALE", "INVENTED")
    right = not answerable if abstained else answerable and dice.random() < 0.82
    text = (
        "I can't confirm that from our conversation records." if abstained else "On 2024-03-02: “It is 12 metres.” [t4]"
    )
    cited = [] if abstained else [{"external_id": turns[0], "quote": "It is 12 metres."}]
    outcome = "PASS" if right else "MISS" if abstained else dice.choice(wrong)
    return {
        "text": text,
        "abstained": abstained,
        "mode": "floor",
        "citations": cited,
        "claims": [{"text": "12 metres", "verdict": "supported"}] * len(cited),
        "outcome": outcome,
        "consistent": None if abstained else outcome == "PASS",
        "wrong_references": int(outcome == "INVENTED"),
        "references": len(cited),
        "fabricated": ["12 metres"] if outcome == "INVENTED" else [],
        "f1": None if abstained else round(dice.random(), 3),
    }


def trace(dice: random.Random, turns: list[str]) -> dict[str, Any]:
    """What was looked for, kept, and dropped by which rule."""
    return {
        "queries": ["What did she say about it?", "say about"],
        "filter": {"speaker": dice.choice(PEOPLE), "entities": ["apollo"]},
        "kept": [
            {"external_id": id, "speaker": "Mei", "text": "It is 12 metres, as she said.", "score": 4.2}
            for id in turns[:4]
        ],
        "dropped": [{"id": f"t{dice.randint(1, 400)}", "rule": dice.choice(RULES)} for _ in range(20)],
        "chosen": [{"external_id": turns[0], "quote": "It is 12 metres."}],
    }
