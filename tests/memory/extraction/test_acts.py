"""What a message does."""

import pytest

from veridical.memory.extraction import classify_act

ACTS = [
    ("Hello there!", "greeting"),
    ("你好", "greeting"),
    ("Thanks, bye!", "leave"),
    ("谢谢，再见", "leave"),
    ("Nice weather today!", "small_talk"),
    ("今天天气真好", "small_talk"),
    ("ok", "acknowledgement"),
    ("好的", "acknowledgement"),
    ("The budget of Apollo is 48,500 dollars.", "statement"),
    ("费用定为5万", "statement"),
    ("The client turned down the $5,000 package but was interested in the $8,000 one.", "statement"),
    ("What is the budget of Apollo?", "question"),
    ("预算是多少", "question"),
    ("好的，那第二条呢", "question"),
    ("and the second?", "question"),
    ("Do you remember where I live", "question"),
    ("Hi! What is my name?", "question"),
    ("Remind me to water the ferns today.", "request"),
    ("提醒我今天给张工发会议纪要", "request"),
    ("Please translate this.", "request"),
    ("Forget that.", "request"),
    ("That's wrong, it is 52,000", "correction"),
    ("不对，是五万二", "correction"),
    ("Is that wrong?", "question"),
    ("when's the meeting with Ana", "question"),
    ("First the car broke, which was embarrassing because the director was watching.", "statement"),
    ("", "acknowledgement"),
    ("[context] time zone: Europe/Berlin\nWhat time is it?", "question"),
]


@pytest.mark.parametrize(("text", "act"), ACTS)
def test_the_act_of_a_message_is_recognised(text, act):
    language = "en" if text.isascii() else "zh"
    assert classify_act(text, language) == act
