"""What becomes of a question, and what is wrong with an answer, on examples that can be checked by hand."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from veridical.evals.metrics.answers import (
    Answered,
    Quoted,
    best_f1,
    consistent,
    fabricated,
    outcome,
    token_f1,
    wrong_references,
)
from veridical.evals.metrics.stating import Said
from veridical.evals.records import Question

pytestmark = pytest.mark.requirement("EVAL-METRICS")
ASKED = datetime(2024, 6, 1, tzinfo=UTC)
SAID = datetime(2024, 5, 8, 9, tzinfo=UTC)
BUDGET = Question("q", "What is our budget?", ASKED, "update", gold=("t2",), answers=("48,500",), stale=("40,000",))
UNKNOWN = replace(BUDGET, text="What is our rent?", gold=(), answers=(), stale=(), answerable=False)
TURNS = {"t1": "The budget is $40,000.", "t2": "The budget went up to $48,500.", "t3": "Marta booked the hall."}


def quoting(*turns, text=None, claims=None):
    said = {turn: Said(TURNS[turn], SAID, "UTC") for turn in turns}
    shown = text or " ".join(f"On 2024-05-08 you said: “{TURNS[turn]}” [t1]" for turn in turns)
    return Answered(
        text=shown,
        abstained=False,
        by_model=False,
        asked_at=ASKED,
        time_zone="UTC",
        citations=[Quoted(turn, one) for turn, one in said.items()],
        claims=[shown] if claims is None else claims,
        evidence=list(said.values()),
    )


REFUSED = Answered("I can't confirm that.", True, False, ASKED, "UTC")


def test_the_outcome_is_what_became_of_the_question():
    assert outcome(BUDGET, quoting("t2")) == "PASS"
    assert outcome(BUDGET, quoting("t2", "t1")) == "PASS"
    assert outcome(BUDGET, quoting("t1")) == "STALE"
    assert outcome(BUDGET, quoting("t1", "t2")) == "STALE"  # what no longer holds stands first
    assert outcome(BUDGET, quoting("t3")) == "MISS"
    assert outcome(BUDGET, REFUSED) == "MISS"
    assert outcome(BUDGET, quoting("t3", text="It is $52,000.", claims=["It is $52,000."])) == "INVENTED"


def test_whose_words_are_quoted_is_a_part_of_what_is_told():
    asked = replace(BUDGET, text="Who booked the hall?", gold=("t1",), answers=("Priya",), stale=())
    said = Said("I booked it.", SAID, "UTC")
    answered = replace(
        quoting("t3", text="On 2024-05-08 Priya said: “I booked it.” [t1]"), citations=[Quoted("t1", said)]
    )
    assert not consistent(asked, answered)
    assert consistent(asked, replace(answered, citations=[Quoted("t1", said, "Priya")]))


def test_what_cannot_be_known_is_to_be_refused():
    assert outcome(UNKNOWN, REFUSED) == "PASS"
    assert outcome(UNKNOWN, quoting("t1")) == "INVENTED"


def test_a_false_premise_may_be_refused_or_challenged():
    moved = replace(UNKNOWN, text="Plan my weekend in Portland.", answers=("$48,500",), gold=("t2",))
    assert outcome(moved, REFUSED) == "PASS"
    assert outcome(moved, quoting("t2")) == "PASS"
    assert outcome(moved, quoting("t3")) == "INVENTED"


def test_without_accepted_answers_the_gold_turn_is_the_answer():
    where = replace(BUDGET, answers=(), stale=())
    assert outcome(where, quoting("t2")) == "PASS"
    assert outcome(where, quoting("t1")) == "MISS"


def test_consistency_is_scored_on_the_first_quotation():
    assert consistent(BUDGET, quoting("t2", "t1")) is True
    assert consistent(BUDGET, quoting("t1", "t2")) is False
    assert consistent(BUDGET, REFUSED) is None
    assert consistent(UNKNOWN, quoting("t1")) is None


def test_a_relative_date_of_the_quotation_and_the_date_shown_beside_it_count():
    when = replace(BUDGET, answers=("8 May 2024",), stale=())
    assert consistent(when, quoting("t2")) is True
    assert consistent(replace(when, answers=("7 May 2024",)), quoting("t2")) is False


def test_references_are_counted_against_the_gold():
    assert wrong_references(BUDGET, quoting("t2", "t1")) == (1, 2)
    assert wrong_references(BUDGET, REFUSED) == (0, 0)
    assert wrong_references(UNKNOWN, quoting("t1")) == (0, 0)


@pytest.mark.parametrize(
    ("claim", "made_up"),
    [
        ("On 2024-05-08 you said: “The budget went up to $48,500.” [t2]", False),
        ("The budget is 48,500 dollars.", False),
        ("The budget is 49,500 dollars.", True),
        ("On 2024-05-09 you said so.", True),
        ("You said “The budget went up to $58,500.” [t2]", True),
        ("The hall was booked by Klaus.", True),
        ("It went up in May.", False),
        ("The budget went up to $48,500. [t2]", False),
    ],
)
def test_a_claim_with_a_value_of_no_evidence_is_made_up(claim, made_up):
    answered = quoting("t2", claims=[claim])
    assert fabricated(BUDGET, answered) == ([claim] if made_up else [])


def test_what_the_question_says_is_not_made_up():
    asked = replace(BUDGET, text="Is the budget 52,000?")
    assert fabricated(asked, quoting("t2", claims=["Not 52,000."])) == []


def test_f1_of_stemmed_words_without_articles():
    assert token_f1("the red barns", "a red barn") == 1.0
    assert token_f1("red barn in Norway", "red barn") == pytest.approx(2 * 2 / 6)
    assert token_f1("blue", "red") == 0.0
    assert best_f1(replace(BUDGET, answers=("x", "red barn")), quoting("t3", text="red barn [t1]")) == 1.0
    assert best_f1(BUDGET, REFUSED) == 0.0
    assert best_f1(UNKNOWN, REFUSED) is None
