"""What nobody said is not noted: no value of another thing, of another person, of a condition or of a wish."""

import pytest

from .conversation import said


def _noted(*texts: str) -> set[tuple[str, str, str]]:
    return {(item.entity, item.attribute, item.value) for item in said(*texts).items() if item.kind != "question"}


@pytest.mark.parametrize(
    ("text", "value", "normal"),
    [
        ("The meeting is Friday at 10.", "Friday at 10", "2024-05-17T10:00"),
        ("The meeting is on Friday at 4, in room 7.", "Friday at 4", "2024-05-17T16:00"),
        ("会议是周五10点。", "周五10点", "2024-05-17T10:00"),
    ],
)
def test_the_hour_of_a_day_is_part_of_the_time_also_at_the_end_of_a_sentence(text, value, normal):
    (item,) = said(text).items(attribute="meeting_time")
    assert (item.value, item.normal) == (value, normal)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The new server costs 300 a month.", {("user", "server_price", "300")}),
        ("新服务器每月300元，旧的是180元。", {("user", "server_price", "300元")}),
        ("酒店500元。", {("user", "hotel_price", "500元")}),
        ("The wedding costs 9,000 euros.", {("user", "wedding_price", "9,000 euros")}),
        # What was spent of a budget is not its price, nor another budget.
        ("预算48万，已经花了30万。", {("user", "budget", "48万")}),
    ],
)
def test_what_a_thing_costs_is_its_price_and_no_value_of_its_name(text, expected):
    assert _noted(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("方案A不行就用方案B。", set()),
        ("时间来不及就改坐飞机。", set()),
        ("我要是有钱就送他们去私立学校。", set()),
        # Not a condition.
        ("我们用Redis。", {("user", "uses", "Redis")}),
    ],
)
def test_a_condition_without_an_if_states_nothing(text, expected):
    assert _noted(text) == expected


@pytest.mark.parametrize("text", ["周一见吧。", "周一见！", "那就周五见啦", "明天再聊。", "See you Monday."])
def test_a_farewell_is_no_event(text):
    assert _noted(text) == set()


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        # The wish of somebody else moves nothing.
        (("我房租每月2900元。", "房东想从六月涨到3200。"), {("user", "rent", "2900元")}),
        (("Our rent is 900 euros.", "The landlady wants to raise it to 950."), {("user", "rent", "900 euros")}),
        (("The launch is on May 30.", "Tom wants to move it to June 3."), {("user", "release_date", "May 30")}),
        # What was raised is named, and it is not the rent.
        (("房租每月6500。", "供应商把内胎涨到18块了。"), {("user", "rent", "6500")}),
        # A reason is not what a correction of a number says.
        (
            ("如果不赔我就换到北辰保险。", "更正一下，理赔号是C-5591。"),
            {("user", "claim_number", "C-5591")},
        ),
    ],
)
def test_what_was_not_changed_stays(texts, expected):
    assert _noted(*texts) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我的业务员是潘丽，电话13622223333。", {("user", "业务员", "潘丽"), ("潘丽", "phone", "13622223333")}),
        (
            "My agent is Paula Reyes, her phone is 555-0182.",
            {("user", "agent", "Paula Reyes"), ("paula reyes", "phone", "555-0182")},
        ),
        ("我叫潘丽，电话13622223333。", {("user", "name", "潘丽"), ("user", "phone", "13622223333")}),
        ("保单号是AT-88231。", {("user", "policy_number", "AT-88231")}),
        ("从一月起房租每个月6500。", {("user", "rent", "6500")}),
        ("四月起游泳课改到周一。", {("游泳课", "date", "周一")}),
        ("她的老师是陶老师。", set()),
        ("它对鸡肉过敏。", set()),
        ("客户是海港酒店。", {("user", "client", "海港酒店")}),
        ("伴郎是我哥哥沈毅。", set()),
        ("邻居一年只交2000。", set()),
        ("我的车险是在安途买的。", set()),
        ("我用R做分析。", {("user", "uses", "R")}),
        ("测试环境的密码当然不是123456。", {("测试环境", "password", "123456")}),
        ("阿斌的身份证四月到期。", {("阿斌", "id_number_deadline", "四月")}),
        ("The flight is TP 1043 and leaves at 6:40.", {("user", "flight", "TP 1043")}),
    ],
)
def test_a_value_belongs_to_whom_and_to_what_it_is_said_of(text, expected):
    assert expected <= _noted(text)
    assert {entity for entity, _, _ in _noted(text)} <= {entity for entity, _, _ in expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("马岚周一入职，做测试。", {("马岚", "event", "入职")}),
        ("小何病了，周五去医院。", set()),
        ("房东下周打算去北京。", {("房东", "event", "去北京")}),
        ("我最近很忙，上周五去了医院。", {("user", "event", "去了医院")}),
        ("我不会开手动挡。", set()),
        ("Tom wants to move it to June 3.", set()),
        ("We're moving house at the end of the month.", {("user", "event", "moving house")}),
    ],
)
def test_an_event_is_of_whom_the_sentence_is_about(text, expected):
    assert _noted(text) == expected


