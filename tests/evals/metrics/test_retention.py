"""Retention: questions are sorted by the age of their evidence, counted in turns."""

from datetime import UTC, datetime, timedelta

from veridical.evals.metrics.retention import retention
from veridical.evals.records import Dataset, Dialogue, Question
from veridical.memory.ingestion.utterances import Utterance

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def dialogue(turns: int, *asked: tuple[str, int, tuple[str, ...], bool]) -> Dialogue:
    """Turns a minute apart; each question is asked right after the turn of a number."""
    told = [
        Utterance("s", str(n), "user", f"turn {n}", START + timedelta(minutes=n), "UTC") for n in range(1, turns + 1)
    ]
    questions = [
        Question(name, "?", START + timedelta(minutes=after, seconds=1), "fact", gold=gold, answerable=answerable)
        for name, after, gold, answerable in asked
    ]
    return Dialogue("d", told, questions, "en")


def row(name: str, outcome: str) -> dict:
    return {"id": name, "answer": {"outcome": outcome}}


def test_questions_count_by_how_many_turns_ago_their_oldest_evidence_was_said():
    told = dialogue(
        140,
        ("a", 5, ("1",), True),
        ("b", 6, ("1",), True),
        ("c", 60, ("1", "59"), True),
        ("d", 128, ("1",), True),
        ("e", 130, ("1",), True),
        ("f", 130, ("128",), True),
    )
    rows = [row(name, "PASS" if name in "abd" else "MISS") for name in "abcdef"]
    # ages in turns: a 4, b 5, c 59, d 127, e 129, f 2
    assert retention(Dataset("x", [told]), rows) == {"5": 2 / 3, "127": 1 / 2, "older": 0.0}


def test_what_has_no_evidence_or_should_be_refused_does_not_count():
    told = dialogue(20, ("a", 10, (), True), ("b", 10, ("1",), False), ("c", 10, ("unknown",), True))
    assert retention(Dataset("x", [told]), [row(name, "PASS") for name in "abc"]) == {}
