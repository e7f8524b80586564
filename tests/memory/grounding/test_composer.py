"""Composing: the limits of the floor, what is said to statements, and the little replies."""

import pytest

from veridical.memory.grounding.composer import acknowledge
from veridical.memory.grounding.trimming import CHARACTERS, WORDS, size, trim
from veridical.memory.records import Act, Answer, Item, Language, Span
from veridical.prompts.library import load

from ..calibration.scenes import Talk, quoted

LONG = (
    "Yesterday after the meeting, which took far longer than any of us had expected because the projector broke twice, "
    "we walked through the old town, past the market and the church, and talked about the summer, the garden and the new "
    "neighbours, and then, just before the train left, Ana told me that the deposit for the cabin is 350 dollars, and that "
    "we should pay it before the end of the month, although nobody had asked us for it so far, which was a surprise to all."
)
LONG_ZH = (
    "昨天开完会以后我们一起走过老城区的市场和教堂，聊了很多关于夏天和花园还有新邻居的事情，一直走到火车站旁边的小店，"
    "后来小李告诉我说湖边小屋的押金是三百五十元，而且最好在月底之前付清，虽然到目前为止还没有任何人来催过我们，这让大家都觉得有点意外，"
    "另外她还提到明年春天也许会换一个更大的房子住，不过具体的时间和地点都还没有想好，需要等到家里人都商量过以后再说。"
)


def reply(talk: Talk, act: Act, language: Language, recorded: list[Item], closed: list[Item] | None = None) -> Answer:
    return acknowledge(act, language, recorded, closed or [], talk.turns, render=load("floor_reply", language).render)


@pytest.mark.requirement("FLOOR-ANSWERS")
@pytest.mark.parametrize(
    ("said", "text", "value"),
    [(LONG, "How much is the deposit for the cabin?", "350 dollars"), (LONG_ZH, "小屋的押金是多少？", "三百五十元")],
)
def test_a_long_turn_is_cut_down_to_what_answers(said, text, value):
    talk = Talk()
    talk.say(said)
    answer = talk.ask(text)
    language = talk.understand(text).language
    assert value in answer.text
    assert size(answer.text, language) <= (CHARACTERS if language == "zh" else WORDS)
    assert answer.citations[0].quote in said


@pytest.mark.requirement("FLOOR-ANSWERS")
def test_a_question_gets_at_most_two_quotations():
    talk = Talk()
    for fruit in ("plums", "figs", "pears", "limes"):
        talk.fact(talk.say(f"I like {fruit}."), "likes", fruit, single_valued=False)
    answer = talk.ask("What do I like?")
    assert len(answer.citations) == 2
    assert size(answer.text, "en") <= WORDS


@pytest.mark.requirement("FLOOR-ANSWERS")
@pytest.mark.parametrize("text", ["List the places I visited by train.", "What are all the places I visited by train?"])
def test_a_list_gets_at_most_five_quotations_oldest_first(text):
    talk = Talk()
    for city in ("Oslo", "Bergen", "Turku", "Malmö", "Riga", "Vilnius"):
        talk.say(f"I visited {city} by train.")
    turns = quoted(talk.ask(text))
    assert len(turns) == 5
    assert turns == sorted(turns)


def test_a_trimmed_span_is_within_the_span_and_the_limit():
    talk = Talk()
    question = talk.understand("How much is the deposit?")
    for most in (5, 10, 20, 40):
        span = trim(LONG, Span(0, len(LONG)), question, most)
        assert size(span.cut(LONG), "en") <= most
        assert 0 <= span.start < span.end <= len(LONG)


@pytest.mark.requirement("FLOOR-ANSWERS")
def test_a_statement_is_noted_with_its_turn():
    talk = Talk()
    item = talk.fact(talk.say("The budget is 48,500 dollars."), "budget", "48,500 dollars")
    answer = reply(talk, "statement", "en", [item])
    assert answer.text == "Noted: budget = 48,500 dollars [t1]"
    assert not answer.abstained
    assert reply(talk, "statement", "zh", [item]).text == "已记下：预算 = 48,500 dollars [t1]"


@pytest.mark.requirement("FLOOR-ANSWERS", "C17")
def test_what_a_statement_replaces_is_said():
    talk = Talk()
    talk.fact(talk.say("My favourite colour is blue."), "favorite_color", "blue")
    new = talk.fact(talk.say("My favourite colour is red now."), "favorite_color", "red")
    old = talk.items[1][0]
    assert old.superseded_by == new.number
    assert reply(talk, "statement", "en", [new], [old]).text == "Noted: favorite color = red [t2] (replaces blue [t1])"
    assert reply(talk, "statement", "zh", [new], [old]).text == "已记下：最喜欢的颜色 = red [t2]（取代 blue [t1]）"


@pytest.mark.requirement("C15")
def test_a_negative_statement_is_noted_in_its_own_words():
    talk = Talk()
    item = talk.fact(talk.say("I don't like sushi."), "likes", "sushi", polarity="negative", single_valued=False)
    assert reply(talk, "statement", "en", [item]).text == "Noted: “I don't like sushi.” [t1]"


def test_a_done_todo_is_said_to_be_done():
    talk = Talk()
    done = talk.todo(talk.say("Buy milk."), "Buy milk", done=True)
    talk.say("I bought the milk.")
    assert reply(talk, "statement", "en", [], [done]).text == "Done: “Buy milk” [t1]"


@pytest.mark.requirement("FLOOR-ANSWERS", "P5")
@pytest.mark.parametrize(
    "act", ["greeting", "leave", "small_talk", "acknowledgement", "statement", "correction", "request"]
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_holds_no_fact_gets_a_short_reply_that_claims_nothing(act, language):
    answer = reply(Talk(), act, language, [])
    assert answer.text
    assert (answer.claims, answer.citations, answer.abstained) == ((), (), False)
    assert size(answer.text, language) <= 30


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_template_knows_every_kind_of_reply(language):
    prompt = load("floor_reply", language)
    empty = {"lead": "", "quotes": [], "notes": [], "gone": [], "more": False}
    for kind in ("abstain", "general", "nothing", "command", "greeting", "leave", "small_talk", "acknowledgement"):
        assert prompt.render(reply=kind, **empty).strip(), kind


def test_the_reply_is_in_the_language_of_the_question():
    talk = Talk()
    talk.say("预算是5万。")
    assert talk.ask("What is the budget?").text.endswith("On 2026-03-02 you said: “预算是5万。” [t1]")
    assert "您说过" in talk.ask("预算是多少？").text
