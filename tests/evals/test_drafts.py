"""Drafts are overheard without being changed, and judged as if they had been said."""

from datetime import UTC, datetime, timedelta

import pytest
from langchain_core.messages import HumanMessage

from tests.fakes import ScriptedModel
from veridical.evals.drafts import Overheard
from veridical.evals.judging import judged
from veridical.evals.records import Dialogue, Question
from veridical.memory.ingestion.utterances import Utterance
from veridical.memory.models.client import Ledger, Model
from veridical.memory.models.failures import ModelFailure

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ASK = [HumanMessage("Well?")]


def heard(*script: object) -> Overheard:
    return Overheard(Model(ScriptedModel(script=list(script)), "scripted", attempts=1, wait=lambda _: None))


def test_the_draft_comes_through_as_it_is_and_is_kept_once():
    model = heard(["The budget ", "is 48,500 dollars."], "A repaired sentence.")
    assert "".join(model.stream(ASK, "answer", Ledger())) == "The budget is 48,500 dollars."
    assert "".join(model.stream(ASK, "repair", Ledger())) == "A repaired sentence."
    assert model.take() == "The budget is 48,500 dollars."
    assert model.take() == ""


def test_of_a_draft_that_breaks_off_what_came_is_kept():
    model = heard(["The budget ", ConnectionError("gone")])
    with pytest.raises(ModelFailure):
        list(model.stream(ASK, "answer", Ledger()))
    assert model.take() == "The budget"


def test_a_draft_is_judged_by_its_own_sentences_beside_the_answer_that_was_given():
    told = Utterance("s", "1", "user", "The budget of Apollo is 48,500 dollars.", START, "UTC")
    question = Question(
        "q",
        "What is the budget of Apollo?",
        START + timedelta(hours=1),
        "fact",
        gold=("1",),
        answers=("48,500 dollars",),
    )
    context = [{"external_id": "1", "quote": told.text, "score": 0}]
    given = {
        "text": told.text,
        "abstained": False,
        "mode": "floor",
        "citations": [{"external_id": "1", "quote": told.text}],
        "claims": [{"text": told.text, "verdict": "supported"}],
    }
    row = {
        "retrieved": ["1"], "confidence": 0.9, "timings_ms": {}, "trace": {}, "tokens": 10, "context": context, "answer": given,
        "draft": "The budget is 52,000 dollars. It was approved.",
    }  # fmt: skip
    (found,) = judged([(Dialogue("d", [told], [question]), question, row)], ks=(3,))
    assert (found["answer"]["outcome"], found["answer"]["fabricated"]) == ("PASS", [])
    assert found["draft"]["outcome"] == "INVENTED"
    assert found["draft"]["fabricated"] == ["The budget is 52,000 dollars."]
    assert len(found["draft"]["claims"]) == 2
