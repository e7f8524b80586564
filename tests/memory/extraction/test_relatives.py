"""What people tell of their relatives and of others: each with their own attributes, none of them the speaker's."""

import pytest

from .conversation import said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "My cousin Rita works at Bosch and my brother works at Ikea.",
            {"cousin_employer": "Bosch", "brother_employer": "Ikea"},
        ),
        (
            "My big sister lives in Turin and my little sister lives in Genoa.",
            {"older_sister_home": "Turin", "younger_sister_home": "Genoa"},
        ),
        ("My grandparents aside, my parents live in Malmo.", {"parents_home": "Malmo"}),
        ("My daughter Ines is allergic to strawberries.", {"daughter_allergies": "strawberries"}),
        ("我哥哥住在宁波，我弟弟住在绍兴。", {"older_brother_home": "宁波", "younger_brother_home": "绍兴"}),
        ("我女儿周小满对芒果过敏。", {"daughter_allergies": "芒果"}),
        ("我姓孙，叫孙浩然，儿子叫孙一鸣。", {"surname": "孙", "name": "孙浩然", "son_name": "孙一鸣"}),
    ],
)
@pytest.mark.requirement("C6")
def test_each_relative_has_attributes_of_their_own(text, expected):
    found = {item.attribute: item.value for item in said(text).items()}
    assert found == expected


@pytest.mark.parametrize(
    ("texts", "attribute", "value"),
    [
        (("My sister works at Ikea.", "My sister joined Bosch last month."), "sister_employer", "Bosch"),
        (("我妹妹在京东上班。", "我妹妹上个月跳槽到了美团。"), "younger_sister_employer", "美团"),
        (("I live in Ghent.", "I moved to Bruges last week."), "home", "Bruges"),
    ],
)
@pytest.mark.requirement("C11")
def test_a_change_of_late_replaces_what_was_told_after_it_began(texts, attribute, value):
    assert said(*texts).values(attribute) == [value]


def test_what_happened_years_ago_replaces_nothing():
    assert said("I work at Ikea.", "In 2015 I joined Bosch.").values("employer") == ["Ikea"]


def test_a_brother_is_not_the_other_brother():
    talk = said("My older brother lives in Turin.", "My younger brother moved to Genoa.")
    assert talk.values("older_brother_home") == ["Turin"]
    assert talk.values("younger_brother_home") == ["Genoa"]


@pytest.mark.parametrize(
    ("texts", "attribute", "entity", "value"),
    [
        (
            ("vet appointment is on Monday at 5pm", "i moved the vet to tuesday at 8am"),
            "vet_appointment",
            "user",
            "tuesday at 8am",
        ),
        (("The Saturn project deadline is May 2.", "Saturn slipped to May 20."), "deadline", "saturn", "May 20"),
        (("土星项目的截止日期是5月2日。", "土星项目推迟到5月20日了。"), "deadline", "土星", "5月20日"),
        (("周四的口腔复查改到周五上午了",), "口腔复查", "user", "周五上午"),
        (("my flight AF123 leaves at 6:10", "flight AF123 now leaves at 7:35"), "date", "flight:af123", "7:35"),
        (("We pay 880 for rent.", "it's now 910"), "rent", "user", "910"),
        (("The rent went from 880 to 910 euros.",), "rent", "user", "910 euros"),
        (("The meeting is in room 7C.", "Sorry, the meeting is in room 1A."), "meeting_place", "user", "room 1A"),
        (("We use SQLite for the database.", "We migrated to Postgres yesterday."), "database", "user", "Postgres"),
        (("I told you the pin was 8812, but it's 8821.",), "password", "user", "8821"),
    ],
)
@pytest.mark.requirement("C16", "C17")
def test_what_changes_is_found_under_the_name_that_it_has(texts, attribute, entity, value):
    assert said(*texts).values(attribute, entity) == [value]


@pytest.mark.parametrize(
    ("text", "attribute", "value", "normal"),
    [
        ("灯塔项目的预算是36,200美元。", "budget", "36,200美元", "36200"),
        ("灯塔项目的预算改成41,750元了。", "budget", "41,750元", "41750"),
    ],
)
def test_a_grouped_number_in_chinese_is_one_number(text, attribute, value, normal):
    (item,) = said(text).items(attribute=attribute)
    assert (item.entity, item.value, item.normal) == ("灯塔", value, normal)


@pytest.mark.parametrize(
    ("text", "attribute", "polarity"),
    [
        ("i dont like figs", "likes", "negative"),
        ("i cant stand techno", "likes", "negative"),
        ("she doesnt matter but i dont eat pork", "eat", "negative"),
        ("im allergic to bees", "allergies", "positive"),
        ("The client rejected the 700 euro offer.", "stance", "negative"),
        ("The client accepted the 700 euro offer.", "stance", "positive"),
    ],
)
@pytest.mark.requirement("C15")
def test_an_apostrophe_left_out_does_not_turn_the_meaning(text, attribute, polarity):
    assert [item.polarity for item in said(text).items(attribute=attribute)] == [polarity]


