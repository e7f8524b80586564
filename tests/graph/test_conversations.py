"""Whole conversations on the floor: whose value it is, which version holds, and what was never said."""

from collections.abc import Callable

import pytest

from tests.graph.talk import abstains

Say = Callable[..., str]

_KEPT = [
    ("The budget for Lyra is 30,100 dollars.", "What's the budget for Lyra?", "No, that is wrong, it is 31,400 dollars.",
     "What's the budget for Lyra?", "31,400 dollars"),
    ("天琴项目的预算是30,100美元。", "天琴的预算是多少？", "不对，应该是3.14万美元。", "天琴的预算是多少？", "3.14万美元"),
    ("供应商是宏达电子。", "好的", "供应商换成了立德。", "我们的供应商是谁？", "立德"),
    ("I love figs.", "ok", "I can't stand figs anymore.", "Do I like figs?", "can't stand figs"),
    ("订单B2001的金额是1,580元，订单B2002的金额是760元。", "好", "谢谢", "订单B2002多少钱？", "760元"),
    ("Our database is SQLite.", "ok", "We migrated to Postgres yesterday.", "What database do we use?", "Postgres"),
    ("our rent is 880 a month", "ok", "it's now 910", "how much is the rent", "910"),
    ("vet appointment is on Thursday at 4pm", "ok", "i moved the vet to friday at 9am", "whens the vet appointment",
     "friday at 9am"),
    ("My big sister works at Ikea.", "ok", "My big sister joined Bosch last month.", "Where does my big sister work?",
     "Bosch"),
    ("我姐姐在京东上班，我弟弟在小米上班。", "好的", "我姐姐上个月跳槽到了美团。", "我姐姐现在在哪里上班？", "美团"),
]  # fmt: skip


@pytest.mark.parametrize("turns", _KEPT, ids=[turns[-2] for turns in _KEPT])
@pytest.mark.requirement("C11", "C17", "C31")
def test_the_version_that_holds_is_told(say: Say, turns: tuple[str, ...]):
    *told, asked, right = turns
    for text in told:
        say(text)
    assert right in say(asked)


@pytest.mark.parametrize(
    ("told", "asked", "wrong"),
    [
        ("My cousin Rita works at Ikea and my brother works at Bosch.", "Where do I work?", "Ikea"),
        ("我姐姐在京东上班。", "我在哪里上班？", "京东"),
        ("Rita's birthday is May 9 and Tom's is July 2.", "When is my birthday?", "May 9"),
        ("Rita's phone number is 555-0177.", "What's my phone number?", "555-0177"),
        ("赵敏的工号是20071。", "我的工号是多少？", "20071"),
        ("Rita told me her new number is 555-0177.", "What's my number?", "555-0177"),
        ("我太太叫林静。", "我叫什么？", "林静"),
        ("Rita has two kids.", "How many kids do I have?", "two"),
        ("Rita has two kids.", "How old is Rita?", "two"),
        ("小明对花生过敏。", "小刚对什么过敏？", "花生"),
        ("I live in Turin.", "Where do my parents live?", "Turin"),
    ],
)
@pytest.mark.requirement("C6", "P4")
def test_what_is_somebody_elses_answers_nothing(say: Say, told: str, asked: str, wrong: str):
    say(told)
    answer = say(asked)
    assert abstains(answer)
    assert wrong not in answer


@pytest.mark.parametrize(
    ("told", "asked", "right"),
    [
        ("My mother is 61 and my father is 64.", "How old is my father?", "64"),
        ("Rita works at Ikea. My brother works at Bosch.", "Where does my brother work?", "Bosch"),
        ("我爸今年66岁，我妈今年63岁。", "我妈多大了？", "63岁"),
        ("前天收到复试通知，复试在下周二下午。", "复试是什么时候？", "下周二下午"),
        ("买牛奶，给爸爸打电话，提醒我明天交水费。", "还剩什么？", "水费"),
        ("My car is a red Fiat Panda.", "What car do I drive?", "Fiat Panda"),
    ],
)
@pytest.mark.requirement("FLOOR-ANSWERS")
def test_of_several_values_the_one_asked_for_is_told(say: Say, told: str, asked: str, right: str):
    say(told)
    assert right in say(asked)


def test_a_bare_weekday_is_not_resolved_for_the_reader(say: Say):
    say("I booked a table at Luigi's on Friday.")
    assert not say("When is the table booked for?").startswith("2026-")


@pytest.mark.parametrize(
    ("told", "done", "asked", "left", "gone"),
    [
        (
            "I have to return the drill, renew the insurance and email Mrs. Ortega.",
            "renewed the insurance!",
            "what's left to do?",
            ("return the drill", "email Mrs. Ortega"),
            "renew the insurance",
        ),
        (
            "今天要做三件事：给周总回电话、缴水费、把样品寄给钱律师。",
            "水费缴了。",
            "还有什么要做的？",
            ("给周总回电话", "把样品寄给钱律师"),
            "缴水费",
        ),
    ],
)
@pytest.mark.requirement("C39")
def test_errands_of_one_sentence_are_shown_and_done_one_by_one(
    say: Say, told: str, done: str, asked: str, left: tuple[str, str], gone: str
):
    noted = say(told)
    assert all(errand in noted for errand in left)
    assert gone in say(done)
    answer = say(asked)
    assert all(errand in answer for errand in left)
    assert gone not in answer


@pytest.mark.requirement("C42")
def test_an_order_of_another_number_tells_nothing(say: Say):
    say("My order number is 60311. I also have an older order 60105 that was cancelled.")
    assert abstains(say("Was order 60311 cancelled?"))
    assert "60105" in say("Was order 60105 cancelled?")


@pytest.mark.requirement("C16")
def test_actually_no_puts_right(say: Say):
    say("The deadline is Thursday. Actually no, Tuesday.")
    answer = say("When is the deadline?")
    assert "Tuesday" in answer
    assert "Thursday" not in answer


@pytest.mark.requirement("C17")
@pytest.mark.parametrize(
    ("told", "corrected", "questions", "right", "wrong"),
    [
        (
            "My sister Clara lives in Porto.",
            "No, Clara lives in Braga.",
            ["Where does my sister live?", "Where does Clara live?"],
            "Braga",
            "Porto",
        ),
        ("我妹妹王芳住在宁波。", "不对，王芳住在绍兴。", ["我妹妹住在哪里？", "王芳住哪？"], "绍兴", "宁波"),
        ("韩梅在成都当医生。", "不对，韩梅在绵阳当医生。", ["韩梅在哪里当医生？", "韩梅在哪上班？"], "绵阳", "成都"),
    ],
)
def test_who_is_put_right_by_name_is_told_right_by_name_and_by_relation(say, told, corrected, questions, right, wrong):
    say(told)
    say(corrected)
    for question in questions:
        answer = say(question)
        assert right in answer
        assert wrong not in answer


@pytest.mark.parametrize(
    ("line", "reply"),
    [("The budget of Apollo is 48,500 dollars.", "nothing new"), ("我住在上海。", "没有新的")],
)
def test_what_is_said_twice_is_kept_and_called_nothing_new(say, line, reply):
    say(line)
    assert reply in say(line)
