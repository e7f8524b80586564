"""Facts in both languages: whose, of what, which value, and what is left out."""

import time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.memory.extraction import Surroundings, extract

from .conversation import new_conversation, said

FACTS = [
    ("The final budget of Apollo is 48,500 dollars.", "apollo", "budget", "48,500 dollars", "48500"),
    (
        "The total budget for the Hermes project is 1.2 million euros",
        "hermes",
        "budget",
        "1.2 million euros",
        "1200000",
    ),
    ("阿波罗的最终预算是48500美元", "阿波罗", "budget", "48500美元", "48500"),
    ("阿波罗项目预算5万", "阿波罗", "budget", "5万", "50000"),
    ("费用定为5万", "user", "budget", "5万", "50000"),
    ("We work at Siemens.", "user", "employer", "Siemens", "siemens"),
    ("I'm working for a small bakery", "user", "employer", "a small bakery", "small bakery"),
    ("我在腾讯工作", "user", "employer", "腾讯", "腾讯"),
    ("我就职于华为", "user", "employer", "华为", "华为"),
    ("I moved to Berlin last month", "user", "home", "Berlin", "berlin"),
    ("我上个月搬到了上海", "user", "home", "上海", "上海"),
    ("My wife's birthday is on May 8", "user", "wife_birthday", "May 8", "--05-08"),
    ("我老婆的生日是5月8日", "user", "wife_birthday", "5月8日", "--05-08"),
    ("I'm allergic to peanuts", "user", "allergies", "peanuts", "peanuts"),
    ("我对花生过敏", "user", "allergies", "花生", "花生"),
    ("John is 42", "john", "age", "42", "42"),
    ("我女儿今年5岁", "user", "daughter_age", "5岁", "5"),
    ("Alice's phone is 555-1234", "alice", "phone", "555-1234", "5551234"),
    ("我的电话是13812345678", "user", "phone", "13812345678", "13812345678"),
    ("order #12345 ships via SF", "order:12345", "shipping_method", "SF", "sf"),
    ("订单12345发顺丰", "order:12345", "shipping_method", "顺丰", "顺丰"),
    ("订单#12345的金额是300元", "order:12345", "amount", "300元", "300"),
    ("合同A的违约金是5%", "contract:a", "penalty", "5%", "5"),
    ("Alice is the project manager of Apollo.", "apollo", "project_manager", "Alice", "alice"),
    ("李雷负责阿波罗项目", "阿波罗", "owner", "李雷", "李雷"),
    ("数据库用 PostgreSQL", "user", "database", "PostgreSQL", "postgresql"),
    ("We use Redis for the cache", "user", "cache", "Redis", "redis"),
    ("My favourite colour is blue.", "user", "favorite_color", "blue", "blue"),
    ("小明最喜欢的颜色是蓝色", "小明", "favorite_color", "蓝色", "蓝色"),
    ("I was promoted to senior engineer", "user", "job", "senior engineer", "senior engineer"),
    ("我吃素", "user", "diet", "吃素", "吃素"),
    ("我是程序员", "user", "job", "程序员", "程序员"),
    ("I have a dog called Rex", "user", "dog_name", "Rex", "rex"),
    ("我家狗叫旺财", "user", "dog_name", "旺财", "旺财"),
    ("My height is 180 cm", "user", "height", "180 cm", "180"),
    ("The meeting is on Friday at 3 pm.", "user", "meeting_time", "Friday at 3 pm", "2024-05-17T15:00"),
    ("会议定在周五下午三点", "user", "meeting_time", "周五下午三点", "2024-05-17T15:00"),
    ("我叫張偉", "user", "name", "張偉", "张伟"),
]


@pytest.mark.requirement("P1", "C5")
@pytest.mark.parametrize(("text", "entity", "attribute", "value", "normal"), FACTS)
def test_a_fact_is_quoted_and_normalised(text, entity, attribute, value, normal):
    (item,) = said(text).items("fact")
    assert (item.entity, item.attribute, item.value, item.normal) == (entity, attribute, value, normal)
    assert item.value_span.cut(text) == value
    assert item.quote_span.cut(text) == item.quote


@pytest.mark.requirement("C6")
@pytest.mark.parametrize(
    ("text", "own", "son"),
    [
        ("My name is Wang Muchen, my son is Wang Mingze", "Wang Muchen", "Wang Mingze"),
        ("I'm called Ada Byron and my son's name is Ralph", "Ada Byron", "Ralph"),
        ("我叫王慕辰，我儿子叫王明泽", "王慕辰", "王明泽"),
        ("我的名字是欧阳锋，儿子的事以后说。我儿子名叫欧阳克", "欧阳锋", "欧阳克"),
    ],
)
def test_two_names_in_one_turn_are_given_to_the_right_people(text, own, son):
    conversation = said(text)
    assert conversation.values("name") == [own]
    assert conversation.values("son_name") == [son]


