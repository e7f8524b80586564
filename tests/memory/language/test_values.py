import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.language.values import find_values, normalise_number

ANY_TEXT = st.text(st.characters(), max_size=80)
PIECES = [
    "五万",
    "5",
    "3.2",
    ",",
    "，",
    "%",
    "百分之",
    "$",
    "元",
    "块",
    "k",
    "万",
    "2023-05-08",
    "3pm",
    "点半",
    "#",
    "A1",
    "kg",
    " ",
    "个",
    "one",
    "twelve",
]
VALUE_SOUP = st.lists(st.sampled_from([*PIECES, "\ud800", "²", "٣"]), max_size=12).map("".join)


@given(ANY_TEXT | VALUE_SOUP)
def test_values_are_slices_that_do_not_overlap(text: str) -> None:
    end = 0
    for value in find_values(text):
        assert value.span.start >= end
        assert text[value.span.start : value.span.end] == value.text
        assert value.text
        assert value.normal
        end = value.span.end


@given(ANY_TEXT | VALUE_SOUP)
def test_no_text_makes_a_number_fail(text: str) -> None:
    normalise_number(text)


@given(st.integers(0, 10**12))
def test_a_number_with_separators_is_the_number(number: int) -> None:
    assert normalise_number(f"{number:,}") == number


def _in_chinese(number: int) -> str:
    """The standard reading of a number below ten thousand, after the textbook rules."""
    digits, units, text, gap = "零一二三四五六七八九", ["", "十", "百", "千"], "", False
    for place in (3, 2, 1, 0):
        digit = number // 10**place % 10
        if digit:
            text += ("零" if gap and text else "") + digits[digit] + units[place]
            gap = False
        else:
            gap = True
    return text


@given(st.integers(1, 9999))
def test_every_chinese_number_reads_back(number: int) -> None:
    assert normalise_number(_in_chinese(number)) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("五万", 50000), ("5万", 50000), ("50k", 50000), ("50,000", 50000), ("５０，０００", 50000), ("两万五", 25000), ("五万八", 58000),
        ("三千五百", 3500), ("三千五", 3500), ("一百二十八", 128), ("一百二", 120), ("一百零五", 105), ("两千", 2000), ("十二", 12), ("3万5千", 35000),
        ("1.5亿", 150000000), ("一亿两千万", 120000000), ("三点五", Decimal("3.5")), ("半", Decimal("0.5")), ("二零二三", 2023), ("壹佰", 100), ("貳拾", 20),
        ("twenty-five", 25), ("three hundred and two", 302), ("half a million", 500000), ("two and a half million", 2500000), ("1.2bn", 1200000000), ("a dozen", 12),
    ],
)  # fmt: skip
def test_numbers_of_both_languages_are_read(text: str, number: Decimal) -> None:
    assert normalise_number(text) == number


