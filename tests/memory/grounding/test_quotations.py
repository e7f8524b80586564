"""How much of a turn is quoted: as much as holds the answer, and no more."""

from datetime import UTC, datetime

import pytest

from ..calibration.scenes import Talk


def quotes(said: str, question: str) -> list[str]:
    talk = Talk()
    talk.say(said)
    return [citation.quote for citation in talk.ask(question).citations]


@pytest.mark.parametrize(
    ("said", "question", "value"),
    [
        ("Bought a kettle, the Brabant, because the other one leaks.", "Which make of kettle did I buy?", "Brabant"),
        ("I can't skate. I'll take the sledge.", "What did I do instead of skating?", "sledge"),
        ("I have a new landlord now, Ruud. He's from Delft and plays the lute.", "Where is my landlord from?", "Delft"),
        ("买了把水壶，美林的，别的牌子漏水。", "我买的水壶是什么牌子？", "美林"),
        ("阿荔不想养狗。就领了只兔子。", "阿荔没养狗，养了什么？", "兔子"),
    ],
)
def test_the_quotation_reaches_the_value(said, question, value):
    assert value in " ".join(quotes(said, question))


@pytest.mark.parametrize(
    ("said", "question", "other"),
    [
        ("The kettle cost $40. My sister laughed about it.", "How much did the kettle cost?", "sister"),
        ("The audit is on May 4. It rained.", "When is the audit?", "rained"),
        ("水壶花了四十块。我妹笑了。", "水壶花了多少钱？", "妹"),
        ("I bought a kettle. Did you know?", "What did I buy?", "Did you know"),
    ],
)
def test_what_follows_the_value_is_not_quoted(said, question, other):
    found = quotes(said, question)
    assert found
    assert other not in " ".join(found)


@pytest.mark.parametrize(
    ("said", "question"),
    [("My rent is 400 a month, Odile's went up.", "What is Odile's rent?"), ("我的房租是四百。", "阿荔的房租是多少？")],
)
def test_what_the_speaker_has_does_not_answer_for_somebody_else(said, question):
    talk = Talk()
    talk.about("", known=("Odile", "阿荔"))
    talk.say("Odile and 阿荔 live next door.")
    talk.say(said.split(",")[0])
    assert talk.ask(question).abstained


def test_what_the_speaker_has_answers_for_the_speaker():
    talk = Talk()
    talk.say("My rent is 400 a month.")
    assert "400" in talk.ask("What is my rent?").text


@pytest.mark.parametrize(
    ("said", "question"),
    [("The audit cost 900 euros.", "What did the audit cost?"), ("审计花了九百块。", "审计花了多少钱？")],
)
def test_a_quotation_is_dated_by_the_clock_where_it_was_said(said, question):
    talk = Talk(zone="Europe/Berlin")
    talk.say(said, at=datetime(2026, 1, 10, 22, 30, tzinfo=UTC))
    talk.zone = "Asia/Shanghai"  # the reader has travelled on
    answer = talk.ask(question)
    assert not answer.abstained
    assert "2026-01-10" in answer.text


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("小可昨天拔了第三颗牙。", "小可第四颗牙是哪天拔的？"),
        ("The second courier came on May 4.", "When did the third courier come?"),
    ],
)
def test_another_one_of_a_row_does_not_answer(said, question):
    assert not quotes(said, question)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("小可昨天拔了第三颗牙。", "小可第三颗牙是哪天拔的？"),
        ("The third courier came on May 4.", "When did the third courier come?"),
    ],
)
def test_the_very_one_of_a_row_answers(said, question):
    assert quotes(said, question) == [said]
