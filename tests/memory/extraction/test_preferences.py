"""Likes and dislikes, acceptance and refusal, and their polarity."""

import pytest

from .conversation import said

POLARITIES = [
    ("I love mushrooms", "mushrooms", "positive"),
    ("I don't like mushrooms", "mushrooms", "negative"),
    ("I don't dislike mushrooms", "mushrooms", "positive"),
    ("It's not that I don't like tea", "tea", "positive"),
    ("I never liked olives", "olives", "negative"),
    ("I no longer enjoy running", "running", "negative"),
    ("I can't stand horror movies", "horror movies", "negative"),
    ("I'm a big fan of jazz", "jazz", "positive"),
    ("I'm not a fan of jazz", "jazz", "negative"),
    ("I'm really into chess", "chess", "positive"),
    ("I'm tired of soup", "soup", "negative"),
    ("I do not hate Mondays", "Mondays", "positive"),
    ("I've fallen in love with Lisbon", "Lisbon", "positive"),
    ("I've gone off coffee", "coffee", "negative"),
    ("我喜欢香菜", "香菜", "positive"),
    ("我不喜欢香菜", "香菜", "negative"),
    ("我不是不喜欢香菜", "香菜", "positive"),
    ("我没有不喜欢猫", "猫", "positive"),
    ("我并不讨厌榴莲", "榴莲", "positive"),
    ("我不太喜欢下雨天", "下雨天", "negative"),
    ("我从来不喜欢恐怖片", "恐怖片", "negative"),
    ("我不再喜欢喝咖啡了", "喝咖啡", "negative"),
    ("我谈不上喜欢苹果", "苹果", "negative"),
    ("我受不了榴莲", "榴莲", "negative"),
    ("我特别爱吃火锅", "火锅", "positive"),
    ("我对足球不感兴趣", "足球", "negative"),
    ("我对历史很感兴趣", "历史", "positive"),
    ("我不喜歡這個顏色", "這個顏色", "negative"),
]


@pytest.mark.requirement("C15")
@pytest.mark.parametrize(("text", "value", "polarity"), POLARITIES)
def test_every_negation_turns_the_polarity_over(text, value, polarity):
    items = said(text).items(attribute="likes")
    if value == "這個顏色":
        # A demonstrative says nothing without the talk around it.
        assert items == []
        return
    assert [(item.value, item.polarity) for item in items] == [(value, polarity)]


@pytest.mark.requirement("C9")
@pytest.mark.parametrize(
    ("text", "refused", "wanted"),
    [
        ("客户拒绝了5000元的套餐，但对8000元的套餐表示感兴趣", "5000元的套餐", "8000元的套餐"),
        ("客户没有接受5000元的方案，不过同意了8000元的方案", "5000元的方案", "8000元的方案"),
        (
            "The client turned down the $5,000 package but was interested in the $8,000 package.",
            "the $5,000 package",
            "the $8,000 package",
        ),
        (
            "The client accepted the 8,000 euro plan, but rejected the 5,000 euro plan.",
            "the 5,000 euro plan",
            "the 8,000 euro plan",
        ),
    ],
)
def test_both_halves_of_a_mixed_reaction_survive(text, refused, wanted):
    items = said(text).items("fact")
    assert {(item.value, item.polarity) for item in items} == {(refused, "negative"), (wanted, "positive")}
    assert {item.entity for item in items} <= {"client", "客户"}


@pytest.mark.requirement("C14")
@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I love jazz", "I hate jazz"),
        ("I like jazz", "I don't like jazz anymore"),
        ("我喜欢爵士", "我讨厌爵士"),
        ("我爱吃榴莲", "我不爱吃榴莲了"),
    ],
)
def test_a_reversed_preference_leaves_one_live_row(first, then):
    (item,) = said(first, then).items(attribute="likes")
    assert item.polarity == "negative"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I like pizza and sushi", ["pizza", "sushi"]),
        ("I love apples, pears, and plums", ["apples", "pears", "plums"]),
        ("我喜欢苹果、香蕉和梨", ["苹果", "香蕉", "梨"]),
    ],
)
def test_each_member_of_a_list_is_liked_by_itself(text, expected):
    assert said(text).values("likes") == expected


@pytest.mark.parametrize(
    "text",
    [
        "I love it!", "I like your idea.", "I'd love to see that.", "Love that painting!", "Sounds like fun!",
        "I used to love jazz", "我以前喜欢爵士", "I like how you did it", "Do you like jazz?", "你喜欢爵士吗",
        "如果你喜欢爵士就去", "我爱人叫李娜", "Looks like rain",
    ],
)  # fmt: skip
def test_courtesies_and_old_loves_are_no_preferences(text):
    assert said(text).items(attribute="likes") == []


def test_other_people_have_preferences_of_their_own():
    conversation = said("张伟喜欢跑步，不喜欢游泳", "我老婆爱喝奶茶", "Anna loves chess", "I love chess")
    assert [(i.value, i.polarity) for i in conversation.items(entity="张伟")] == [
        ("跑步", "positive"),
        ("游泳", "negative"),
    ]
    assert conversation.values("wife_likes") == ["奶茶"]
    assert conversation.values("likes", "anna") == ["chess"]
    assert conversation.values("likes") == ["chess"]
