"""Corrections of what is known of somebody under another name, and of where somebody works."""

import pytest

from .conversation import said

CLARA = "My sister Clara lives in Porto."


@pytest.mark.requirement("C17")
@pytest.mark.parametrize(
    ("known", "text", "attribute", "old", "closed_by"),
    [
        (CLARA, "That's wrong, Clara lives in Braga.", "home", "Porto", "correction"),
        (CLARA, "No, Clara lives in Braga.", "home", "Porto", "correction"),
        (CLARA, "No. Clara lives in Braga.", "home", "Porto", "correction"),
        (CLARA, "Clara moved to Braga last week.", "home", "Porto", "change"),
        (CLARA, "Clara lives in Braga now.", "home", "Porto", "change"),
        ("My cousin Rita works at Bosch.", "Nope, Rita works at Ikea.", "employer", "Bosch", "correction"),
        ("My dog Rex weighs 12 kg.", "Oops, Rex weighs 14 kg.", "weight", "12 kg", "correction"),
        ("My friend Paul Winter lives in Kiel.", "Paul lives in Bonn now.", "home", "Kiel", "change"),
        ("My dog is called Rex. My dog weighs 12 kg.", "Rex weighs 14 kg now.", "weight", "12 kg", "change"),
        ("我妹妹王芳住在宁波。", "不对，王芳住在绍兴。", "home", "宁波", "correction"),
        ("我妹妹王芳住在宁波。", "不，王芳住在绍兴。", "home", "宁波", "correction"),
        ("我妹妹王芳住在宁波。", "王芳搬到绍兴了。", "home", "宁波", "change"),
        ("我儿子张一鸣今年12岁。", "说错了，张一鸣今年13岁。", "age", "12岁", "correction"),
        ("我同事李雷在华为上班。", "不对，李雷在中兴上班。", "employer", "华为", "correction"),
        ("我老板姓陈，我老板陈静住在青浦。", "记错了，陈静住在松江。", "home", "青浦", "correction"),
    ],
)
def test_who_was_introduced_as_a_relative_is_put_right_by_name(known, text, attribute, old, closed_by):
    talk = said(known, text)
    (was,) = [i for i in talk.everything() if i.attribute.endswith(attribute) and i.value == old]
    (now,) = [i for i in talk.items() if i.attribute.endswith(attribute)]
    assert (was.closed_by, was.superseded_by) == (closed_by, now.number)


@pytest.mark.requirement("C17")
def test_what_is_put_right_by_name_stays_under_the_name_that_it_had():
    assert said(CLARA, "No, Clara lives in Braga.").values("sister_home") == ["Braga"]
    assert said(CLARA, "Clara works at Bosch.").values("employer", "clara") == ["Bosch"]


@pytest.mark.requirement("C17")
def test_what_is_said_of_a_relative_puts_right_what_was_said_by_name():
    talk = said("Clara lives in Porto.", "No, my sister Clara lives in Braga.")
    assert [item.value for item in talk.items()] == ["Braga"]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (CLARA, "No, Bruno lives in Braga."),
        (CLARA, "That's wrong, Clarissa lives in Braga."),
        ("My sister Clara lives in Porto. My brother is called Ivo.", "No, Ivo lives in Braga."),
        ("My sister lives in Porto.", "No, Clara lives in Braga."),
        ("我妹妹王芳住在宁波。", "不对，李芳住在绍兴。"),
        ("我妹妹住在宁波。", "不对，王芳住在绍兴。"),
        (CLARA, "Clara works at Ikea."),
        (CLARA, "No, Clara lives in Porto."),
    ],
)
def test_a_correction_by_name_leaves_others_alone(known, text):
    first, *_ = said(known).items()
    assert first.value in [item.value for item in said(known, text).items()]


@pytest.mark.requirement("C17")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("韩梅在绵阳当医生。", {"job": "医生", "work_location": "绵阳"}),
        ("不对，韩梅在绵阳当医生。", {"job": "医生", "work_location": "绵阳"}),
        ("韩梅在滨江区工作。", {"work_location": "滨江区"}),
        ("韩梅现在在昆明上班。", {"work_location": "昆明"}),
        ("韩梅在青海省做护士。", {"job": "护士", "work_location": "青海省"}),
        ("韩梅在京东当程序员。", {"job": "程序员", "employer": "京东"}),
        ("韩梅在协和医院当医生。", {"job": "医生", "employer": "协和医院"}),
        ("韩梅在字节上班。", {"employer": "字节"}),
        ("韩梅在成都银行工作。", {"employer": "成都银行"}),
        ("韩梅在家里上班。", {}),
        ("韩梅在老家当老师。", {"job": "老师"}),
    ],
)
def test_a_place_is_no_employer(text, expected):
    assert {item.attribute: item.value for item in said(text).items()} == expected


@pytest.mark.requirement("C17")
def test_where_somebody_works_is_put_right():
    talk = said("韩梅在成都当医生。", "不对，韩梅在绵阳当医生。")
    assert {item.attribute: item.value for item in talk.items()} == {"job": "医生", "work_location": "绵阳"}


