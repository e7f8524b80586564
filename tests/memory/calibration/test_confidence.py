"""How sure the memory is that it holds an answer: who did it counts, and how much of the question one passage covers."""

from dataclasses import replace

import pytest

from veridical.memory.calibration.confidence import Measure
from veridical.memory.calibration.expansion import expand
from veridical.memory.calibration.rules import calibrate

from .scenes import Talk

RARE = {"race": 2.0, "chariti": 3.0, "run": 1.0, "慈善": 3.0, "赛跑": 2.0}


def sure(talk: Talk, text: str, measure: Measure | None = None) -> float:
    question = talk.understand(text)
    candidates = talk.candidates(question)
    measure = measure or Measure(RARE, preference=0.0)
    return calibrate(
        question, candidates, talk.turns, talk.items, expand(question)[1], k=10, measure=measure
    ).confidence


@pytest.fixture
def race() -> Talk:
    talk = Talk()
    talk.topic = replace(talk.topic, speakers=("Melanie", "Caroline"))
    talk.say("I ran a charity race for mental health last Saturday.", by="Melanie")
    talk.say("That is great, I am proud of you.", by="Caroline")
    talk.say("I joined a new choir in town.", by="Caroline")
    return talk


def test_the_person_who_did_it_is_surer_than_the_one_who_listened(race: Talk):
    assert sure(race, "When did Melanie run the charity race?") > 0.6
    assert sure(race, "When did Caroline run the charity race?") < 0.4


def test_what_the_ranking_adds_for_the_person_counts_for_nobody(race: Talk):
    question = race.understand("When did Caroline run the charity race?")
    plain = [replace(one, score=1.0) for one in race.candidates(question)]
    preferred = [replace(one, score=4.0 if race.turns[one.turn].speaker == "Caroline" else 1.0) for one in plain]
    found = [
        calibrate(question, ranked, race.turns, race.items, expand(question)[1], k=10, measure=Measure(RARE, bonus))
        for ranked, bonus in ((plain, 0.0), (preferred, 3.0))
    ]
    assert found[0].confidence == pytest.approx(found[1].confidence)


def test_a_long_lead_makes_no_surer_than_a_fair_one(race: Talk):
    question = race.understand("When did Melanie run the charity race?")

    def leading_by(points: float) -> float:
        ranked = [
            replace(one, score=points if race.turns[one.turn].speaker == "Melanie" else 0.0)
            for one in race.candidates(question)
        ]
        limits, measure = expand(question)[1], Measure(RARE, preference=0.0)
        return calibrate(question, ranked, race.turns, race.items, limits, k=10, measure=measure).confidence

    assert leading_by(0.5) < leading_by(3.0) < leading_by(5.0) == leading_by(12.0)


def test_of_two_who_are_asked_about_together_none_is_the_other():
    talk = Talk()
    talk.topic = replace(talk.topic, speakers=("Melanie", "Caroline"))
    talk.say("We ran the charity race together last Saturday.", by="Caroline")
    talk.say("I joined a new choir in town.", by="Melanie")
    text = "When did Melanie and Caroline run the charity race?"
    alone, together, with_another = (
        sure(talk, text, Measure(RARE, 0.0, beside)) for beside in ((), ("caroline",), ("rex",))
    )

    assert together > alone == with_another


@pytest.mark.parametrize(
    ("said", "told", "untold"),
    [
        (
            "The budget of Apollo is 48,500 dollars.",
            "What is the budget of Apollo?",
            "Who paints the fence of Borealis?",
        ),
        ("我的生日是五月三日。", "我的生日是哪天？", "我的驾照号码是多少？"),
    ],
)
def test_without_a_named_person_the_words_that_are_covered_decide(said: str, told: str, untold: str):
    talk = Talk()
    talk.say(said)
    assert sure(talk, told, Measure({}, 0.0)) > 0.5 > sure(talk, untold, Measure({}, 0.0))


def test_an_empty_memory_is_not_sure():
    assert sure(Talk(), "Where did I park?", Measure({}, 0.0)) < 0.2