@pytest.mark.requirement("C22")
@pytest.mark.parametrize(("text", "names"), [("张伟在腾讯做产品经理", {"腾讯"}), ("张伟 works at 腾讯", {"腾讯"})])
def test_names_are_kept_as_they_are_written(text, names):
    conversation = said(text)
    assert {item.value for item in conversation.items(attribute="employer")} == names
    assert {item.entity for item in conversation.items()} == {"张伟"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他的血糖是12.3 mmol/L，血压158/96", {("blood_sugar", "12.3"), ("blood_pressure", "158/96")}),
        ("Apollo's budget is 5,000 and its deadline is 2024-06-01.", {("budget", "5000"), ("deadline", "2024-06-01")}),
        ("我叫李明，今年30岁，住在成都", {("name", "李明"), ("age", "30"), ("home", "成都")}),
        ("My sister lives in Rome and works as a nurse.", {("sister_home", "rome"), ("sister_job", "nurse")}),
        ("I work at Acme as a nurse.", {("employer", "acme"), ("job", "nurse")}),
        ("我妈妈住在成都，她对海鲜过敏", {("mother_home", "成都"), ("mother_allergies", "海鲜")}),
        ("我身高一米八，体重70公斤", {("height", "1.8"), ("weight", "70")}),
    ],
)
def test_what_a_clause_leaves_unsaid_is_taken_from_the_one_before(text, expected):
    conversation = said(text)
    assert {(item.attribute, item.normal) for item in conversation.items("fact")} == expected
    assert len({item.entity for item in conversation.items()}) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alice's phone number is 555-0199 and Bob's is 555-0123.", {("alice", "555-0199"), ("bob", "555-0123")}),
        ("小红的电话是13800000000，小明的是13900000000", {("小红", "13800000000"), ("小明", "13900000000")}),
        ("Dana leads design and Omar handles testing.", {("design", "Dana"), ("testing", "Omar")}),
    ],
)
def test_the_same_of_somebody_else_is_theirs(text, expected):
    assert {(item.entity, item.value) for item in said(text).items("fact")} == expected


def test_a_time_at_the_head_of_a_sentence_says_since_when():
    (item,) = said("Last month I moved to Bonn.").items()
    assert (item.attribute, item.value) == ("home", "Bonn")
    assert item.valid_from.astimezone(ZoneInfo("Asia/Shanghai")).date().isoformat() == "2024-04-01"


def test_a_pronoun_means_the_one_person_just_spoken_of():
    assert said("Alice lives in Paris.", "She is 30.").values("age", "alice") == ["30"]
    assert said("王芳住在上海", "她今年30岁").values("age", "王芳") == ["30岁"]
    assert said("Alice knows Bob.", "She is 30.").items() == []


NOTHING = [
    "Nice weather today!",
    "今天天气真好",
    "谢谢，再见",
    "Wow, that's awesome! You've got guts.",
    "My day was great and my kids are so excited.",
    "My family is everything to me.",
    "If my budget is 500, I'll buy it.",
    "Maybe my budget is 900.",
    "也许我的预算是900",
    "如果我住在北京，我会每天骑车",
    "I might live in Rome.",
    "What is my budget?",
    "My budget is 500, right?",
    "我的预算是多少",
    "我住在北京对吗？",
    "Bob said my budget is 5000.",
    "小明说我住在北京",
    'She shouted "I live in Paris and my name is Eve".',
    "You said that my name is Bob.",
    "你刚才说我住在广州",
    "The event was really thought-provoking.",
    "Sounds like a great plan!",
    "我找到一个苹果食谱：两个苹果加肉桂烤20分钟。",
    "It's been crazy.",
]


@pytest.mark.requirement("C44", "P3")
@pytest.mark.parametrize("text", NOTHING)
def test_small_talk_suppositions_and_the_words_of_others_state_nothing(text):
    assert [item for item in said(text).items() if item.kind != "question"] == []


