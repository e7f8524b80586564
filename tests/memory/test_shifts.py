"""A topic shifts with a question about something new, or a statement that shares nothing with what was said."""

import pytest

from veridical.memory.shifts import topic_shifts

TALK = ["We are painting the kitchen blue.", "The kitchen paint dries slowly."]
TALK_ZH = ["我们在粉刷厨房。", "厨房的油漆干得很慢。"]


@pytest.mark.parametrize(
    ("earlier", "last"),
    [
        (TALK, "Do you play tennis?"),
        (TALK, "My sister won a chess tournament in Madrid."),
        (TALK_ZH, "你打网球吗？"),
        (TALK_ZH, "我姐姐在马德里赢了国际象棋锦标赛，还拿到了奖杯和奖金。"),
    ],
)
def test_something_new_shifts_the_topic(earlier, last):
    assert topic_shifts([*earlier, last])


@pytest.mark.parametrize(
    ("earlier", "last"),
    [
        (TALK, "How slowly does the kitchen paint dry?"),
        (TALK, "The second coat of paint needs two cans and new brushes."),
        (TALK, "Oh, I see."),
        ([*TALK, "What do you do for a living?"], "I repair violins and cellos in Cremona."),
        (TALK_ZH, "油漆什么时候干？"),
        (TALK_ZH, "嗯，好的。"),
        ([], "My sister won a chess tournament in Madrid."),
    ],
)
def test_what_goes_on_with_it_or_answers_does_not(earlier, last):
    assert not topic_shifts([*earlier, last])
