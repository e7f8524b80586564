"""Changes, corrections and retractions: what they close, and what they leave alone."""

from datetime import UTC, datetime

import pytest

from .conversation import new_conversation, said

RED = [
    "My favourite colour is red now.",
    "My favorite color has changed from blue to red.",
    "Forget blue, red is my favourite now.",
    "I've switched from blue to red.",
    "Actually make that red.",
    "Blue used to be my favourite colour, but these days it's red.",
    "I no longer like blue best; red is my favourite colour now.",
    "Red has replaced blue as my favourite colour.",
    "I changed my mind: my favourite colour is red.",
    "These days I prefer red over blue.",
    "I like red better than blue now.",
    "My new favourite colour is red.",
    "Not blue any more, red.",
    "It's red now, not blue.",
    "I'm over blue; it's all about red now.",
    "Scrap blue. Red is my favourite colour.",
    "I used to love blue, but now my favourite is red.",
    "Update my favourite colour to red please.",
    "Please change my favourite colour to red.",
    "Lately my favourite colour has become red.",
    "I'd say my favourite colour is red now instead of blue.",
    "Blue was my favourite but I've moved on to red.",
    "My favourite colour isn't blue anymore, it's red.",
    "Let's go with red instead of blue as my favourite colour.",
    "I've gone off blue - red is my favourite now.",
    "Blue is no longer my favourite colour. Red is.",
    "My taste has shifted from blue to red.",
    "Blue's out, red's in.",
]
HONG = [
    "改成红色了",
    "我现在更喜欢红色，不是蓝色了",
    "我最喜欢的颜色改成红色了",
    "我最喜欢的颜色现在是红色",
    "我不再喜欢蓝色了，现在最喜欢红色",
    "以前最喜欢蓝色，现在最喜欢红色",
    "别记蓝色了，我现在最喜欢红色",
    "忘了蓝色吧，红色才是我的最爱",
    "我最喜欢的颜色从蓝色变成了红色",
    "我最喜欢的颜色换成红色了",
    "红色取代了蓝色，成了我最喜欢的颜色",
    "把我最喜欢的颜色改成红色",
    "我改主意了，最喜欢的颜色是红色",
    "我已经不喜欢蓝色了，改喜欢红色了",
    "蓝色看腻了，现在我最爱红色",
    "从今天起我最喜欢的颜色是红色",
    "我的最爱颜色不再是蓝色，而是红色",
    "更新一下，我最喜欢的颜色是红色",
    "我移情别恋了，现在最喜欢红色",
    "比起蓝色，我现在更喜欢红色",
    "最近我迷上了红色，蓝色已经不是我的最爱了",
    "蓝色曾经是我最喜欢的颜色，但现在是红色",
    "我最喜歡的顏色現在是紅色",
]


@pytest.mark.requirement("C16")
@pytest.mark.parametrize("text", RED)
def test_a_changed_favourite_retires_the_old_one(text):
    conversation = said("My name is Tom.", "Bob's favourite colour is blue.", "My favourite colour is blue.", text)
    assert [value.lower() for value in conversation.values("favorite_color")] == ["red"]
    assert conversation.values("favorite_color", "bob") == ["blue"]
    assert conversation.values("name") == ["Tom"]
    old = next(i for i in conversation.everything() if i.entity == "user" and i.attribute == "favorite_color")
    assert (old.value, old.closed_by) == ("blue", "change")


@pytest.mark.requirement("C16")
@pytest.mark.parametrize("text", HONG)
def test_a_changed_favourite_retires_the_old_one_in_chinese(text):
    conversation = said("我叫张三", "小明最喜欢的颜色是蓝色", "我最喜欢的颜色是蓝色", text)
    assert conversation.values("favorite_color") in (["红色"], ["紅色"])
    assert conversation.values("favorite_color", "小明") == ["蓝色"]
    assert conversation.values("name") == ["张三"]


