"""Whether a sentence holds the kind of value that a question asks for, in many forms of both languages."""

from datetime import UTC, datetime

import pytest

from veridical.memory.calibration.fit import fits

SAID = datetime(2026, 3, 4, 12, tzinfo=UTC)


def holds(kind: str, text: str, question: str = "?") -> bool:
    return fits(kind, text, question, SAID, "UTC")


@pytest.mark.parametrize(
    "text",
    [
        "我姑把车开走了",
        "佟哥第一个到的",
        "岑医生给开的单子",
        "是阿荔提醒的",
        "小芫撺掇大家去露营",
        "钥匙给了新来的老祁",
        "楼下的保安看见了",
        "婆婆不肯签字",
        "The plumber left it running.",
        "A lady from the archive called.",
        "Odile never liked it.",
    ],
)
def test_roles_kin_and_nicknames_are_persons(text):
    assert holds("person", text, "谁？" if not text.isascii() else "Who?")


@pytest.mark.parametrize(
    "text",
    [
        "老房子在小区后面",
        "这把小刀和老花镜都丢了",
        "小时候住过的小镇",
        "阿里的股价涨了",
        "The kettle is broken.",
        "It rained in the old town.",
    ],
)
def test_what_only_begins_like_a_nickname_is_no_person(text):
    assert not holds("person", text, "谁？" if not text.isascii() else "Who?")


@pytest.mark.parametrize(
    "text",
    [
        "Choir is on Tuesdays from now on.",
        "The courier came at 3, not before.",
        "We rent a 1934 cottage by the dyke.",
        "改成每周三上课",
        "那是1987年的旧楼",
        "后年三月再复查",
        "昨天的答辩上定了题目",
    ],
)
def test_days_that_come_back_bare_hours_and_years_are_times(text):
    assert holds("time", text)


@pytest.mark.parametrize(
    "text",
    [
        "I paid for 3 of them.",
        "It cost the 2000 euros.",
        "At 4 percent it is cheap.",
        "The kettle is broken.",
        "买了三个",
    ],
)
def test_amounts_are_no_times(text):
    assert not holds("time", text)


@pytest.mark.parametrize("text", ["我在名单上排第七", "She came in ninth.", "He is the 12th in line."])
def test_a_place_in_line_is_a_number(text):
    assert holds("number", text)


@pytest.mark.parametrize("text", ["我很高兴", "She came in late."])
def test_no_place_in_line_is_no_number(text):
    assert not holds("number", text)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The crate is 40 kilos.", "What is the weight of the crate?"),
        ("今早称了61.5", "我现在多重？"),
        ("It was 118 over 76.", "What is my blood pressure?"),
        ("走路要二十分钟", "学校离家多远？"),
        ("挂牌212万", "那套房的挂牌价是多少？"),
        ("We locked it at 5.85 for ten years.", "What is the interest rate on the loan?"),
        ("The rent is 640 a month.", "What number is on the rent slip?"),
    ],
)
def test_a_quantity_of_the_dimension_asked_for_fits(text, question):
    assert holds("number", text, question)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The crate has 40 labels.", "What is the weight of the crate?"),
        ("每天走六千步", "我现在多重？"),
        ("My glucose is 96.", "What is my blood pressure?"),
        ("学校有二十个班", "学校离家多远？"),
        ("到单位要50分钟", "那套房的挂牌价是多少？"),
        ("The loan is 9,000 over six years.", "What is the interest rate on the loan?"),
    ],
)
def test_a_quantity_of_another_dimension_does_not(text, question):
    assert not holds("number", text, question)


def test_a_phone_number_has_some_digits():
    assert holds("phone", "Call 555-0198.", "What is Odile's phone number?")
    assert not holds("phone", "She came at 2.", "What is Odile's phone number?")