@pytest.mark.requirement("C16", "C17")
@pytest.mark.parametrize(
    ("known", "text", "expected"),
    [
        ("The renovation budget is 8000.", "The budget is 12000 now.", ("user", "renovation_budget", "12000")),
        ("The budget of Apollo is 8000.", "The budget went up to 9000.", ("apollo", "budget", "9000")),
        ("The deadline of Apollo is May 30.", "The deadline was moved to June 3.", ("apollo", "deadline", "June 3")),
        ("The monthly rent is 800 euros.", "The rent is now 850 euros.", ("user", "monthly_rent", "850 euros")),
        ("装修预算是8万。", "预算改成12万了。", ("装修", "budget", "12万")),
        ("水星项目的负责人是韩梅。", "负责人换成李雷了。", ("水星", "owner", "李雷")),
        ("婚礼的押金是5000元。", "押金现在是6000元。", ("婚礼", "deposit", "6000元")),
    ],
)
def test_an_update_of_nobody_in_particular_means_what_has_one_such_value(known, text, expected):
    talk = said(known, "It rains.", "ok", "Nice.", text)
    assert [(item.entity, item.attribute, item.value) for item in talk.items("fact")] == [expected]


@pytest.mark.parametrize(
    ("first", "second", "text", "live"),
    [
        ("The kitchen budget is 5000.", "The garden budget is 3000.", "The budget is 4000 now.", 3),
        ("婚礼的预算是5万。", "装修的预算是8万。", "预算改成6万了。", 3),
        ("The budget of Apollo is 5000.", "My salary is 3000.", "The budget was set at 4000.", 3),
        ("My son is 7.", "My daughter is 9.", "I'm 31 now.", 3),
        ("My son is 7.", "I live in Ghent.", "I'm 31 now.", 3),
        ("The budget of Apollo is 5000.", "I live in Ghent.", "My budget is 4000 now.", 3),
    ],
)
def test_where_two_could_be_meant_or_nothing_was_said_before_both_stay(first, second, text, live):
    assert len(said(first, second, "It rains.", "ok", "Nice.", text).items("fact")) == live


def test_of_two_that_could_be_meant_the_one_told_last_is():
    talk = said("The kitchen budget is 5000.", "The garden budget is 3000.", "The budget is 4000 now.")
    assert talk.values("kitchen_budget") == ["5000"]
    assert talk.values("garden_budget") == ["4000"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("They moved the wedding to June 3.",), []),
        (
            ("My sister's wedding is on 20 May.", "They moved the wedding to June 3."),
            [("sister_wedding_date", "June 3")],
        ),
        (("She changed the phone number to 555-0199.",), []),
        (("他们把婚礼改到六月三日了。",), []),
        (("我表姐的婚礼是六月一日。", "他们把婚礼改到六月三日了。"), [("cousin_wedding_date", "六月三日")]),
        (("We moved the wedding to June.",), [("wedding_date", "June")]),
        (("They raised the rent to 950.",), [("rent", "950")]),
        (("They moved the meeting to Friday.",), [("meeting_time", "Friday")]),
        (("房东把房租涨到4000了。",), [("rent", "4000")]),
        (("我们把婚礼改到六月三日了。",), [("wedding_date", "六月三日")]),
    ],
)
def test_what_others_do_to_what_is_of_their_own_life_is_not_the_speakers(texts, expected):
    assert [(item.attribute, item.value) for item in said(*texts).items("fact")] == expected


@pytest.mark.requirement("C5")
@pytest.mark.parametrize(
    ("text", "entity", "attribute", "value"),
    [
        ("水星项目定于2027年3月14日上线。", "水星", "date", "2027年3月14日"),
        ("新办公室计划6月5日开业。", "新办公室", "date", "6月5日"),
        ("展会将于9月3日开幕。", "展会", "date", "9月3日"),
        ("产品预计明年三月发布。", "产品", "date", "明年三月"),
        ("房租每个月3500元。", "user", "rent", "3500元"),
        ("房租一个月3500元。", "user", "rent", "3500元"),
        ("房租是每个月3500元。", "user", "rent", "3500元"),
        ("物业费每年1200元。", "物业费", "price", "1200元"),
        ("学费一学期5000元。", "学费", "price", "5000元"),
        ("我们2023年从北京搬到了深圳。", "user", "home", "深圳"),
        ("2023年我们从北京搬到了深圳。", "user", "home", "深圳"),
        ("我姐姐两年前搬到了大连。", "user", "older_sister_home", "大连"),
        ("我前年从华为跳槽到了小米。", "user", "employer", "小米"),
        ("水星项目的负责人是韩梅。", "水星", "owner", "韩梅"),
        ("The wedding is in June.", "user", "wedding_date", "June"),
    ],
)
def test_a_time_or_a_rate_in_the_middle_leaves_subject_and_value_whole(text, entity, attribute, value):
    (item,) = said(text).items("fact")
    assert (item.entity, item.attribute, item.value) == (entity, attribute, value)


@pytest.mark.requirement("C11")
@pytest.mark.parametrize(
    ("known", "text", "homes"),
    [
        ("我住在北京。", "我们2023年从北京搬到了深圳。", ["深圳"]),
        ("I live in Leeds.", "We moved from Leeds to York in 2023.", ["York"]),
        ("我住在北京。", "我们2019年搬到了广州。", ["北京"]),
        ("I live in Leeds.", "In 2019 we moved to Hull.", ["Leeds"]),
        ("我住在北京。", "我打算明年搬到苏州。", ["北京"]),
        ("我住在北京。", "我下个月搬到苏州。", ["北京"]),
        ("我住在北京。", "我想搬到苏州。", ["北京"]),
    ],
)
def test_a_move_replaces_the_home_that_it_names_or_that_was_told_before_it(known, text, homes):
    assert said(known, text).values("home") == homes
