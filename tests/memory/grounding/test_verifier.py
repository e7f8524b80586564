"""The verifier: floor answers pass, and whatever is changed in one does not."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.memory.grounding.claims import split
from veridical.memory.grounding.verifier import verify
from veridical.memory.records import Evidence, Span

from ..calibration.scenes import Talk


def told() -> tuple[Talk, list[Evidence]]:
    talk = Talk()
    talk.say("The final budget of Apollo is 48,500 dollars, not 52,000.")
    talk.say("客户拒绝了5000元的套餐，但对8000元的套餐表示感兴趣。")
    talk.say("You could try the Pixel 9.", by="assistant")
    talk.say("I saw the dentist yesterday.")
    return talk, [Evidence(n, Span(0, len(turn.text)), 1.0) for n, turn in talk.turns.items()]


def verdicts(text: str, *, evidence: list[Evidence] | None = None) -> list[str]:
    talk, every = told()
    return [claim.verdict for claim in verify(text, every if evidence is None else evidence, talk.turns, "en")]


@pytest.mark.requirement("P4")
@pytest.mark.parametrize(
    "text",
    [
        "On 2026-03-02 you said: “The final budget of Apollo is 48,500 dollars” [t1]",
        "48,500 dollars\nOn 2026-03-02 you said: “The final budget of Apollo is 48,500 dollars, not 52,000.” [t1]",
        "2026-03-02 您说过：“客户拒绝了5000元的套餐” [t2]",
        "On 2026-03-02 I (the assistant, not you) said: “You could try the Pixel 9.” [t3]",
        "2026-03-01\nOn 2026-03-02 you said: “I saw the dentist yesterday.” [t4]",
        "The budget of Apollo is 48500 dollars [t1].",
        "Apollo has a final budget of 48.5k dollars.",
    ],
)
def test_what_the_evidence_says_is_supported(text):
    assert set(verdicts(text)) == {"supported"}


@pytest.mark.requirement("P4", "C5")
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("On 2026-03-02 you said: “The final budget of Apollo is 49,500 dollars” [t1]", "contradicted"),
        ("On 2026-03-02 you said: “The final budget of Apollo is 48,500 dollars” [t2]", "contradicted"),
        ("On 2026-03-02 you said: “The final budget of Apollo is 48,500 dollars” [t9]", "unsupported"),
        ("On 2026-03-05 you said: “The final budget of Apollo is 48,500 dollars” [t1]", "contradicted"),
        ("49,500 dollars\nOn 2026-03-02 you said: “The final budget of Apollo is 48,500 dollars” [t1]", "contradicted"),
        ("2026-03-02 您说过：“客户接受了5000元的套餐” [t2]", "contradicted"),
        ("On 2026-03-02 you said: “You could try the Pixel 9.” [t3]", "contradicted"),
        ("On 2026-03-02 I (the assistant, not you) said: “I saw the dentist yesterday.” [t4]", "contradicted"),
        ("2026-02-27\nOn 2026-03-02 you said: “I saw the dentist yesterday.” [t4]", "contradicted"),
        ("The budget of Zeus is 48,500 dollars.", "unsupported"),
        ("The budget of Apollo is not 48,500 dollars; the final budget of Apollo is 99 dollars [t1].", "contradicted"),
        ("The moon orbits the earth every month.", "unsupported"),
        ("Apollo was approved by Dana [t1].", "unsupported"),
    ],
)
def test_what_was_changed_is_not_supported(text, verdict):
    assert verdict in verdicts(text)


def test_a_negation_that_the_evidence_lacks_is_contradicted():
    talk = Talk()
    talk.say("The customer likes the blue logo.")
    evidence = [Evidence(1, Span(0, len(talk.turns[1].text)), 1.0)]
    assert verify("The customer likes the blue logo.", evidence, talk.turns, "en")[0].verdict == "supported"
    assert verify("The customer does not like the blue logo.", evidence, talk.turns, "en")[0].verdict == "contradicted"


def test_without_evidence_nothing_about_the_past_is_supported():
    assert verdicts("The budget of Apollo is 48,500 dollars.", evidence=[]) == ["unsupported"]


def test_an_answer_is_split_into_quotations_with_their_frames_and_sentences():
    text = "48,500 dollars\nOn 2026-03-02 you said: “It is “final”. Really.” [t1]\nApollo is big. Is it?"
    assertions = split(text)
    assert [a.frame for a in assertions] == ["48,500 dollars", "On 2026-03-02 you said:", "Apollo is big."]
    assert assertions[1].quotes == ("It is “final”. Really.",)
    assert assertions[1].cited == ("t1",)


words = st.text(alphabet="abcdefghij 苹果预算项目0123456789,.“”[]t", min_size=1, max_size=40)


@settings(max_examples=80, deadline=None)
@given(words, st.integers(0, 39), st.sampled_from("zqx7丙"))
@pytest.mark.requirement("C5", "P4")
def test_a_tampered_quotation_never_passes(said, place, mark):
    talk = Talk()
    turn = talk.say(f"I noted {said} today")
    evidence = [Evidence(1, Span(0, len(turn.text)), 1.0)]
    place = min(place, len(turn.text) - 1)
    tampered = turn.text[:place] + mark + turn.text[place + 1 :]
    claims = verify(f"On 2026-03-02 you said: “{tampered}” [t1]", evidence, talk.turns, "en")
    assert tampered in turn.text or any(claim.verdict != "supported" for claim in claims)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10**7), st.integers(1, 10**7))
@pytest.mark.requirement("P4", "NUMBERS-ALIKE")
def test_an_amount_passes_only_if_the_evidence_holds_it(said, claimed):
    talk = Talk()
    turn = talk.say(f"The rent of the studio is {said:,} euros.")
    evidence = [Evidence(1, Span(0, len(turn.text)), 1.0)]
    claims = verify(f"The rent of the studio is {claimed} euros.", evidence, talk.turns, "en")
    assert [claim.verdict for claim in claims] == ["supported" if said == claimed else "contradicted"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5), st.text(max_size=30))
@pytest.mark.requirement("C5", "P4")
def test_every_quotation_of_an_answer_is_a_slice_of_its_turn(said, asked):
    talk = Talk()
    for text in said:
        talk.say(text)
    answer = talk.ask(f"What did I say about {asked}?")
    for citation in answer.citations:
        turn = talk.turns[int(citation.turn_id[1:])]
        assert citation.quote in turn.text
        assert citation.quote in answer.text
        assert citation.source == turn.source
    assert {claim.verdict for claim in answer.claims} <= {"supported"}
    assert answer == replace(answer, abstained=not answer.citations)


@pytest.mark.requirement("P4")
@pytest.mark.parametrize("frame", ["On 2026-03-02 {} said: “{}” [t1]", "2026-03-02 {}说过：“{}” [t1]"])
@pytest.mark.parametrize("speaker", ["order_lookup", "mobile_app", "crm-2"])
def test_a_service_is_quoted_under_its_own_name_and_under_no_other(frame, speaker):
    talk = Talk()
    talk.say("Order 12345 left the warehouse.", by=speaker)
    quoted = [Evidence(1, Span(0, len(talk.turns[1].text)), 1.0)]

    def verdict(name: str) -> set[str]:
        text = frame.format(name, talk.turns[1].text)
        return {claim.verdict for claim in verify(text, quoted, talk.turns, "en")}

    assert verdict(speaker) == {"supported"}
    assert "supported" not in verdict("warehouse_app")