@pytest.mark.requirement("C16", "C31")
@pytest.mark.parametrize("text", [RED[1], RED[2], RED[3], RED[6], RED[21]])
def test_a_change_is_understood_though_other_things_were_talked_about_since(text):
    conversation = said("My favourite colour is blue.", "The meeting is on Friday at 3 pm.", "I hate olives.", text)
    assert [value.lower() for value in conversation.values("favorite_color")] == ["red"]
    assert {"Friday at 3 pm", "olives"} <= {item.value for item in conversation.items()}


@pytest.mark.requirement("C11")
def test_a_new_employer_follows_the_old_one_in_time():
    conversation = new_conversation()
    first, second = datetime(2023, 3, 1, tzinfo=UTC), datetime(2024, 3, 1, tzinfo=UTC)
    conversation.say("I work at Acme", at=first)
    conversation.say("I left Acme for Apex.", at=second)
    assert conversation.values("employer") == ["Apex"]
    (then,) = conversation.items(attribute="employer", as_of=datetime(2023, 9, 1, tzinfo=UTC))
    assert then.value == "Acme"


@pytest.mark.requirement("C11", "C19")
def test_an_older_conversation_imported_later_changes_nothing_that_came_after():
    conversation = new_conversation()
    conversation.say("I work at Apex", at=datetime(2024, 3, 1, tzinfo=UTC))
    conversation.say("I work at Acme now", at=datetime(2022, 3, 1, tzinfo=UTC))
    assert conversation.values("employer") == ["Apex"]
    assert [item.value for item in conversation.items(as_of=datetime(2023, 3, 1, tzinfo=UTC))] == ["Acme"]


@pytest.mark.requirement("C11")
@pytest.mark.parametrize("text", ["In 2019 I joined Acme.", "2019年我加入了阿里"])
def test_what_began_in_the_past_replaces_nothing_that_began_since(text):
    conversation = said("I work at Apex.", text)
    assert conversation.values("employer") == ["Apex"]
    (then,) = conversation.items(as_of=datetime(2020, 1, 1, tzinfo=UTC))
    assert then.value in {"Acme", "阿里"}


def test_an_attribute_of_nobody_in_particular_is_not_taken_for_one_talked_about_long_ago():
    texts = [
        "The final budget of Apollo is 48,500 dollars.",
        "I like tea.",
        "I like jam.",
        "I like ham.",
        "费用定为5万",
    ]
    conversation = said(*texts)
    assert conversation.values("budget", "apollo") == ["48,500 dollars"]
    assert conversation.values("budget") == ["5万"]
    assert said(texts[0], "The budget is now 52,000 dollars.").values("budget", "apollo") == ["52,000 dollars"]


@pytest.mark.requirement("C17")
@pytest.mark.parametrize(
    ("first", "then", "value"),
    [
        ("数据库用 PostgreSQL", "改用 MySQL 了", "MySQL"),
        ("数据库用 PostgreSQL", "数据库换成 MySQL 了", "MySQL"),
        ("Our database is PostgreSQL", "We switched to MySQL", "MySQL"),
        ("The database is PostgreSQL", "We've migrated from PostgreSQL to MySQL.", "MySQL"),
        ("We use PostgreSQL for the database", "We use MySQL instead of PostgreSQL now", "MySQL"),
    ],
)
def test_a_replaced_choice_is_a_conflict_and_the_new_one_is_live(first, then, value):
    conversation = said(first, then)
    assert conversation.values("database") == [value]
    assert conversation.conflicts() == [(2, 1)]


CORRECTIONS = [
    ("The final budget of Apollo is 48,500 dollars.", "That's wrong, it is 52,000", "52000"),
    ("The final budget of Apollo is 48,500 dollars.", "No, it's 52,000 dollars.", "52000"),
    ("The final budget of Apollo is 48,500 dollars.", "Sorry, I meant 52,000.", "52000"),
    ("The budget of Apollo is 48,500 dollars.", "Correction: the budget of Apollo is 52,000 dollars.", "52000"),
    ("阿波罗的预算是四万八", "不对，是五万二", "52000"),
    ("阿波罗的预算是四万八", "说错了，应该是五万二", "52000"),
    ("阿波罗的预算是四万八", "更正一下，阿波罗的预算是五万二", "52000"),
]


