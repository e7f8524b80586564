"""A draft is released sentence by sentence, and only what is verified."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.grounding.claims import units
from veridical.memory.grounding.drafts import Sentence, verified
from veridical.memory.grounding.support import supported_claims
from veridical.memory.records import Claim

from ..calibration.scenes import Talk

TEXT = "The budget is 48,500 dollars. [t1] It was set on May 8, 2023 [t1]. 预算是5万元。[t3]项目经理是张工 [t4]。Done"


def check(text: str) -> list[Claim]:
    return [Claim(text, "unsupported" if "lie" in text else "supported")]


def release(pieces: list[str], repair=lambda text, faults: None) -> list[Sentence]:
    return list(verified(iter(pieces), check, repair))


@given(st.lists(st.integers(1, 9), max_size=40))
def test_the_sentences_do_not_depend_on_how_the_draft_is_cut(lengths: list[int]):
    pieces, start = [], 0
    for length in lengths:
        pieces.append(TEXT[start : start + length])
        start += length
    pieces.append(TEXT[start:])
    assert [sentence.text for sentence in release(pieces)] == [
        "The budget is 48,500 dollars. [t1]",
        "It was set on May 8, 2023 [t1].",
        "预算是5万元。[t3]",
        "项目经理是张工 [t4]。",
        "Done",
    ]


@pytest.mark.requirement("P4")
def test_what_is_unsupported_is_held_back_and_what_is_true_around_it_released():
    told = release(["True one. ", "A lie here. ", "True two."])
    assert [(one.text, one.released) for one in told] == [
        ("True one.", True),
        ("A lie here.", False),
        ("True two.", True),
    ]


def test_one_sentence_of_a_draft_is_repaired_and_verified_again():
    asked = []

    def repair(text, faults):
        asked.append(text)
        return "Mended."

    told = release(["A lie. ", "Another lie."], repair)
    assert [(one.text, one.released, one.repaired) for one in told] == [
        ("Mended.", True, True),
        ("Another lie.", False, False),
    ]
    assert asked == ["A lie."]


def test_a_repair_that_is_no_better_is_held_back():
    told = release(["A lie."], lambda text, faults: "The same lie.")
    assert [(one.text, one.released) for one in told] == [("A lie.", False)]


def test_a_sentence_is_released_before_the_draft_has_ended():
    def endless() -> Iterator[str]:
        yield "First one. "
        yield "Second"
        raise AssertionError("read on before the first sentence was released")

    assert next(verified(endless(), check, lambda text, faults: None)).text == "First one."


def test_endless_repetition_is_said_once():
    assert len(release(["Again and again. "] * 50)) == 1


@pytest.mark.requirement("P4")
@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("The budget is 5.\n[t1]\nIt is new. [t2]", ["The budget is 5.\n[t1]", "It is new. [t2]"]),
        ("The budget is 5.\n[t2] It is new.", ["The budget is 5.", "[t2] It is new."]),
        ("预算是5。[t1]\n[t2] 这是新的。", ["预算是5。[t1]", "[t2] 这是新的。"]),
    ],
)
def test_an_id_belongs_to_what_it_follows_and_at_the_head_of_a_line_to_what_it_precedes(text, whole):
    assert [unit.cut(text).strip() for unit in units(text)] == whole


@pytest.mark.requirement("P4")
@pytest.mark.parametrize(
    "text",
    [
        "The budget of Apollo is 48,500 dollars. [t9]",
        "The budget of Apollo is 48,500 dollars.\n\n[t9]",
        "[t9] The budget of Apollo is 48,500 dollars.",
        "The budget of Apollo is 48,500 dollars. [t1] [t9]",
        "The budget of Apollo is 48,500 dollars. [t2]",
        "[t2] The budget of Apollo is 48,500 dollars.",
    ],
)
def test_a_true_sentence_under_a_wrong_or_invented_id_is_not_released(text):
    talk = Talk()
    talk.say("The budget of Apollo is 48,500 dollars.")
    talk.say("I saw the dentist yesterday.")
    shown = list(talk.turns.values())
    assert {claim.verdict for claim in supported_claims(text, shown, "en")} != {"supported"}
    right = text.replace("[t9]", "[t1]").replace("[t2]", "[t1]")
    assert {claim.verdict for claim in supported_claims(right, shown, "en")} == {"supported"}
