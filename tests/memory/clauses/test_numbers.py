"""Numbers of clauses: one reading for every way in which they are written, in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.clauses.numbers import item_number, read_number
from veridical.memory.clauses.records import ClauseNumber
from veridical.memory.language.numerals import roman_number

DIGITS = "零一二三四五六七八九"
WIDE = str.maketrans("0123456789.", "０１２３４５６７８９．")


def chinese(number: int) -> str:
    """A number below 10,000 in Chinese numerals."""
    text, zero = "", False
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        if digit:
            one = "" if digit == 1 and unit == 10 and not text else DIGITS[digit]
            text, zero = text + ("零" if zero else "") + one + sign, False
        else:
            zero = bool(text)
    return text


@pytest.mark.requirement("CLAUSES-CUT")
@pytest.mark.parametrize(
    ("written", "parts", "inserted"),
    [
        ("第五条", (5,), 0),
        ("第 120 条", (120,), 0),
        ("第一百二十条", (120,), 0),
        ("第五条第三款", (5, 3), 0),
        ("第三条第一款第（二）项", (3, 1, 2), 0),
        ("第三条第（二）项", (3, 1, 2), 0),
        ("第十二条之一", (12,), 1001),
        ("5.2", (5, 2), 0),
        ("Section 5.2(a)", (5, 2, 1), 0),
        ("Clause 5(a)(ii)", (5, 1, 2), 0),
        ("Article 5A", (5,), 1001),
        ("5.2B", (5, 2), 2002),
        ("Article IV", (4,), 0),
        ("§ 12", (12,), 0),
        ("11.2.3.4", (11, 2, 3, 4), 0),
        ("twenty-one", (21,), 0),
    ],
)
def test_a_number_is_read_as_it_is_meant(written: str, parts: tuple[int, ...], inserted: int):
    assert read_number(written) == ClauseNumber(parts, inserted)


@pytest.mark.parametrize("written", ["第五章", "5.2 million", "ivy", "civil", "", "the", "1.2.3.4.5.6", "第条"])
def test_what_is_no_number_of_a_clause_is_none(written: str):
    assert read_number(written) is None


@given(st.integers(1, 1999))
def test_chinese_numerals_digits_and_wide_digits_are_one_number(number: int):
    expected = ClauseNumber((number,))
    assert read_number(f"第{chinese(number)}条") == expected
    assert read_number(f"第{number}条") == expected
    assert read_number(str(number).translate(WIDE)) == expected


@given(st.lists(st.integers(1, 99), min_size=1, max_size=5))
def test_the_text_of_a_number_reads_as_that_number(parts: list[int]):
    at = ClauseNumber(tuple(parts))
    assert read_number(at.text) == at
    assert read_number(f"Section {at.text}") == at


@given(st.integers(1, 300))
def test_roman_numerals_count_up(number: int):
    tens = ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx", "xc")
    ones = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    written = "c" * (number // 100) + tens[number // 10 % 10] + ones[number % 10]
    assert roman_number(written) == number
    assert roman_number(written.upper()) == number


def test_a_letter_is_a_place_and_i_v_x_are_roman():
    assert [item_number(one) for one in ("a", "c", "i", "v", "iv", "三", "12")] == [1, 3, 1, 5, 4, 3, 12]
