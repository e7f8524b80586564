"""Cutting documents by clause: what is one, what it is called, and where it stands, in both languages."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.clauses.splitting import Cut, cut

CONTRACT = """# Service Agreement

Version 2.1

This Agreement is made between Acme Ltd and Bolt GmbH (the parties).

## 1. Definitions

In this Agreement "Fees" means the fees in Section 5.

## 2. Services

2.1 The Provider shall clean the office, as set out in section 5.2 below.

2.2 The Provider may use helpers:

(a) after notice; and

(b) at its own cost:
(i) for staff;
(ii) for tools.

## 5. Payment

5.1 Fees are due within 30 days.
5.2 Late payment bears interest of 5.2 percent.

## 5A. Taxes

Taxes are extra.

Annex 1: Price list

1. Gold 10 EUR
2. Silver 5 EUR
"""
STATUTE = """# 养猫条例

2001年5月1日 市人民代表大会通过

目 录

第一章 总 则
第二章 罚 则

## 第一章 总 则

第一条　为了规范养猫行为，制定本条例。

第二条　养猫人应当做到下列各项：

（一）每日喂食；

（二）定期免疫。

依照第一条规定登记的，免费办证。

第二条之一　外地猫适用前条规定。

## 第二章 罚 则

第三条　违反本条例第二条规定的，处以罚款。

第四条　本条例自2001年6月1日起施行。
"""
PURCHASE = """采购合同

甲方：甲公司
乙方：乙公司

第一条 标的
甲方向乙方采购设备。
第二条【价款与支付】 总价为人民币50万元。
2.1 甲方应在收到发票后30日内付款。
2.2 逾期付款的，按日计息。
第三条（争议解决）协商不成的，由法院管辖。

甲方（盖章）：
签订日期：2023年5月1日
"""
TERMS = """---
title: Terms of Service
---

# Terms of Service

*Last updated: May 3, 2022*

Welcome to our service.

## Account terms

You own your account.

1. Keep it safe.
2. Do not share it.

You may close it at any time.

## Payment

Fees are due monthly.

### Trials

