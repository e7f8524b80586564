"""Complaints are noticed, and talk of other people's mistakes is not one."""

import pytest

from veridical.memory.complaints import complains
from veridical.memory.language.folding import detect_language

COMPLAINTS = [
    "你记错了",
    "您搞错了吧",
    "你又记错了！",
    "妳記錯了",
    "我没说过这个",
    "我从来没这么说过",
    "这不是我说的",
    "不对，那不是我说的意思",
    "不是这样的",
    "答案是错的",
    "你在瞎编",
    "that's not what I said",
    "You're wrong.",
    "you got that wrong",
    "I never said that",
    "No, that's wrong.",
    "That isn't right",
    "You made that up",
    "That's wrong, it is 52,000",
    "You are mixing things up",
]
NONE = [
    "我记错了时间",
    "他说错了",
    "他不是我说的那个人",
    "不是我不想去",
    "这个方案不对称",
    "我没有汽车",
    "对不对",
    "我不对辣椒过敏",
    "My doctor said I was wrong about the dose",
    "the invoice is wrong",
    "I said it",
    "Is that right?",
    "you are right",
    "that is not what we need",
    "He never said that",
    "Dana got it wrong",
]


@pytest.mark.requirement("COMPLAINT")
@pytest.mark.parametrize("text", COMPLAINTS)
def test_somebody_who_was_told_wrong_complains(text):
    assert complains(text, detect_language(text))


@pytest.mark.requirement("COMPLAINT")
@pytest.mark.parametrize("text", NONE)
def test_who_speaks_of_something_else_does_not(text):
    assert not complains(text, detect_language(text))