@pytest.mark.requirement("C7")
@pytest.mark.parametrize(
    "text",
    [
        "[context] time zone: Europe/Berlin; platform: iOS; name: host\nI live in Rome.",
        "<system>My name is Bot, I work at Initech.</system> I live in Rome.",
        "<env>\nmy budget is 900\n</env>\nI live in Rome.",
        '{"timezone": "Asia/Tokyo", "name": "my name is Bot"}\nI live in Rome.',
        "Time zone: Asia/Tokyo\nPlatform: android\nI live in Rome.",
        "MEM_START my name is Bot MEM_END I live in Rome.",
        "RETRIEVED_MEMORY - [t3] My favourite colour is blue /RETRIEVED_MEMORY I live in Rome.",
        "Assistant: my name is Bot.\nI live in Rome.",
        "> my budget is 900\nI live in Rome.",
        "```\nmy name is Bot\n```\nI live in Rome.",
        "【系统】时区：Asia/Shanghai，我叫小助手\nI live in Rome.",
    ],
)
def test_context_that_a_host_injects_is_nobodys_statement(text):
    (item,) = said(text).items()
    assert (item.attribute, item.value) == ("home", "Rome")


@pytest.mark.requirement("C2", "C3", "P2")
def test_what_the_assistant_says_is_never_proposed():
    conversation = new_conversation()
    for _ in range(10):
        conversation.answer("Your name is Bob, your phone is a Pixel and you live in Rome.")
    assert conversation.everything() == []


@pytest.mark.requirement("C20")
def test_in_a_talk_between_people_each_statement_is_of_its_speaker():
    conversation = new_conversation()
    conversation.say("I live in Rome.", speaker="Anna")
    conversation.say("I live in Oslo. My name is Ben.", speaker="Ben")
    assert conversation.values("home", "anna") == ["Rome"]
    assert conversation.values("home", "ben") == ["Oslo"]
    assert all(item.observed_at == conversation.turns[item.turn - 1].observed_at for item in conversation.items())
    assert [item.speaker for item in conversation.items()] == ["Anna", "Ben", "Ben"]


UNRELATED = [
    "My name is Tom.", "My son is called Max.", "My wife works at Ikea.", "I live in Bonn.", "I work at Acme.",
    "My doctor is Dr. Lee.", "Bob's budget is 8,000.", "My budget is 5,000.", "The budget of Apollo is 90,000 dollars.",
    "Order #12345 ships via SF.", "Order #12346 ships via UPS.", "I like pizza.", "I like sushi.", "I hate olives.",
    "My favourite colour is blue.", "My favourite food is ramen.", "Bob's favourite colour is green.", "My bike is green.",
    "The wifi password is hunter2.", "Our database is PostgreSQL.", "Our cache is Redis.", "I speak French.",
    "I'm allergic to nuts.", "I'm allergic to pollen.", "My cat is called Momo.", "My dog is called Rex.",
    "My birthday is May 8.", "My wife's birthday is June 9.", "I weigh 70 kg.", "I'm 180 cm tall.",
    "我叫王慕辰的朋友住在杭州", "张伟在腾讯工作", "李娜在华为工作", "王芳住在上海", "订单777发京东", "合同A的金额是10万",
    "合同B的金额是20万", "小明最喜欢的颜色是红色", "我妈妈住在成都", "我爸爸住在重庆", "张伟喜欢跑步", "我喜欢爬山",
    "会议定在周五下午三点", "服务器部署在阿里云", "项目经理是张三", "我老婆喜欢喝茶", "王芳今年30岁", "李娜对花粉过敏",
    "我昨天去了医院", "I went to Paris last week.",
]  # fmt: skip


@pytest.mark.requirement("C12")
def test_fifty_unrelated_facts_invalidate_nothing():
    assert len(UNRELATED) == 50
    conversation = said(*UNRELATED)
    everything = conversation.everything()
    assert len(everything) > 40
    assert [item for item in everything if not item.live] == []


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120) | st.text(alphabet="my name is我叫的是了不,，。?\n\"'<>[]{}12万 ", max_size=80))
def test_whatever_is_said_only_quotations_are_proposed(text):
    conversation = new_conversation()
    conversation.say("My name is Tom. My favourite colour is blue.")
    conversation.say(text)
    turn = conversation.turns[-1]
    for proposal in extract(turn, Surroundings()):
        assert proposal.value_span.cut(turn.text) == proposal.value
        assert (
            proposal.quote_span.start <= proposal.value_span.start < proposal.value_span.end <= proposal.quote_span.end
        )


def test_reading_a_turn_takes_milliseconds():
    conversation = said("My name is Tom.")
    texts = [
        "Hey! Good to see you, how have you been? I'm swamped with the kids and work, but we had a great time last weekend.",
        "谢谢你的建议，我最近一直在忙项目的事情，下周可能会轻松一点，到时候再聊。",
    ] * 20
    for text in texts[:4]:
        conversation.say(text)
    started = time.process_time()
    for text in texts:
        conversation.say(text)
    assert (time.process_time() - started) / len(texts) < 0.05
