"""Whether a text contains a name or a value, however it is written."""

import pytest

from veridical.memory.forgetting.mentions import Mention

SAME = [
    ("5万", "预算是50,000元。"),
    ("50000", "预算定为五万。"),
    ("50,000", "We have fifty thousand dollars."),
    ("50k", "It costs 50000."),
    ("79190", "about 79.19k in all"),
    ("12.5%", "a share of 12.50 %"),
    ("2023-05-08", "We met on 8 May 2023."),
    ("ＡＢＣ－１２", "the code abc-12"),
    ("Zanzibar", "the Zanzibars' house"),
    ("running shoes", "I lost my running shoe."),
    ("小魚", "我的花名叫小鱼。"),
    ("access  code", "My access code is 7."),
]
OTHER = [
    ("42", "Box 1428 is full."),
    ("50000", "预算是5千元。"),
    ("apple", "I like pineapple."),
    ("小鱼", "小小的鱼。"),
    ("48,500", "It costs 148,500 dollars."),
    ("Ann", "Anna called."),
]


@pytest.mark.requirement("P8", "NUMBERS-ALIKE")
@pytest.mark.parametrize(("wanted", "text"), SAME)
def test_it_is_found_however_it_is_written(wanted, text):
    assert Mention(wanted).found_in(text)


@pytest.mark.requirement("P8")
@pytest.mark.parametrize(("wanted", "text"), OTHER)
def test_what_only_resembles_it_is_something_else(wanted, text):
    assert not Mention(wanted).found_in(text)
