"""What is known, what was talked about and what lies ahead: answers that no single turn gives."""

import pytest

from ..calibration.scenes import Talk, quoted


@pytest.mark.parametrize("text", ["What do you know about me?", "你都知道我什么？"])
def test_what_is_known_is_told_by_quotation(text):
    talk = Talk()
    talk.fact(talk.say("I live in Ghent."), "home", "Ghent")
    talk.fact(talk.say("I moved, I live in Bruges now."), "home", "Bruges")
    talk.fact(talk.say("I keep two parrots."), "pet", "two parrots")
    assert quoted(talk.ask(text)) == ["t2", "t3"]


@pytest.mark.parametrize("text", ["What did we talk about?", "我们聊了什么？"])
def test_without_summaries_an_overview_is_what_was_noted(text):
    talk = Talk()
    talk.fact(talk.say("I live in Bruges."), "home", "Bruges")
    talk.say("Nice weather today.")
    talk.fact(talk.say("I keep two parrots."), "pet", "two parrots")
    assert quoted(talk.ask(text)) == ["t1", "t3"]


@pytest.mark.parametrize(
    ("said", "value", "now", "ahead"),
    [
        ("The rent is 900 euros a month.", "900 euros", "What is the rent?", "What will the rent be next year?"),
        ("房租一个月900元。", "900元", "房租多少钱？", "明年房租多少钱？"),
    ],
)
def test_what_holds_today_does_not_head_the_answer_for_a_time_to_come(said, value, now, ahead):
    talk = Talk()
    talk.fact(talk.say(said), "rent", value)
    assert talk.ask(now).text.startswith(value)
    assert not talk.ask(ahead).text.startswith(value)


def test_the_room_of_one_number_is_none_of_another():
    talk = Talk()
    talk.say("四号会议室明天下午三点给设计组用。")
    assert quoted(talk.ask("四号会议室什么时候给设计组用？")) == ["t1"]
    assert talk.ask("五号会议室什么时候给设计组用？").abstained