@pytest.mark.parametrize(
    "text", ["万一", "千万", "三四", "and", "a", "", "nineteen five", "五六七八九十", "1.2.3", "x", "十百", "9" * 100]
)
def test_what_is_no_single_number_is_none(text: str) -> None:
    assert normalise_number(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("费用定为5万", [("number", "50000", None)]),
        ("预算是五万元", [("amount", "50000", "CNY")]),
        ("The final budget of Apollo is 48,500 dollars.", [("amount", "48500", "USD")]),
        ("¥5万", [("amount", "50000", "CNY")]),
        ("￥300", [("amount", "300", "CNY")]),
        ("$48.5k", [("amount", "48500", "USD")]),
        ("USD 1,200.50", [("amount", "1200.5", "USD")]),
        ("人民币三十万元", [("amount", "300000", "CNY")]),
        ("二十五块钱", [("amount", "25", "CNY")]),
        ("三块五", [("amount", "3.5", "CNY")]),
        ("三块蛋糕", [("quantity", "3", "piece")]),
        ("五十多块", [("amount", "50", "CNY")]),
        ("套餐一共一百二十八块", [("amount", "128", "CNY")]),
        ("£20 or €30", [("amount", "20", "GBP"), ("amount", "30", "EUR")]),
        ("half a million dollars", [("amount", "500000", "USD")]),
        ("I lost 10 pounds", [("quantity", "10", "lb")]),
        ("客户拒绝了5000元的套餐，但对8000元的套餐表示感兴趣", [("amount", "5000", "CNY"), ("amount", "8000", "CNY")]),
        ("百分之十二", [("percent", "12", None)]),
        ("12.5%", [("percent", "12.5", None)]),
        ("twelve percent", [("percent", "12", None)]),
        ("血压158/96 mmHg", [("quantity", "158/96", "mmHg")]),
        ("glucose 12.3 mmol/L", [("quantity", "12.3", "mmol/L")]),
        ("体重七十公斤，身高175cm", [("quantity", "70", "kg"), ("quantity", "175", "cm")]),
        ("身高一米七五", [("quantity", "1.75", "m")]),
        ("1米75", [("quantity", "1.75", "m")]),
        ("20个人", [("quantity", "20", "person")]),
        ("20 people", [("quantity", "20", "person")]),
        ("我今年三十二岁", [("quantity", "32", "age")]),
        ("I am 25 years old", [("quantity", "25", "age")]),
        ("十分钟", [("quantity", "10", "minute")]),
        ("3-5天", [("quantity", "3", "day"), ("quantity", "5", "day")]),
        ("5到8万", [("number", "50000", None), ("number", "80000", None)]),
        ("100，200和300", [("number", "100", None), ("number", "200", None), ("number", "300", None)]),
        ("I have two dogs", [("number", "2", None)]),
    ],
)
def test_amounts_percents_and_quantities_are_normalised(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert [(value.kind, value.normal, value.unit) for value in find_values(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my order #12345", [("identifier", "12345")]),
        ("订单号12345", [("identifier", "12345")]),
        ("订单12345的状态", [("identifier", "12345")]),
        ("track order 12345", [("identifier", "12345")]),
        ("工号是A1024", [("identifier", "A1024")]),
        ("invoice INV-2024-001", [("identifier", "INV-2024-001")]),
        ("CONTRACT_PAYMENT_5.2", [("identifier", "CONTRACT_PAYMENT_5.2")]),
        ("字段clause_strictness_level", [("identifier", "CLAUSE_STRICTNESS_LEVEL")]),
        ("车牌粤B12345", [("identifier", "粤B12345")]),
        ("乘G1234次", [("identifier", "G1234")]),
        ("ABC123", [("identifier", "ABC123")]),
        ("电话13800138000", [("phone", "13800138000")]),
        ("+86 138 0013 8000", [("phone", "13800138000")]),
        ("call 415-555-2671", [("phone", "4155552671")]),
        ("(415) 555-2671", [("phone", "4155552671")]),
        ("010-6234 5678", [("phone", "01062345678")]),
        ("010-62345678", [("phone", "01062345678")]),
        ("邮箱是li.lei@example.com。", [("email", "li.lei@example.com")]),
        ("see https://x.com/a?b=1, ok", [("url", "https://x.com/a?b=1")]),
        ("v2.1", [("version", "2.1")]),
        ("version 2.1.3", [("version", "2.1.3")]),
        ("版本是3.0", [("version", "3.0")]),
        ("host 192.168.1.1", [("identifier", "192.168.1.1")]),
        ("2023年5月8日下午三点", [("date", "2023-05-08"), ("time", "15:00")]),
        ("at 3pm on May 8", [("time", "15:00"), ("date", "--05-08")]),
        ("2023-05-08 15:30", [("date", "2023-05-08"), ("time", "15:30")]),
        ("8th of May, 2023", [("date", "2023-05-08")]),
        ("二〇二三年五月八日", [("date", "2023-05-08")]),
        ("in 2022", [("date", "2022")]),
        ("明晚8点半", [("time", "20:30")]),
        ("at 3 o'clock in the afternoon", [("time", "15:00")]),
        ("12:30 am or 12 pm", [("time", "00:30"), ("time", "12:00")]),
        ("half past two", [("time", "02:30")]),
        ("port 8080", [("number", "8080")]),
        ("端口改成5433", [("number", "5433")]),
    ],
)
def test_names_contacts_and_times_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(value.kind, value.normal) for value in find_values(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "万一", "我们一起去", "一些", "统一", "三心二意", "十分好", "张三和李四", "周三", "第三", "一个苹果", "三四个", "千万别忘", "第五条",
        "the pricier one", "one of them", "no one knows", "Q3", "唯一", "一直", "一点都不", "五一快乐", "someone", "everyone", "百度", "三星手机", "5G网络", "二手车", "一块去吧",
    ],
)  # fmt: skip
def test_numerals_within_words_are_no_values(text: str) -> None:
    assert find_values(text) == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [("order 3 pizzas", 0), ("I want to order 2000 bricks", 0), ("in case 3 people come", 0), ("order no. 77", 1)],
)
def test_an_order_of_goods_is_no_order_number(text: str, ids: int) -> None:
    assert sum(value.kind == "identifier" for value in find_values(text)) == ids


@pytest.mark.parametrize(
    "text", ["1" * 20_000, "一" * 20_000, "a1" * 10_000, "1." * 10_000, "a_" * 10_000, "a." * 10_000, "five " * 4_000]
)
def test_degenerate_texts_are_searched_in_reasonable_time(text: str) -> None:
    begin = time.process_time()
    find_values(text)
    assert time.process_time() - begin < 5
