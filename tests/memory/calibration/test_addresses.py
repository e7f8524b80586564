"""Addresses in documents: what a question and a turn name, and when two of them are different places."""

import pytest

from veridical.memory.calibration.addresses import Address, address_of, is_field, meaning, pieces, told_at
from veridical.memory.records import Span

from .scenes import Talk, quoted


@pytest.mark.parametrize(
    ("text", "document", "page", "field"),
    [
        ("[DOC_ID:ABC123][PAGE:3][FIELD:TOTAL_AMT] 500", "abc123", "3", "total_amt"),
        ("What is on page 3 of ABC123?", "abc123", "3", None),
        ("p. 12 of ABC123, DUE_DATE", "abc123", "12", "due_date"),
        ("page three of ABC123", "abc123", "3", None),
        ("ABC123第3页的TOTAL_AMT", "abc123", "3", "total_amt"),
        ("ABC123第十二页", "abc123", "12", None),
        ("文档ABC123，页码3，字段TOTAL_AMT", "abc123", "3", "total_amt"),
        ("POLICY-204", "policy-204", None, None),
    ],
)
def test_documents_pages_and_fields_are_read_in_their_usual_forms(text, document, page, field):
    expected = Address(*(frozenset({name} if name else ()) for name in (document, page, field)))
    assert address_of(text) == expected


@pytest.mark.parametrize("text", ["I read 36 pages today.", "今天读了36页", "Page turned.", "第一次"])
def test_what_counts_pages_names_none(text):
    assert not address_of(text)


def test_a_number_of_something_is_no_field():
    assert is_field("TOTAL_AMT")
    assert not is_field("INV_2024_001")


@pytest.mark.parametrize(
    "text",
    [
        "[DOC_ID:A17][PAGE:3] 36; [DOC_ID:A71][PAGE:3] 86",
        "it is 36 [DOC_ID:A17][PAGE:3]; it is 86 [DOC_ID:A71][PAGE:3]",
    ],
)
def test_a_sentence_on_two_documents_is_cut_so_that_each_has_its_value(text):
    found = pieces(text, Span(0, len(text)))
    assert [(address_of(one.cut(text)).documents, one.cut(text)) for one in found] == [
        (frozenset({"a17"}), text.split(";")[0]),
        (frozenset({"a71"}), text.split("; ")[1]),
    ]


def test_what_a_sentence_leaves_out_was_named_before_it():
    text = "On page 4 of LEASE-240 now. The late fee is $45."
    assert told_at(text, Span(28, len(text))) == Address(frozenset({"lease-240"}), frozenset({"4"}), frozenset())


def test_a_field_is_read_in_both_languages():
    assert {"total", "总", "amount", "金额"} <= set(meaning("[FIELD:TOTAL_AMT]").split())
    assert meaning("the total") == ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does TOTAL_AMT on page 3 of A71 say?", "t2"),
        ("What is the total amount of A17?", "t1"),
        ("A71第3页的总金额是多少？", "t2"),
        ("What is the late fee in A17?", "t3"),
    ],
)
def test_the_turn_with_the_very_address_answers(question, answer):
    talk = Talk()
    talk.say("[DOC_ID:A17][PAGE:3][FIELD:TOTAL_AMT] 3,600 euros")
    talk.say("[DOC_ID:A71][PAGE:3][FIELD:TOTAL_AMT] 8,600 euros")
    talk.say("[DOC_ID:A17][PAGE:3][FIELD:LATE_FEE] 45 euros")
    assert quoted(talk.ask(question)) == [answer]


@pytest.mark.parametrize(
    "question",
    ["What does TOTAL_AMT on page 4 of A71 say?", "What is the LATE_FEE in A71?", "A77第3页的总金额是多少？"],
)
def test_another_page_field_or_document_answers_nothing(question):
    talk = Talk()
    talk.say("[DOC_ID:A17][PAGE:3][FIELD:LATE_FEE] 45 euros")
    talk.say("[DOC_ID:A71][PAGE:3][FIELD:TOTAL_AMT] 8,600 euros")
    assert talk.ask(question).abstained


@pytest.mark.parametrize(
    ("said", "asked"),
    [("总的金额是36.8万元", "总金额是多少？"), ("违约金的比例是5%", "违约金比例是多少？")],
)
def test_a_compound_is_covered_by_its_parts(said, asked):
    talk = Talk()
    talk.say(said)
    assert quoted(talk.ask(asked)) == ["t1"]