@pytest.mark.parametrize(("first", "then", "normal"), CORRECTIONS)
def test_a_correction_says_that_the_old_value_never_held(first, then, normal):
    conversation = said(first, then)
    old, new = conversation.everything()
    assert (old.closed_by, new.normal, new.live) == ("correction", normal, True)
    assert (new.entity, new.attribute) == (old.entity, "budget")


@pytest.mark.parametrize(
    ("first", "then", "normal"),
    [
        ("The budget of Apollo is 48,500 dollars.", "It went up to 52,000.", "52000"),
        ("The budget of Apollo is 48,500 dollars.", "The budget of Apollo was raised to 52,000 dollars.", "52000"),
        ("The budget of Apollo is 48,500 dollars.", "We raised the budget to 52k", "52000"),
        ("阿波罗的预算是四万八", "预算涨到五万二了", "52000"),
        ("阿波罗的预算是四万八", "改成五万二", "52000"),
        ("会议定在周五下午三点", "会议改到周一上午十点", "2024-05-20T10:00"),
        ("The meeting is on Friday at 3 pm.", "The meeting was moved to Monday.", "2024-05-20"),
    ],
)
def test_a_change_says_that_the_old_value_held_until_then(first, then, normal):
    conversation = said(first, then)
    old, new = conversation.everything()
    assert (old.closed_by, old.valid_to, new.normal) == ("change", conversation.turns[1].observed_at, normal)


def test_a_correction_of_an_answer_finds_what_the_answer_cited():
    conversation = said(
        "The budget of Apollo is 48,500 dollars.", "I hate olives.", "My name is Tom.", "I like tea.", "I like jam."
    )
    conversation.say("What is the budget of Apollo?")
    conversation.answer("48,500 dollars, as you said.", "t1")
    conversation.say("That's not right, it is 52,000.")
    assert conversation.values("budget", "apollo") == ["52,000"]


def test_both_values_of_a_change_told_in_one_sentence_are_known():
    conversation = said("The deadline moved from May 21 to June 3.")
    assert [(item.normal, item.live) for item in conversation.everything()] == [
        ("2024-05-21", False),
        ("2024-06-03", True),
    ]


@pytest.mark.requirement("C4")
@pytest.mark.parametrize(
    ("texts", "cause"),
    [
        (["maybe it's the DB… no, it was my parser"], "my parser"),
        (["The build fails. I think it's the cache.", "No, it was the linker flags."], "the linker flags"),
        (["可能是数据库的问题……不对，是我的解析器"], "我的解析器"),
        (["也许是缓存的问题", "不对，是配置文件写错了"], "配置文件写错"),
    ],
)
def test_of_a_guess_and_its_correction_only_the_corrected_cause_is_live(texts, cause):
    items = said(*texts).items()
    assert [(item.attribute, item.value) for item in items] == [("reason", cause)]


def test_what_the_same_breath_takes_back_is_not_kept():
    assert said("My favourite colour is blue. No wait, it's red.").values("favorite_color") == ["red"]
    assert said("预算是五万。不对，是六万").values("budget") == ["六万"]


def test_changes_of_one_thing_leave_others_alone():
    conversation = said(
        "My budget is 5000.",
        "Bob's budget is 8000.",
        "order #12345 ships via SF",
        "order #12346 ships via SF",
        "The budget of Bob went up to 9000.",
        "order #12345 now ships via DHL",
        "My friend's name is Jerry",
        "My name is Tom",
    )
    assert conversation.values("budget") == ["5000"]
    assert conversation.values("budget", "bob") == ["9000"]
    assert conversation.values("shipping_method", "order:12345") == ["DHL"]
    assert conversation.values("shipping_method", "order:12346") == ["SF"]
    assert conversation.values("name") == ["Tom"]