@pytest.mark.parametrize(
    ("text", "question", "told"),
    [
        ("I had a check-up yesterday.", "When is the next check-up?", False),
        ("The check-up comes again next Monday.", "When is the next check-up?", True),
        ("昨天去复查了。", "下次复查是什么时候？", False),
        ("后天去复查。", "下次复查是什么时候？", True),
        ("I had a check-up yesterday.", "When was the check-up?", True),
    ],
)
def test_of_the_next_one_no_past_time_tells(text: str, question: str, told: bool):
    assert holds("time", text, question) == told


@pytest.mark.parametrize(
    ("kind", "text", "question"),
    [
        ("number", "They went up to 48,200 in the end.", "How many days off does the job have?"),
        ("number", "她最后给到四万八。", "年假一共多少天？"),
        ("number", "The caretaker keeps 150 euros if the floor is dirty.", "How many guests does the barn hold?"),
        ("number", "Order KX-204 went to the barn.", "How many guests does the barn hold?"),
        ("amount", "Her hives stand on plot 12.", "What do I pay for the plot a year?"),
        ("amount", "I sold the viola to a student for 700 euros.", "What did I pay for the viola?"),
        ("amount", "那把二胡卖了七百块。", "二胡当初花了多少钱买的？"),
        ("number", "The account's number ends in 0662.", "What is the number of my account?"),
        ("number", "我那套才3600。", "你住几楼？"),
        ("number", "合同总价八十万。", "要先付几成？"),
        ("number", "硬拉能拉55公斤了。", "我现在体重多少？"),
        ("proper", "I've been looking for a job since June.", "Which company will I work for?"),
        ("name", "最后是十七路司机送她回来的。", "那位司机姓什么？"),
        ("time", "It's a 2009 car with 168k miles.", "On what date did I fetch the car?"),
        ("time", "The tenant paid at last, on Monday.", "On which date should the tenant have paid?"),
        ("time", "明年不种番茄了。", "妈妈来看番茄是几号？"),
        ("number", "A cheque of 50k for the winner.", "How long does the battery last?"),
        ("number", "地块编号是NT-06-117。", "每亩能领到多少补贴？"),
        ("number", "把单号发我，我帮你查。", "酒店的单号是多少？"),
        ("number", "搬家多付了1.8万，箱子多租了两百个。", "合同的编号是什么？"),
        ("amount", "Two machines hum day and night.", "How much are the machines a day?"),
    ],
)
def test_a_number_or_name_of_another_kind_answers_nothing(kind, text, question):
    assert not holds(kind, text, question)


@pytest.mark.parametrize(
    ("kind", "text", "question"),
    [
        ("number", "Thirty days, and two of them at home.", "How many days off does the job have?"),
        ("number", "年假十五天。", "年假一共多少天？"),
        ("number", "The barn holds 118.", "How many guests does the barn hold?"),
        ("number", "Plot 41 is ours now.", "Which plot number is mine?"),
        ("amount", "I bought the viola for 780 euros.", "What did I pay for the viola?"),
        ("number", "我家在六楼，没电梯。", "你住几楼？"),
        ("number", "先付两成五。", "要先付几成？"),
        ("number", "体重降到60公斤了。", "我现在体重多少？"),
        ("proper", "I've decided on Northmoor.", "Which company will I work for?"),
        ("name", "那位司机姓鲍。", "那位司机姓什么？"),
        ("time", "The rent was due last Thursday.", "On which date should the tenant have paid?"),
        ("time", "Fetched it yesterday.", "On what date did I fetch the car?"),
        ("time", "我妈上礼拜天来看的。", "妈妈来看番茄是几号？"),
        ("number", "Four years at ten below.", "How long does the battery last?"),
        ("number", "单号是WB-3092。", "酒店的单号是多少？"),
        ("number", "It's 4417, don't lose it.", "What is the code for the door?"),
        ("amount", "The machines are 4 euros a day.", "How much are the machines a day?"),
        ("number", "药改成一天两次了。", "药一天吃几回？"),
        ("proper", "we went with northmoor", "Which company will I work for?"),
    ],
)
def test_a_number_or_name_of_the_kind_asked_for_answers(kind, text, question):
    assert holds(kind, text, question)