Trials are free.
"""


def numbers(found: Cut | None, unit: str = "clause") -> list[str]:
    assert found is not None
    return [clause.at.text for clause in found.clauses if clause.unit == unit]


def said(text: str, name: str, number: str, unit: str = "clause") -> str:
    found = cut(text, name)
    assert found is not None
    return next(one.span.cut(text) for one in found.clauses if (one.at.text, one.unit) == (number, unit))


@pytest.mark.requirement("CLAUSES-CUT")
def test_a_contract_is_cut_by_its_numbers_down_to_the_items():
    found = cut(CONTRACT, "Contract A v2.1.md")
    assert found is not None
    assert (found.entity_type, found.title) == ("contract", "Service Agreement")
    assert numbers(found) == ["1", "2", "2.1", "2.2", "5", "5.1", "5.2", "5-1"]
    assert numbers(found, "item") == ["2.2.1", "2.2.2", "2.2.2.1", "2.2.2.2"]
    assert said(CONTRACT, "a.md", "2.2.2", "item") == "(b) at its own cost:\n(i) for staff;\n(ii) for tools."
    assert said(CONTRACT, "a.md", "5") == (
        "5. Payment\n\n5.1 Fees are due within 30 days.\n5.2 Late payment bears interest of 5.2 percent."
    )
    categories = {clause.at.text: clause.category for clause in found.clauses}
    assert (categories["5"], categories["5.1"], categories["1"], categories["2.1"]) == (
        "PAYMENT",
        "PAYMENT",
        "DEFINITION",
        "GENERAL",
    )


@pytest.mark.requirement("CLAUSES-CUT")
def test_what_is_no_clause_is_kept_in_pieces_of_its_own():
    found = cut(CONTRACT, "Contract A v2.1.md")
    assert found is not None
    held = {clause.piece for clause in found.clauses}
    others = [piece.span.cut(CONTRACT) for place, piece in enumerate(found.pieces) if place not in held]
    assert [other.split("\n")[0] for other in others] == ["Version 2.1", "Annex 1: Price list"]


@pytest.mark.requirement("CLAUSES-CUT")
def test_a_statute_is_cut_by_articles_with_paragraphs_and_items():
    found = cut(STATUTE, "养猫条例.md")
    assert found is not None
    assert (found.entity_type, numbers(found)) == ("statute", ["1", "2", "2-1", "3", "4"])
    assert numbers(found, "paragraph") == ["2.1", "2.2"]
    assert numbers(found, "item") == ["2.1.1", "2.1.2"]
    assert said(STATUTE, "a.md", "2.2", "paragraph") == "依照第一条规定登记的，免费办证。"
    assert said(STATUTE, "a.md", "2.1.2", "item") == "（二）定期免疫。"
    assert said(STATUTE, "a.md", "2-1") == "第二条之一　外地猫适用前条规定。"
    assert "第一章 总 则" in found.pieces[found.clauses[0].piece].title


@pytest.mark.requirement("CLAUSES-CUT")
def test_a_chinese_contract_has_headings_decimals_and_no_signatures():
    found = cut(PURCHASE, "采购合同A.txt")
    assert found is not None
    assert (found.entity_type, numbers(found)) == ("contract", ["1", "2", "2.1", "2.2", "3"])
    assert [one.heading for one in found.clauses if len(one.at.parts) == 1] == ["标的", "价款与支付", "争议解决"]
    assert [one.category for one in found.clauses if len(one.at.parts) == 1] == ["GENERAL", "PAYMENT", "DISPUTE"]
    assert not any("盖章" in one.span.cut(PURCHASE) for one in found.clauses)


@pytest.mark.requirement("CLAUSES-CUT")
def test_a_policy_without_numbers_is_numbered_by_its_headings():
    found = cut(TERMS, "terms.md")
    assert found is not None
    assert (found.entity_type, numbers(found)) == ("policy", ["0", "1", "2", "2.1"])
    assert [one.heading for one in found.clauses if one.unit == "clause"] == [
        "Terms of Service",
        "Account terms",
        "Payment",
        "Trials",
    ]
    assert said(TERMS, "terms.md", "0") == "Welcome to our service."
    assert numbers(found, "paragraph") == ["1.1", "1.2"]
    assert said(TERMS, "terms.md", "1.1.2", "item") == "2. Do not share it."


@pytest.mark.requirement("CLAUSES-CUT")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "MASTER SERVICES AGREEMENT\n\nARTICLE I\nDEFINITIONS\n\nSection 1.01 Terms. They apply.\n\n"
            "ARTICLE II\nPAYMENT\n\nSection 2.01 Fees. The Client pays.\nSection 2.02 Taxes. Fees are net.\n",
            ["1", "1.1", "2", "2.1", "2.2"],
        ),
        (
            "Club Act\n\nArticle 1 Members\nSection 1 Anyone may join.\nSection 2 Nobody must.\n"
            "Article 2 Fees\nSection 1 Fees are low.\nSection 2 Nobody pays twice.\n",
            ["1", "1.1", "1.2", "2", "2.1", "2.2"],
        ),
        (
            "Cat Act\n\nPart I General\nArticle 1\nSection 1 Anyone may keep a cat.\nSection 2 Nobody must.\n"
            "Article 2\nSection 3 Cats are free.\nSection 4 This Act applies.\n",
            ["1", "2", "3", "4"],
        ),
        (
            "Lease Agreement\n\nContents\n1. Premises .......... 1\n2. Rent .......... 2\n\n"
            "1. Premises. The Landlord lets the flat.\n2. Rent. The Tenant pays 900 EUR.\n3. Term. Two years.\n",
            ["1", "2", "3"],
        ),
        (
            "Lease Agreement\n\nContents\n1. Premises\n2. Rent\n3. Term\n\n"
            "1. Premises\nThe Landlord lets the flat.\n2. Rent\nThe Tenant pays.\n3. Term\nTwo years.\n",
            ["1", "2", "3"],
        ),
        (
            "# 房屋租赁协议\n\n一、租赁期限\n租期两年。\n二、租金\n1. 每月3000元。\n2. 按季支付。\n三、其他\n双方协商。\n",
            ["1", "2", "3"],
        ),
        (
            "Consulting Contract\n\nI. Scope\nThe parties agree.\nII. Fees\nThey are due.\nIII. Law\nNone.\n",
            ["1", "2", "3"],
        ),
        (
            "Supply Contract\n\n1. Goods\nThe Seller delivers:\n1. ten apples;\n2. ten pears;\n\n2. Price\nTen EUR.\n"
            "3. The Buyer pays at once.\n4. Law\nNone.\n",
            ["1", "2", "3", "4"],
        ),
        (
            "Supply Contract\n\n1 Goods\nThe Seller delivers.\n\n2 Price\n\n2.1 Ten EUR.\n2.2 At once.\n\n3 Law\nNone.\n",
            ["1", "2", "2.1", "2.2", "3"],
        ),
        (
            "考勤制度\n\n1 总则\n1.1 为规范考勤，制定本制度。\n2 请假\n2.1 请假应当提前三日提出。\n2.2 病假除外。\n",
            ["1", "1.1", "2", "2.1", "2.2"],
        ),
        ("# 员工手册\n\n第一条　本公司员工应当守时。\n第二条　迟到者扣款。\n", ["1", "2"]),
        ("购销合同\n\n第１条　标的为苹果。\n第２条　价款为十元。\n第３条　双方守信。\n", ["1", "2", "3"]),
    ],
)
def test_ways_of_marking_are_told_apart(text: str, expected: list[str]):
    assert numbers(cut(text, "file.md")) == expected


@pytest.mark.requirement("CLAUSES-CUT")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("manual.md", "# Setup manual\n\n1. Unpack the box.\n2. Plug it in.\n\n## Notes\n\n1. One.\n2. Two.\n"),
        ("shopping.md", "# Shopping\n\n1. Milk\n2. Bread\n3. Eggs\n"),
        ("handbook.md", "# Leave\n\nEmployees get 28 days.\n\n# Parking\n\nParking is free.\n"),
        ("guide.md", "# Guide\n\nSection 1 Start\nRead this.\nSection 2 Stop\nStop reading.\n"),
        ("说明书.txt", "使用说明书\n\n一、开机\n按下按钮。\n二、关机\n再按一次。\n"),
        ("news.txt", "The court cited Section 5.\nSection 5 of the Act says so.\nArticle 6 was not cited.\n"),
        ("prices.md", "# Price list\n\n| plan | price |\n| --- | --- |\n| gold | 10 |\n"),
    ],
)
def test_what_is_no_document_of_clauses_stays_as_it_is(name: str, text: str):
    assert cut(text, name) is None


@pytest.mark.requirement("CLAUSES-CUT")
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "refund.md",
            "Refund Policy\n=============\n\nIntro.\n\nWhen\n----\n\nNow.\n\nHow\n---\n\nSo.\n",
            ["", "When", "How"],
        ),
        ("refund.md", "# Refund Policy\n\n**When can I?**\n\nAny time.\n\n**How?**\n\nSo.\n", ["When can I?", "How?"]),
        (
            "refund.txt",
            "REFUND POLICY\n\nWHEN CAN I\n\nYou can at any time.\n\nHOW\n\nSend a mail.\n",
            ["WHEN CAN I", "HOW"],
        ),
        (
            "退款政策.txt",
            "退款政策\n\n何时退款\n\n三十日内可以退款。\n\n如何退款\n\n写信给我们。\n",
            ["何时退款", "如何退款"],
        ),
        (
            "privacy.md",
            "# Privacy policy\n\n# Who we are\n\nWe are X.\n\n# What we keep\n\nData.\n",
            ["Who we are", "What we keep"],
        ),
        ("refund__v1__2019-01-01.md", "# Refund policy\n\nWe refund all.\n\nAlways.\n", [""]),
    ],
)
def test_headings_of_a_policy_are_found_however_they_are_set(name: str, text: str, expected: list[str]):
    found = cut(text, name)
    assert found is not None
    headings = [one.heading if one.at.parts[0] else "" for one in found.clauses if one.unit == "clause"]
    assert headings == expected


@pytest.mark.requirement("CLAUSES-CUT")
def test_lists_that_markdown_counts_by_itself_have_numbers():
    text = "# Terms of use\n\n## Account\n\n1. One.\n1. Two.\n1. Three.\n\n## Law\n\nNone.\n"
    assert numbers(cut(text, "terms.md"), "item") == ["1.1.1", "1.1.2", "1.1.3"]


@pytest.mark.requirement("CLAUSES-CUT")
def test_headings_over_articles_and_in_capitals_are_headings():
    text = "劳动合同\n\n一、期限\n第一条 期限两年。\n二、报酬\n第二条 工资按月支付。\n第三条 另有奖金。\n"
    assert said(text, "a.md", "1") == "第一条 期限两年。"
    english = "WORK AGREEMENT\n\n1. POSITION AND DUTIES.\n\n(a) Ann works.\n\n2. PAY.\n\n2.1 Ten EUR.\n"
    found = cut(english, "work agreement.txt")
    assert found is not None
    assert [one.heading for one in found.clauses if len(one.at.parts) == 1] == ["POSITION AND DUTIES", "PAY"]


@pytest.mark.requirement("CLAUSES-CUT")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "# Contract B\n\n## 5 Payment\n5.1 Within 14 days.\n\n## 6 Secrecy\n6.1 For 3 years.\n",
            ["5", "5.1", "6", "6.1"],
        ),
        ("# 采购合同\n\n## 3 付款\n3.1 十四日内付清。\n\n## 4 保密\n4.1 保密期三年。\n", ["3", "3.1", "4", "4.1"]),
    ],
)
def test_an_excerpt_with_numbered_headings_keeps_their_numbers(text: str, expected: list[str]):
    assert numbers(cut(text, "Contract B.md")) == expected


def test_references_at_the_beginning_of_a_line_are_no_clauses():
    text = "合作协议\n\n第一条　双方合作。\n第三条规定的情形除外。\n第一条、第二条同时适用。\n第二条　双方守信。\n第三条　完。\n"
    assert numbers(cut(text, "a.md")) == ["1", "2", "3"]
    assert "第三条规定的情形除外。" in said(text, "a.md", "1")


@pytest.mark.requirement("CLAUSES-CUT")
def test_a_long_clause_with_parts_is_cut_at_its_parts_and_any_other_stays_whole():
    words = "The Provider shall do what is needed and nothing else. " * 30
    text = f"# Contract\n\n1. Work\n\n1.1 {words}\n\n1.2 {words}\n\n1.3 {words}\n\n2. {words * 4}\n"
    found = cut(text, "contract.md")
    assert found is not None
    pieces = {one.at.text: one.piece for one in found.clauses}
    assert len({pieces[number] for number in ("1", "1.1", "1.2", "1.3", "2")}) == 5
    assert said(text, "contract.md", "1") == "1. Work"
    assert found.pieces[pieces["2"]].span.cut(text) == f"2. {words * 4}".rstrip()


TEXTS = st.text(alphabet="甲乙丙丁买卖房屋abcdef gh，；", min_size=1, max_size=60).map(
    lambda text: text.strip(" ，；") or "甲乙"
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A statute of a few articles, some with paragraphs and items, and their texts."""
    articles = []
    for number in range(1, draw(st.integers(2, 12)) + 1):
        lines = [f"第{number}条　{draw(TEXTS)}。", *(f"{draw(TEXTS)}。" for _ in range(draw(st.integers(0, 2))))]
        if draw(st.booleans()):
            lines += [f"（{one}）{draw(TEXTS)}；" for one in "一二三"[: draw(st.integers(1, 3))]]
        articles.append("\n\n".join(lines))
    chapters = draw(st.booleans())
    return "# 买卖法\n\n" + ("## 第一章 总则\n\n" if chapters else "") + "\n\n".join(articles) + "\n", articles


@pytest.mark.requirement("CLAUSES-CUT")
@given(documents())
def test_every_clause_is_an_exact_slice_of_one_piece_and_siblings_do_not_overlap(made: tuple[str, list[str]]):
    text, articles = made
    found = cut(text, "买卖法.md")
    assert found is not None
    top = [one for one in found.clauses if one.unit == "clause"]
    assert [one.span.cut(text) for one in top] == articles
    assert [one.at.parts for one in top] == [(number,) for number in range(1, len(articles) + 1)]
    for one in found.clauses:
        piece = found.pieces[one.piece].span
        assert piece.start <= one.span.start < one.span.end <= piece.end
        assert one.span.cut(text).startswith(one.label)
    for unit in ("clause", "paragraph", "item"):
        siblings = [one.span for one in found.clauses if one.unit == unit]
        assert not any(one.overlaps(other) for one, other in pairwise(siblings))
    spans = [piece.span for piece in found.pieces]
    assert not any(one.overlaps(other) for one, other in pairwise(spans))
