"""Greetings, offers and questions back claim nothing, unless they take something for granted."""

import pytest

from veridical.memory.grounding.courtesies import as_talk

SAID = "I plan a trip to Rome with 2,000 euros."
KNOWN = ["Bob is the manager of Apollo."]


@pytest.mark.parametrize(
    "text",
    [
        "Hello!",
        "You're welcome!",
        "Sure, let me help.",
        "I'll keep that in mind.",
        "How can I help you today?",
        "Which city do you live in?",
        "Is that for Bob?",
        "Do the 2,000 euros include the flight?",
        "您好！",
        "好的，我记住了。",
        "不客气。",
        "请问您的预算是多少？",
    ],
)
def test_what_only_keeps_the_talk_going_claims_nothing(text: str):
    assert as_talk(text, SAID, KNOWN) == []


@pytest.mark.parametrize(
    "text",
    [
        "Shall I use your budget of 3,000 euros?",
        "Shall I tell Marta?",
        "Didn't you say that you moved to Lyon?",
        "Shall we meet next Tuesday?",
        "要不要用您五万元的预算？",
    ],
)
def test_a_question_that_takes_something_for_granted_is_unsupported(text: str):
    claims = as_talk(text, SAID, KNOWN)
    assert claims is not None
    assert [claim.verdict for claim in claims] == ["unsupported"]


@pytest.mark.parametrize(
    "text",
    [
        "Your budget is 2,000 euros.",
        "I have sent the mail.",
        "I'll remind you tomorrow.",
        "您的预算是两千欧元。",
        "Sure, it costs 5 euros.",
    ],
)
def test_what_states_something_is_judged_by_the_evidence(text: str):
    assert as_talk(text, SAID, KNOWN) is None