@pytest.mark.parametrize(
    "text",
    [
        "I'm over the moon!",
        "Goals is key, that's awesome!",
        "早上先去了药店，然后去超市，最后接孩子。",
        "Is my brother called Tom?",
        "I work at Ikea. ive moved to Lisbon",
    ],
)
@pytest.mark.requirement("C44")
def test_chat_makes_no_false_items(text):
    talk = said(text)
    assert {item.attribute for item in talk.items() if item.kind != "question"} <= {"employer", "home"}
    assert talk.values("employer") in ([], ["Ikea"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我先生陈默是牙医。", {"husband_job": "牙医"}),
        ("我先生是兽医。", {"husband_job": "兽医"}),
        ("我弟弟是左撇子。", {}),
        ("我女儿是独生子女。", {}),
        ("我妹妹是王小满。", {"younger_sister_name": "王小满"}),
        ("My brother is German.", {}),
        ("My sister is Clara.", {"sister_name": "Clara"}),
        # What was so before is no fact of today.
        ("婆婆以前在纺织厂上班。", {}),
        ("我妈妈原来在银行工作。", {}),
        # A parents' evening is no parents that will be moved.
        ("家长会改到周四上午九点了。", {"date": "周四上午九点"}),
        ("我们要12把椅子。", {}),
    ],
)
@pytest.mark.requirement("C6")
def test_what_a_relative_is_becomes_no_name_and_what_was_no_fact(text, expected):
    assert {item.attribute: item.value for item in said(text).items()} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我奶奶今年八十六了，住在养老院。", {"grandmother_home": "养老院"}),
        ("我表姐离婚了，现在住在无锡。", {"cousin_home": "无锡"}),
        ("我室友很吵，在腾讯上班。", {"roommate_employer": "腾讯"}),
        ("我妈身体不好，对青霉素过敏。", {"mother_allergies": "青霉素"}),
        ("我妈的身体不好，对青霉素过敏。", {"mother_allergies": "青霉素"}),
        ("我房东人很好，住在楼上。", {}),
        ("孩子们一个4岁一个7岁。", {}),
        ("比起咖啡我更喜欢茶。", {"likes": "茶"}),
        ("我朋友刚回国，在找工作，住在徐汇。", {"friend_home": "徐汇"}),
        ("我最近很忙，在华为上班，住在坂田。", {"employer": "华为", "home": "坂田"}),
        ("旧手机是小米，新手机是华为。", {"phone_model": "华为"}),
    ],
)
@pytest.mark.requirement("C6")
def test_what_is_told_of_somebody_is_theirs_to_the_end_of_the_sentence(text, expected):
    assert {item.attribute: item.value for item in said(text).items()} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Of another time than now.
        ("My budget was 5,000 last year.", {}),
        ("My budget will be 5,000 next year.", {}),
        ("去年预算是5000。", {}),
        ("我明年的预算是5000。", {}),
        ("Since last year my budget is 5,000.", {"budget": "5,000"}),
        # Made up, or an example.
        ("For example, my name is John.", {}),
        ("In the novel, I live in Paris.", {}),
        ("比如我叫小明。", {}),
        ("小说里我住在巴黎。", {}),
        # Of the one who was just named.
        ("房东姓赵，电话是13900002222。", {"surname": "赵", "phone": "13900002222"}),
        ("Grandma is 86.", {"grandmother_age": "86"}),
        ("我告诉老马我的密码是7788。", {}),
    ],
)
@pytest.mark.requirement("C6")
def test_nothing_is_noted_of_now_or_of_oneself_that_is_not_said_of_them(text, expected):
    items = said(text).items()
    assert {item.attribute: item.value for item in items} == expected
    assert {item.entity for item in items} <= ({"房东"} if "房东" in text else {"user"})


@pytest.mark.parametrize(
    "text",
    [
        "Forwarded message: Hi, my phone number is 555-9999. Best, Ron",
        "Fwd: my new address is 12 Elm Street",
        "转发：您好，我的电话是13911112222。",
        # One of two is neither.
        "The deadline is Monday or Tuesday.",
        "My budget is 5,000 or 6,000.",
        "截止日期是周一或者周二。",
        "预算是5万还是6万来着。",
        # A difference, a length, a rise and a storey.
        "The price is 20% off.",
        "密码一共12位。",
        "价格涨了50。",
        "我住三楼。",
    ],
)
@pytest.mark.requirement("C6")
def test_what_does_not_state_a_value_of_the_speakers_gives_no_fact(text):
    assert said(text).items() == []


@pytest.mark.requirement("C6")
@pytest.mark.parametrize("told", ["我妈的药改成一天两次了。", "我妈的药是一天两次。"])
def test_how_often_a_day_is_one_value_and_not_the_day(told):
    values = [item.value for item in said(told).items()]
    assert values == ["一天两次"]