def test_what_was_done_besides_is_no_part_of_a_decision():
    (item,) = said("We decided against the movers and rented a van instead.").items("decision")
    assert (item.value, item.polarity) == ("against the movers", "negative")


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (("We sold 31 bikes in February.", "Sorry, 13 bikes, I mixed up the digits."), "13 bikes"),
        (("二月份卖了31辆车。", "说错了，是13辆。"), "13辆"),
    ],
)
def test_the_count_of_an_event_is_put_right(texts, value):
    assert [item.value for item in said(*texts).items("event")] == [value]


def test_a_number_of_something_else_puts_no_event_right():
    talk = said("We sold 31 bikes in February.", "Sorry, 13 lamps were broken.")
    assert "sold 31 bikes" in {item.value for item in talk.items("event")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My rating is 1840.", {("user", "rating", "1840")}),
        ("The carpenter's phone is 0170 555 8812.", {("carpenter", "phone", "0170 555 8812")}),
        ("My blood pressure was 150 over 95 this morning.", set()),
        ("I don't drink coffee anyway.", {("user", "drink", "coffee")}),
        ("I told Milos that the sink stays where it is.", set()),
        ("Lucy is 30. Tariq's best man is his brother Sami.", {("lucy", "age", "30")}),
        ("Plan B it is!", {("user", "decision", "Plan B")}),
        ("I quit the gym.", {("user", "affiliation", "the gym")}),
        ("I left Paris.", {("user", "affiliation", "Paris")}),
        ("Petra is 34 and her partner Jan is 36.", {("petra", "age", "34"), ("petra", "partner_age", "36")}),
        ("二哥在青岛找到了工作。", set()),
        ("姐夫想给他起名叫雷神。", set()),
        ("车最多值三万。", set()),
        ("佩佩小时候对青霉素过敏。", set()),
        ("今早我的血压是150/95。", {("user", "blood_pressure", "150/95")}),
        ("苏医生休假，改成周五十点看孟医生。", set()),
    ],
)
def test_what_only_looks_like_another_statement_is_not_noted_as_it(text, expected):
    assert _noted(text) == expected


@pytest.mark.parametrize(
    ("text", "modality", "ahead"),
    [
        ("今年夏天我们要重新装修厨房。", "intended", True),
        ("我周五下午三点约了苏医生。", "intended", True),
        ("昨天约了苏医生。", "asserted", False),
        ("所以我们改成5月25号飞了。", "intended", True),
    ],
)
def test_what_is_meant_or_arranged_for_later_has_not_happened(text, modality, ahead):
    (event,) = said(text).items("event")
    assert (event.modality, event.due_at is not None) == (modality, ahead)


def test_what_was_left_is_an_employer_where_it_was_one():
    assert [it.polarity for it in said("I work at Bosch.", "I left Bosch.").items(attribute="employer")] == ["negative"]


@pytest.mark.parametrize(
    ("texts", "attribute", "normal"),
    [
        (
            ("The annual meeting is on Saturday.", "The meeting has been moved to Sunday."),
            "annual_meeting",
            "2024-05-19",
        ),
        (("Delivery of the oven is on Thursday.", "The delivery slipped to Friday."), "delivery", "2024-05-17"),
    ],
)
def test_what_is_moved_under_a_shorter_name_is_the_same_thing(texts, attribute, normal):
    (item,) = [item for item in said(*texts).items("fact") if item.value_type == "date"]
    assert (item.attribute, item.normal) == (attribute, normal)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        # Where somebody lives is no number, and no correction of another number makes it one.
        (
            ("我表姐住在城西，她家120平米。", "利率是3.6%，我记错了，是3.9%。"),
            {("user", "cousin_home", "城西")},
        ),
        (
            ("My cousin Jo lives in Salford.", "The interest rate is 3.6 percent, no wait, 3.9."),
            {("user", "cousin_home", "Salford")},
        ),
        # Who went down is not what went down before.
        (("我老婆的公积金有11万。", "房主降到255万了。"), {("user", "wife_公积金", "11万")}),
        (("I have a loan of 9,000.", "The owner went down to 255,000."), set()),
        (("合作者是魏真，她在浙大工作。",), {("魏真", "work_location", "浙大")}),
        (("我的房间1480元。",), {("user", "room_price", "1480元")}),
        (("Flights aren't booked yet.",), set()),
        (("修锅炉的师傅周一早上八点来。",), set()),
        (("我想买辆三轮车，可是要3000块。",), set()),
        (("小谭想养狗，可房东讨厌宠物。",), {("房东", "likes", "宠物")}),
    ],
)
def test_what_was_said_of_one_thing_is_no_change_of_another(texts, expected):
    noted = {it for it in _noted(*texts) if it[1] != "interest_rate"}
    assert noted == expected
