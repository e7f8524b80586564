"""What a reply about errands claims is set against the turns that it cites and against what was recorded."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from veridical.intents.attesting import attest
from veridical.intents.outcomes import unrecorded

SAID = replace(
    unrecorded("ann", "s", "Never mind, ship it by SF.", "en", datetime(2026, 3, 2, tzinfo=UTC), "UTC"), number=5
)
RECORDED = ("order #12345", "changing the delivery", "delivery", "SF", "2026-03-02")


def verdicts(text: str) -> list[str]:
    return [claim.verdict for claim in attest(text, {5: SAID}, RECORDED)]


@pytest.mark.requirement("INTENT-REPLIES")
def test_quotations_and_what_was_recorded_are_supported():
    text = "Noted: order #12345 → changing the delivery (delivery: SF): “Never mind, ship it by SF.” [t5]"
    assert verdicts(text) == ["supported"]


@pytest.mark.requirement("INTENT-REPLIES")
@pytest.mark.parametrize(
    "text",
    [
        "Noted: order #12345 → changing the delivery: “ship it by JD” [t5]",
        "Noted: order #12345 → changing the delivery: “ship it by SF” [t6]",
        "Noted: order #12346 → changing the delivery: “ship it by SF” [t5]",
        "Noted: order #12345 → changing the delivery (delivery: Hermes): “ship it by SF” [t5]",
        "Order #12345 costs 48 dollars [t5]",
    ],
)
def test_what_was_neither_said_nor_recorded_is_not(text: str):
    assert set(verdicts(text)) != {"supported"}


@pytest.mark.requirement("INTENT-REPLIES")
def test_a_question_claims_nothing():
    assert attest("Which order: #12345 or #12346?", {5: SAID}, ()) == []


@pytest.mark.requirement("INTENT-REPLIES")
def test_a_quotation_that_is_a_part_of_a_recorded_text_does_not_break_it():
    text = "To do: ship it by SF #12345 — “ship it by SF” [t5]"
    assert [claim.verdict for claim in attest(text, {5: SAID}, ("ship it by SF #12345",))] == ["supported"]
