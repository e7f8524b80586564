"""Events with their dates, plans, errands, questions, options and decisions."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from .conversation import new_conversation, said


def shanghai(day: int, hour: int = 0, month: int = 5) -> datetime:
    return datetime(2024, month, day, hour, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.requirement("C19")
@pytest.mark.parametrize(
    ("text", "value", "began"),
    [
        ("上周去了北京", "去了北京", shanghai(6)),
        ("我昨天见了张伟", "见了张伟", shanghai(14)),
        ("昨天我参加了一个展览", "参加了一个展览", shanghai(14)),
        ("三天前部署了新版本", "部署了新版本", shanghai(12)),
        ("I went to a support group yesterday and it was great", "went to a support group", shanghai(14)),
        ("I ran a charity race last week.", "ran a charity race", shanghai(6)),
        ("Last week I went to Beijing.", "went to Beijing", shanghai(6)),
        ("Last week, I visited my aunt.", "visited my aunt", shanghai(6)),
        ("We visited Lisbon two days ago", "visited Lisbon", shanghai(13)),
    ],
)
def test_an_event_is_placed_by_the_date_of_its_own_turn(text, value, began):
    (event,) = said(text).items("event")
    assert (event.value, event.valid_from, event.modality) == (value, began, "asserted")


@pytest.mark.requirement("C19")
def test_last_week_in_an_old_conversation_is_a_week_of_that_time():
    conversation = new_conversation()
    conversation.say("上周去了北京", at=datetime(2019, 7, 10, 4, tzinfo=UTC))
    (event,) = conversation.items("event")
    assert event.valid_from.year == 2019


@pytest.mark.requirement("C8")
@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I may travel next week", "possible"),
        ("I might buy a car next month", "possible"),
        ("I'm thinking of going to Peru next year", "possible"),
        ("我可能下周出差", "possible"),
        ("也许我下个月会买车", "possible"),
        ("I plan to move to Berlin next year", "intended"),
        ("I'm flying to Tokyo next Monday", "intended"),
        ("我打算明年去日本", "intended"),
        ("我想下周去看电影", "intended"),
        ("下周去上海出差", "intended"),
    ],
)
def test_what_may_be_or_is_meant_to_be_is_never_asserted(text, modality):
    conversation = said(text)
    conversation.answer("I'll book next week's flight.")
    (plan,) = conversation.everything()
    assert (plan.kind, plan.modality) == ("event", modality)
    assert plan.due_at is not None
    assert plan.due_at > conversation.turns[0].observed_at
    assert plan.valid_from == conversation.turns[0].observed_at


ERRANDS = [
    (
        "call the client at 3 pm, send the minutes to 张工, and look up trains Beijing–Shanghai next week",
        ["call the client at 3 pm", "send the minutes to 张工", "look up trains Beijing–Shanghai next week"],
    ),
    (
        "下午3点给客户打电话，把会议纪要发给张工，再查一下下周北京到上海的火车",
        ["下午3点给客户打电话", "把会议纪要发给张工", "查一下下周北京到上海的火车"],
    ),
    (
        "今天要做三件事：给客户打电话、把纪要发给张工、查车票",
        ["给客户打电话", "把纪要发给张工", "查车票"],
    ),
    ("1. call the bank 2. book a hotel 3. email Sarah", ["call the bank", "book a hotel", "email Sarah"]),
    (
        "First, call the bank. Then book a hotel. Finally, email Sarah.",
        ["call the bank", "book a hotel", "email Sarah"],
    ),
    ("Remind me to water the ferns and pay the rent", ["water the ferns", "pay the rent"]),
]


@pytest.mark.requirement("C39")
@pytest.mark.parametrize(("text", "errands"), ERRANDS)
def test_several_errands_in_one_turn_are_several_todos_in_order(text, errands):
    assert [item.value for item in said(text).items("todo")] == errands


@pytest.mark.parametrize(
    ("text", "value", "due"),
    [
        ("Remind me to call mom at 5 pm tomorrow", "call mom at 5 pm tomorrow", shanghai(16, 17)),
        ("I need to submit the report by Friday", "submit the report by Friday", shanghai(17)),
        ("Can you remind me to pay the rent on the 1st?", "pay the rent on the 1st", shanghai(1, month=6)),
        ("Don't forget to buy milk", "buy milk", None),
        ("记得明天下午三点给李雷打电话", "明天下午三点给李雷打电话", shanghai(16, 15)),
        ("提醒我周五交报告", "周五交报告", shanghai(17)),
        ("帮我订一张去上海的机票", "订一张去上海的机票", None),
        ("我明天要去医院体检", "去医院体检", shanghai(16)),
        ("别忘了买牛奶", "买牛奶", None),
    ],
)
def test_a_todo_knows_when_it_is_due(text, value, due):
    (todo,) = said(text).items("todo")
    assert (todo.value, todo.due_at) == (value, due)


@pytest.mark.parametrize(
    "text",
    ["Translate this", "Tell me about Rome", "Order #12345 ships on Friday.", "I have to say, that was fun", "Take care!",
     "帮我看看我的预算是多少", "Email is best.", "Check this out!", "我昨天给客户打了电话"],
)  # fmt: skip
def test_what_only_looks_like_an_errand_is_none(text):
    assert said(text).items("todo") == []


@pytest.mark.requirement("C39")
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("the first is done", ["B", "C"]),
        ("I've done the second", ["A", "C"]),
        ("Number two is finished", ["A", "C"]),
        ("the first and the third are done", ["B"]),
        ("I've called the client", ["B", "C"]),
        ("The minutes are sent", ["A", "C"]),
        ("第一条办完了", ["B", "C"]),
        ("第二件事做完了", ["A", "C"]),
        ("给客户的电话打完了", ["B", "C"]),
        ("纪要已经发了", ["A", "C"]),
        ("all done", []),
        ("都办完了", []),
        ("The first is not done yet", ["A", "B", "C"]),
        ("第一条还没办完", ["A", "B", "C"]),
        ("Is the first done?", ["A", "B", "C"]),
    ],
)
def test_a_done_errand_is_closed_and_the_others_keep_their_places(text, left):
    english = text.isascii()
    listed = ERRANDS[0][0] if english else ERRANDS[1][0]
    conversation = said(listed)
    names = dict(zip((item.number for item in conversation.items("todo")), "ABC", strict=True))
    conversation.say(text)
    assert [names[item.number] for item in conversation.items("todo")] == left
    closed = [item.closed_by for item in conversation.everything() if item.kind == "todo" and not item.live]
    assert set(closed) <= {"completion"}


def test_the_second_stays_the_second_after_the_first_is_done():
    conversation = said(ERRANDS[0][0], "the first is done", "the second is done")
    assert [item.value for item in conversation.items("todo")] == ["look up trains Beijing–Shanghai next week"]


@pytest.mark.requirement("C10")
@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What do options A, B and C cost?", ["A", "B", "C"]),
        ("Tell me about Kindle, Kobo and Nook?", ["Kindle", "Kobo", "Nook"]),
        ("A、B、C三个方案分别怎么样？", ["A", "B", "C"]),
        ("我想问一下甲、乙和丙分别多少钱", ["甲", "乙", "丙"]),
        ("A怎么样？B呢？C呢？", ["A怎么样？", "B呢？", "C呢？"]),
    ],
)
def test_to_ask_about_three_options_is_three_questions_and_no_preference(text, asked):
    conversation = said(text)
    assert [item.value for item in conversation.items("question")] == asked
    assert {item.kind for item in conversation.everything()} == {"question"}


@pytest.mark.parametrize("text", ["How are you?", "你好吗？", "I live in Rome, ok?", "What's up?"])
def test_small_talk_that_asks_is_no_question(text):
    assert [item.kind for item in said(text).items()] in ([], ["question"])
    assert said("How are you?").items() == []


@pytest.mark.requirement("C41")
@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Option A costs 50k, option B costs 80k.", {("option a", "50000"), ("option b", "80000")}),
        ("方案A报价5万，方案B报价8万", {("方案a", "50000"), ("方案b", "80000")}),
        ("方案A 5万，方案B 8万", {("方案a", "50000"), ("方案b", "80000")}),
        ("A套餐5000元，B套餐8000元", {("a套餐", "5000"), ("b套餐", "8000")}),
        ("Plan A costs 5,000 and plan B costs 8,000.", {("plan a", "5000"), ("plan b", "8000")}),
    ],
)
def test_options_are_kept_with_their_prices(text, options):
    items = said(text).items("choice")
    assert {(item.entity, item.normal) for item in items} == options
    assert {item.attribute for item in items} == {"price"}


@pytest.mark.parametrize(
    "text", ["The premium plan was discussed at length in meeting 3.", "方案A上周在二楼那间会议室里讨论了3次"]
)
def test_a_number_that_is_told_of_an_option_is_no_price_of_it(text):
    assert said(text).items("choice") == []


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("We decided to use plan B.", "use plan B"),
        ("Let's go with MySQL", "MySQL"),
        ("We agreed on a 10% discount.", "a 10% discount"),
        ("So we concluded that we need log rotation.", "need log rotation"),
        ("我们决定用方案A", "用方案A"),
        ("就选方案B吧", "方案B"),
        ("方案B定了", "方案B"),
    ],
)
def test_a_decision_is_quoted(text, decision):
    (item,) = said(text).items("decision")
    assert item.value == decision


@pytest.mark.parametrize(
    "text", ["We haven't decided yet.", "还没决定", "Did we agree on B?", "We still have to decide", "决定了吗"]
)
def test_what_is_not_decided_is_no_decision(text):
    assert said(text).items("decision") == []
