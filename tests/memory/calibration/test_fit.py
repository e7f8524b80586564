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