def test_another_persons_correction_does_not_touch_mine():
    conversation = new_conversation()
    conversation.say("I live in Rome.", speaker="Anna")
    conversation.say("No, it is Oslo for me.", speaker="Ben")
    assert conversation.values("home", "anna") == ["Rome"]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm flying to Tokyo next Monday", "Forget about that plan"),
        ("I'm flying to Tokyo next Monday", "The trip to Tokyo is off"),
        ("I plan to move to Berlin next year", "I'm not moving to Berlin after all"),
        ("下周去上海出差", "不去了"),
        ("我打算明年去日本", "去日本的计划取消了"),
        ("Remind me to call mom at 5 pm tomorrow", "Cancel that reminder"),
    ],
)
def test_a_plan_taken_back_is_retracted(first, then):
    conversation = said(first, then)
    (plan,) = conversation.everything()
    assert plan.closed_by == "retraction"


def test_to_ask_to_forget_something_retracts_nothing_by_itself():
    conversation = said("I'm flying to Tokyo next Monday", "Forget that.")
    assert len(conversation.items()) == 1


@pytest.mark.parametrize(
    ("before", "after", "attribute", "entity", "value"),
    [
        ("我体重70公斤", "今早称了66.5。", "weight", "user", "66.5"),
        ("我体重70公斤", "已经瘦到64公斤了", "weight", "user", "64公斤"),
        ("I weigh 70 kilos.", "I'm down to 66 kilos.", "weight", "user", "66 kilos"),
        ("Bruno weighs 9 kilos.", "Bruno is back up to 10 kilos.", "weight", "bruno", "10 kilos"),
        ("The audit is due June 3.", "The audit slips to June 17.", "audit_deadline", "user", "June 17"),
        ("The dark rye is $3.10.", "Kessel's raised the dark rye to $3.40.", "dark_rye", "user", "$3.40"),
        ("The limit is 60.", "I moved the limit up to 75.", "limit", "user", "75"),
    ],
)
def test_a_raise_a_delay_or_the_scales_replace_what_held(before, after, attribute, entity, value):
    talk = new_conversation()
    talk.say(before)
    talk.say(after)
    assert talk.values(attribute, entity) == [value]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("我体重70公斤", "桌数减到16桌"),
        ("我体重70公斤", "米只剩3斤了"),
        ("I weigh 70 kilos.", "We're down to 3 rooms."),
        ("I weigh 70 kilos.", "She looked up at 12 pounds of plums."),
    ],
)
def test_what_else_grows_less_is_no_weight(before, after):
    talk = new_conversation()
    talk.say(before)
    talk.say(after)
    assert talk.values("weight") == [before.removeprefix("我体重").removeprefix("I weigh ").rstrip(".")]


@pytest.mark.requirement("C17")
@pytest.mark.parametrize(
    "lines",
    [
        # Told in the same turn: the chairs are meant, of which nothing is known.
        ("The deposit is two months.", "We need 12 chairs. Make it 14, two more people are joining."),
        ("The deposit is two months.", "Two of us want it. Make it 14 chairs."),
        ("押金是两个月。", "我们要12把椅子。改成14把吧，又来了两个人。"),
        # Another measure: no number of pieces takes the place of months.
        ("押金是两个月。", "改成14把吧。"),
        ("The lease is 12 months.", "Make it 14 km."),
    ],
)
def test_a_number_of_something_else_replaces_nothing(lines):
    was, *later = said(*lines).everything()
    assert (was.closed_by, [item for item in later if item.attribute == was.attribute]) == (None, [])


@pytest.mark.requirement("C17")
@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (("The lease is 12 months.", "Make it 18."), "18"),
        (("The lease is 12 months.", "Make it 2 years."), "2 years"),
        (("My budget is 5000.", "Make it 6000."), "6000"),
        (("预算是5万。", "改成6万吧。"), "6万"),
        (("押金是两个月。", "改成三个月吧。"), "三个月"),
    ],
)
def test_a_number_of_the_same_measure_replaces_what_was_just_told(lines, value):
    was, now = said(*lines).everything()
    assert (was.closed_by, was.attribute, now.value) == ("change", now.attribute, value)
