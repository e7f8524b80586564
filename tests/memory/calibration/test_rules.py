"""The rule engine: what is dropped, by which rule, and what never depends on the order of the candidates."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.memory.calibration.rules import calibrate, in_their_place
from veridical.memory.records import Candidate, RecallFilter, Span

from .scenes import START, Talk

COLORS = ["blue", "red", "green", "black", "white", "pink", "grey", "brown", "orange", "violet"]
FILLER = ["I watered the plants.", "We had soup for dinner.", "The train was late again.", "I finished the novel."]


def versions(texts: list[str], attribute: str = "favorite_color") -> Talk:
    talk = Talk()
    for text, color in zip(texts, COLORS, strict=False):
        talk.fact(talk.say(text.format(color)), attribute, color)
    return talk


def dropped_by(calibration) -> dict[int, str]:
    return {one.turn: one.rule for one in calibration.dropped}


@pytest.mark.requirement("C13", "DROPPED-BY-RULE")
@pytest.mark.parametrize("k", [1, 3])
def test_of_ten_versions_only_the_live_one_is_kept(k):
    talk = versions(["My favourite colour is {}."] * 10)
    for text in FILLER:
        talk.say(text)
    found = talk.calibrate("What is my favourite colour?", k=k)
    assert found.kept[0].turn == 10
    assert found.kept[0].items == (10,)
    assert {turn for turn, rule in dropped_by(found).items() if rule == "superseded"} == set(range(1, 10))


@pytest.mark.requirement("C13")
def test_the_live_version_is_kept_although_it_ranks_last():
    talk = versions(["My favourite colour is {}."] * 10)
    question = talk.understand("What is my favourite colour?")
    worst_last = [Candidate(turn=n, score=20.0 - n) for n in range(1, 11)]
    found = calibrate(question, worst_last, talk.turns, talk.items, RecallFilter(), k=3)
    assert [candidate.turn for candidate in found.kept] == [10]


@pytest.mark.requirement("C11", "AS-OF")
def test_an_earlier_time_reads_the_version_of_that_time():
    talk = versions(["My favourite colour is {}."] * 3)
    limits = RecallFilter(as_of=talk.turns[2].observed_at + timedelta(minutes=1))
    found = talk.calibrate("What is my favourite colour?", limits=limits)
    assert [candidate.turn for candidate in found.kept] == [2]
    assert dropped_by(found) == {1: "superseded", 3: "validity"}


@pytest.mark.requirement("AS-OF")
def test_what_was_known_then_is_told_from_what_is_known_now():
    talk = Talk()
    old = talk.say("I live in Oslo.")
    talk.fact(old, "home", "Oslo")
    talk.now = START + timedelta(days=30)
    correction = talk.say("That was wrong, I live in Bergen.")
    talk.items[1] = [
        replace(talk.items[1][0], closed_at=correction.recorded_at, closed_by="correction", superseded_by=2)
    ]
    talk.fact(correction, "home", "Bergen", valid_from=old.observed_at)
    then = RecallFilter(recorded_as_of=START + timedelta(days=10))
    assert [c.turn for c in talk.calibrate("Where do I live?", limits=then).kept] == [1]
    assert [c.turn for c in talk.calibrate("Where do I live?").kept] == [2]
    assert [
        c.turn for c in talk.calibrate("Where do I live?", limits=RecallFilter(as_of=START + timedelta(days=9))).kept
    ] == [2]


@pytest.mark.requirement("C11")
@pytest.mark.parametrize("text", ["What was my favourite colour before?", "我以前最喜欢的颜色是什么"])
def test_history_keeps_what_was_superseded(text):
    talk = versions(["My favourite colour is {}."] * 2)
    assert {candidate.turn for candidate in talk.calibrate(text).kept} == {1, 2}


@pytest.mark.parametrize(
    ("question", "turns", "kept"),
    [
        ("When does order #12345 ship?", ["Order #12345 ships on Friday.", "Order #67890 ships on Monday."], [1]),
        ("订单12345什么时候发货？", ["订单67890周一发货。", "订单12345周五发货。"], [2]),
        (
            "What is the penalty in contract B?",
            ["The penalty in contract A is 3%.", "The penalty in contract B is 5%."],
            [2],
        ),
        ("合同A的违约金是多少？", ["A合同的违约金是3%。", "合同B的违约金是5%。"], [1]),
    ],
)
@pytest.mark.requirement("DROPPED-BY-RULE")
def test_turns_about_another_order_or_contract_are_dropped(question, turns, kept):
    talk = Talk()
    for text in turns:
        talk.say(text)
    found = talk.calibrate(question)
    assert [candidate.turn for candidate in found.kept] == kept
    assert set(dropped_by(found).values()) == {"identity"}


def test_a_turn_that_names_both_orders_is_kept():
    talk = Talk()
    talk.say("Order #12345 ships after order #67890.")
    assert talk.calibrate("When does order #12345 ship?").kept


def test_many_valued_items_all_live():
    talk = Talk()
    for food in ("pizza", "sushi", "soup"):
        talk.fact(talk.say(f"I like {food}."), "likes", food, single_valued=False)
    found = talk.calibrate("What do I like?")
    assert {candidate.turn for candidate in found.kept} == {1, 2, 3}
    assert found.conflicts == ()


def test_of_two_live_versions_the_preferred_one_is_kept_and_the_conflict_shown():
    talk = Talk()
    for number, place in enumerate(["Oslo", "Bergen"], 1):
        turn = talk.say(f"I live in {place}.")
        talk.items[turn.number] = []
        talk.fact(turn, "home", place)
        talk.items[number][0] = replace(talk.items[number][0], number=number)
    talk.items[1] = [replace(talk.items[1][0], valid_to=None, closed_at=None, closed_by=None, superseded_by=None)]
    found = talk.calibrate("Where do I live?")
    assert [candidate.turn for candidate in found.kept] == [2]
    assert [(c.preferred, c.other) for c in found.conflicts] == [(2, 1)]
    assert dropped_by(found) == {1: "conflict"}


@pytest.mark.requirement("P2")
def test_the_words_of_the_user_come_before_those_of_the_assistant():
    talk = Talk()
    talk.say("Your phone is a Pixel, I think.", by="assistant")
    talk.say("I need a phone.")
    question = talk.understand("What is the number of my phone?")
    candidates = [Candidate(turn=1, score=2.0), Candidate(turn=2, score=1.0)]
    found = calibrate(question, candidates, talk.turns, talk.items, RecallFilter(), k=10)
    assert [candidate.turn for candidate in found.kept] == [2, 1]
    assert not found.enough


def test_one_more_hop_is_asked_for_only_with_names_to_look_for():
    talk = Talk()
    talk.say("My boss is Anna Keller.")
    found = talk.calibrate("Where does my boss live?")
    assert not found.enough
    assert "anna" in found.hop_entities or "anna keller" in found.hop_entities
    talk.say("The sky is blue.")
    assert talk.calibrate("How many stars are there?").hop_entities == ()


def test_the_word_that_opens_a_passage_is_no_name_to_look_for():
    talk = Talk()
    talk.say("Luckily my boss is Anna.")
    assert talk.calibrate("Where does my boss live?").hop_entities == ("anna",)


facts = st.lists(
    st.tuples(st.sampled_from(["favorite_color", "home", "employer"]), st.sampled_from(COLORS), st.booleans()),
    min_size=1,
    max_size=12,
)
QUESTIONS = [
    "What is my favourite colour?",
    "Where do I live?",
    "Where did I work before?",
    "我住在哪里？",
    "What did I say yesterday?",
]
WORDS = {"favorite_color": "My favourite colour is {}.", "home": "I live in {}.", "employer": "I work at {}."}


def told(drawn) -> Talk:
    talk = Talk()
    for attribute, value, single in drawn:
        talk.fact(talk.say(WORDS[attribute].format(value)), attribute, value, single_valued=single)
    return talk


@settings(max_examples=60, deadline=None)
@given(facts, st.sampled_from(QUESTIONS), st.integers(1, 12), st.randoms(use_true_random=False))
@pytest.mark.requirement("DROPPED-BY-RULE")
def test_every_candidate_is_either_kept_or_dropped_by_a_named_rule(drawn, text, k, chance):
    talk = told(drawn)
    question = talk.understand(text)
    candidates = talk.candidates(question)
    chance.shuffle(candidates)
    found = calibrate(question, candidates, talk.turns, talk.items, RecallFilter(), k=k)
    judged = sorted([one.turn for one in found.kept] + [one.turn for one in found.dropped])
    assert judged == sorted(candidate.turn for candidate in candidates)
    assert {one.rule for one in found.dropped} <= {"identity", "validity", "superseded", "conflict", "relevance"}
    assert len(found.kept) <= k


@settings(max_examples=60, deadline=None)
@given(facts, st.sampled_from(QUESTIONS), st.integers(0, 2**16))
def test_what_is_superseded_does_not_depend_on_the_order_of_the_candidates(drawn, text, seed):
    talk = told(drawn)
    question = talk.understand(text)
    candidates = talk.candidates(question)
    shuffled = random.Random(seed).sample(candidates, len(candidates))
    one = calibrate(question, candidates, talk.turns, talk.items, RecallFilter(), k=100)
    other = calibrate(question, shuffled, talk.turns, talk.items, RecallFilter(), k=100)
    assert dropped_by(one) == dropped_by(other)
    assert one.conflicts == other.conflicts


@settings(max_examples=40, deadline=None)
@given(facts)
@pytest.mark.requirement("C13")
def test_a_live_single_value_is_never_dropped_as_superseded(drawn):
    talk = told(drawn)
    for text, attribute in (("What is my favourite colour?", "favorite_color"), ("Where do I live?", "home")):
        live = [
            i for items in talk.items.values() for i in items if i.attribute == attribute and i.single_valued and i.live
        ]
        found = talk.calibrate(text, k=100)
        gone = {turn for turn, rule in dropped_by(found).items() if rule == "superseded"}
        assert not gone & {item.turn for item in live}


def test_nothing_to_calibrate_is_not_enough():
    talk = Talk()
    found = talk.calibrate("Where do I live?")
    assert (found.kept, found.dropped, found.enough) == ((), (), False)


def test_the_trace_names_the_rule_of_every_drop():
    talk = versions(["My favourite colour is {}."] * 3)
    found = talk.calibrate("What is my favourite colour?")
    assert [(step.rule, step.id) for step in found.trace[:2]] == [("superseded", "t2"), ("superseded", "t1")]
    assert found.trace[-1].rule == "enough"
    assert found.trace[-1].id == "t3"
    assert talk.turns[3].observed_at.tzinfo is UTC
    assert isinstance(talk.turns[3].observed_at, datetime)


@pytest.mark.requirement("C13")
def test_a_turn_that_says_nothing_but_what_was_replaced_is_dropped_whatever_is_asked():
    talk = versions(["My favourite colour is {}."] * 2)
    talk.say("I painted the fence at the weekend.")
    found = talk.calibrate("Did I ever paint anything blue?")
    assert dropped_by(found)[1] == "superseded"
    earlier = RecallFilter(as_of=talk.turns[1].observed_at + timedelta(minutes=1))
    assert 1 not in dropped_by(talk.calibrate("Did I ever paint anything blue?", limits=earlier))


@pytest.mark.requirement("C13")
def test_a_turn_that_says_more_than_what_was_replaced_stays():
    talk = versions(["My favourite colour is {}, and I bought a blue bicycle from Anna in the spring."] * 2)
    talk.items[1] = [replace(item, quote_span=Span(0, 27)) for item in talk.items[1]]
    assert 1 not in dropped_by(talk.calibrate("Who sold me the bicycle?"))


def test_what_replaced_a_statement_stands_where_that_stood():
    ranked = [Candidate(turn=4, score=3.0), Candidate(turn=1, score=2.0), Candidate(turn=9, score=1.0)]
    placed = in_their_place(ranked, {1: 7, 4: 9})
    assert [(one.turn, one.score) for one in placed] == [(9, 3.0), (4, 3.0), (7, 2.0), (1, 2.0)]
