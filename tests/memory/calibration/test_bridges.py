"""Words of a question that other words of everyday talk answer for, and those that they never answer for."""

import pytest

from veridical.memory.calibration.coverage import covers, prepare
from veridical.memory.language.lexicon import cue
from veridical.memory.language.tokens import stem


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("inspect", "The inspector came by bike."),
        ("drummer", "Odile drums in it."),
        ("hire", "They signed with Kessel."),
        ("teach", "My tutor is from Ghent."),
        ("borrow", "The loan runs for six years."),
        ("weigh", "The crate is 40 kilos."),
        ("collect", "Someone will fetch it at noon."),
        ("住宿", "客栈就在码头边"),
        ("付", "昨天刷的卡"),
        ("复旦大学", "她考上了复旦"),
        ("清华大学", "她考上了清大"),
        ("停售", "上周就下架了"),
        ("离职", "他月底辞职"),
        ("卖出", "一天能卖五十碗"),
        ("找来", "厨子是阿荔找的"),
    ],
)
def test_other_words_answer_for_a_word(word, text):
    assert covers(prepare(text), stem(word)) > 0.8


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("corner", "The corn is ripe."),
        ("flower", "The flow stopped."),
        ("buy", "I sold it."),
        ("teach", "My student is from Ghent."),
        ("付", "定金退了"),
        ("离职", "他月底入职"),
    ],
)
def test_words_of_other_meaning_do_not(word, text):
    assert covers(prepare(text), stem(word)) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Kessel raised the rye to $2.10.",
        "I moved the limit up to 70 percent.",
        "The rehearsal slips to June 3.",
        "She is down to 54 kilos.",
        "人数减到16个",
        "押金从两千涨到三千",
        "从周三改到周五",
    ],
)
def test_a_raise_or_a_delay_is_a_change(text):
    assert cue(text, "change")


@pytest.mark.parametrize(
    "text", ["I went to Ghent.", "She put it on the shelf.", "他提到了你", "从小到大都怕狗", "加班到十点"]
)
def test_a_move_or_a_mention_is_no_change(text):
    assert not cue(text, "change")
