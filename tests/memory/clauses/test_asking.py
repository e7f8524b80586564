"""Questions about clauses become conditions on document, version and number, in both languages, without any likeness."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.memory.clauses.shelf import ONE, SHELF, asked, day, shown
from veridical.memory.clauses.asking import is_reference

CHINESE = "零一二三四五六七八九"


def chinese(number: int) -> str:
    """A number below a thousand as statutes write it: 一百零二, 十二."""
    hundreds, rest = divmod(number, 100)
    tens, ones = divmod(rest, 10)
    text = f"{CHINESE[hundreds]}百" if hundreds else ""
    if tens:
        text += ("" if tens == 1 and not hundreds else CHINESE[tens]) + "十"
    elif hundreds and ones:
        text += "零"
    return text + (CHINESE[ones] if ones else "")


def roman(number: int) -> str:
    text = ""
    for value, letters in ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while number >= value:
            text, number = text + letters, number - value
    return text


WRITTEN = [
    lambda n: f"clause {n} of contract A",
    lambda n: f"What does Article {n} of contract A say?",
    lambda n: f"Show me section {n} in contract A.",
    lambda n: f"contract A, clause no. {n}",
    lambda n: f"contract A § {n}",
    lambda n: f"看A合同第{n}条",
    lambda n: f"合同A第{chinese(n)}条怎么规定的？",
    lambda n: f"合同A第{chinese(n)}條的內容是什麼",
    lambda n: f"合同Ａ第{str(n).translate(str.maketrans('0123456789', '０１２３４５６７８９'))}条",
    lambda n: f"请问甲方在A合同第 {n} 条里有什么义务",
]


@pytest.mark.requirement("CLAUSES-ASKED")
@given(number=st.integers(1, 300), form=st.sampled_from(WRITTEN))
def test_a_number_in_any_notation_is_that_number(number, form):
    condition = asked(form(number))
    assert condition.documents == (2,)
    assert [one.at.parts for one in condition.numbers] == [(number,)]


@pytest.mark.requirement("CLAUSES-ASKED")
@given(number=st.integers(1, 60))
def test_a_roman_number_is_that_number(number):
    assert [one.at.parts for one in asked(f"Article {roman(number)} of contract A").numbers] == [(number,)]


@pytest.mark.requirement("CLAUSES-ASKED")
@given(parts=st.lists(st.integers(1, 40), min_size=2, max_size=4), chinese=st.booleans())
def test_a_number_with_dots_is_the_number_of_a_part(parts, chinese):
    written = ".".join(map(str, parts))
    condition = asked(f"合同A的{written}怎么说" if chinese else f"section {written} of contract A")
    assert [one.at.parts for one in condition.numbers] == [tuple(parts)]


@pytest.mark.requirement("CLAUSES-ASKED")
@given(article=st.integers(1, 99), paragraph=st.integers(1, 12), item=st.integers(1, 12))
def test_paragraph_and_item_are_read_with_their_article(article, paragraph, item):
    text = f"会计法第{chinese(article)}条第{chinese(paragraph)}款第（{chinese(item)}）项"
    (number,) = asked(text).numbers
    assert (number.at.parts, number.paragraph, number.item) == ((article,), paragraph, item)


@pytest.mark.requirement("CLAUSES-ASKED")
@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("看A合同第5条", "text | 2 | 5"),
        ("clause 5 of contract A", "text | 2 | 5"),
        ("What is in the fifth clause of contract A?", "text | 2 | 5"),
        ("contract A clause five", "text | 2 | 5"),
        ("section 5.2 of the lease", "text | 4 | 5.2"),
        ("What does section 3(b) of the lease agreement say?", "text | 4 | 3.2"),
        ("租赁合同第五条", "text | 4 | 5"),
        ("article 12A of contract B", "text | 3 | 12-1"),
        ("会计法第四十七条之一", "text | 6 | 47-1"),
        ("《会计法》第八条", "text | 6 | 8"),
        ("請問會計法第八條怎麼規定", "text | 6 | 8"),
        ("中华人民共和国会计法第八条", "text | 6 | 8"),
        ("消保法第24条", "text | 7 | 24"),
        ("消费者权益保护法第二十四条第二款", "text | 7 | 24 p2"),
        ("the second paragraph of article 5 of contract B", "text | 3 | 5 p2"),
        ("article 5, paragraph 2 of contract B", "text | 3 | 5 p2"),
        ("articles 3 to 5 of contract A", "text | 2 | 3-5"),
        ("合同A第三至五条", "text | 2 | 3-5"),
        ("clauses 5, 6 and 7.2 of contract A", "text | 2 | 5,6,7.2"),
        ("合同A第五条和第六条", "text | 2 | 5,6"),
        ("合同A的第五、六条", "text | 2 | 5,6"),
        ("contract A的第5条", "text | 2 | 5"),
        ("the last clause of contract A", "text | 2 | -1"),
        ("会计法的最后一条是什么", "text | 6 | -1"),
        ("合同A的5.2", "text | 2 | 5.2"),
        ("is there a clause 17 in contract B?", "exists | 3 | 17"),
        ("B合同有没有第17条", "exists | 3 | 17"),
        ("compare clause 5 of A and B", "compare | 2+3 | 5"),
        ("Compare clause 5 of contract A with clause 5 of contract B", "compare | 2+3 | 5"),
        ("比较A合同和B合同的第五条", "compare | 2+3 | 5"),
        ("A和B两份合同的第五条有什么不同", "compare | 2+3 | 5"),
        ("Where did clause 3 of contract A go?", "moved | 1+2 | 3"),
        ("会计法第三条挪到哪一条了", "moved | 5+6 | 3"),
        ("旧会计法第十五条现在是第几条", "moved | 5+6 | 15"),
        ("现行会计法第十五条是旧法的第几条", "moved | 6+5 | 15"),
        ("What changed between the versions of contract A?", "changes | 1+2"),
        ("会计法的两个版本有什么不同", "changes | 5+6"),
        ("会计法第八条改了什么", "changes | 5+6 | 8"),
        ("How has clause 5 of contract A changed since 2024?", "changes | 1+2 | 5"),
        ("Which versions of contract A are there?", "versions | 1+2"),
        ("会计法什么时候修订过", "versions | 5+6"),
        ("合同A有哪些条款", "list | 2"),
        ("How many clauses does contract B have?", "count | 3"),
        ("What does contract A say about termination?", "topic | 2"),
        ("合同A关于解除是怎么规定的", "topic | 2"),
        ("What is the deposit in contract A?", "scope | 2"),
        ("section 2 of the cancellation policy", "text | 8 | 2"),
    ],
)
def test_a_question_says_which_document_which_number_and_what_is_wanted(question, meant):
    assert shown(asked(question)) == meant


@pytest.mark.requirement("CLAUSES-ASKED")
@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("What did clause 4 of contract A say in 2024?", 1),
        ("clause 4 of contract A as of 2024-06-30", 1),
        ("clause 4 of contract A as it was before 2025", 1),
        ("contract A v1.0, clause 4", 1),
        ("clause 4 in version 1.0 of contract A", 1),
        ("clause 4 in the first version of contract A", 1),
        ("clause 4 in the previous version of contract A", 1),
        ("clause 4 of contract A", 2),
        ("the current version of clause 4 of contract A", 2),
        ("contract A version 2.1 clause 4", 2),
        ("会计法2019年的第四条", 5),
        ("2019年的时候会计法第四条怎么说", 5),
        ("2017年版会计法第四条", 5),
        ("会计法2017年版第四条", 5),
        ("会计法第四条以前怎么规定的", 5),
        ("旧版会计法第四条", 5),
        ("修订前的会计法第四条", 5),
        ("2024年5月1日会计法第四条怎么规定的", 5),
        ("会计法第四条", 6),
        ("2024年版会计法第四条", 6),
        ("现行会计法第四条", 6),
        ("會計法2025年的第四條", 6),
    ],
)
def test_a_question_says_which_version(question, document):
    condition = asked(question)
    assert (condition.documents, condition.numbers[0].at.parts) == ((document,), (4,))


@pytest.mark.requirement("CLAUSES-MISSING")
@pytest.mark.parametrize(
    ("question", "trouble", "candidate"),
    [
        ("clause 5 of contract C", "no_document", "Contract A"),
        ("C合同第5条", "no_document", "Contract A"),
        ("compare clause 5 of contract A and contract C", "no_document", "Contract A"),
        ("clause 5 of the employment contract", "no_document", "Contract B"),
        ("劳动合同第五条", "no_document", "Contract B"),
        ("公司法第三条是什么", "no_document", "会计法"),
        ("《公司法》第三条", "no_document", "会计法"),
        ("article 5 of the GDPR", "no_document", "Contract A"),
        ("What does clause 5 of the contract say?", "which_document", "Contract B"),
        ("这份合同第五条怎么说", "which_document", "Contract B"),
        ("What changed between the versions?", "which_document", "会计法"),
        ("What did clause 5 of contract A say in 1995?", "no_version", "v1.0"),
        ("1995年会计法第五条怎么规定的", "no_version", "2017-11-04"),
        ("clause 5 in version 7 of contract A", "no_version", "v2.1"),
        ("2005年版会计法第五条", "no_version", "2024-06-28"),
    ],
)
def test_what_cannot_be_told_names_the_candidates(question, trouble, candidate):
    condition = asked(question)
    assert condition.trouble == trouble
    assert candidate in condition.candidates
    assert condition.documents == ()


@pytest.mark.requirement("CLAUSES-MISSING")
def test_the_only_contract_is_the_contract():
    assert shown(asked("What does clause 5 of the contract say?", shelf=ONE)) == "text | 2 | 5"
    assert shown(asked("这份合同第五条怎么说", shelf=ONE)) == "text | 2 | 5"
    assert shown(asked("What changed between the versions?", shelf=ONE)) == "changes | 1+2"


@pytest.mark.requirement("CLAUSES-FOLLOW-UPS")
@pytest.mark.parametrize(
    ("before", "question", "meant"),
    [
        ("clause 5 of contract A in 2024", "and clause 6?", "text | 1 | 6"),
        ("2024年A合同第5条", "那第六条呢", "text | 1 | 6"),
        ("clause 5 of contract A in 2024", "clause 7", "text | 1 | 7"),
        ("clause 5 of contract A", "in the 2024 version?", "text | 1 | 5"),
        ("会计法第五条", "那2019年呢", "text | 5 | 5"),
        ("会计法第五条", "旧版呢", "text | 5 | 5"),
        ("clause 5 of contract A in 2024", "and now?", "text | 2 | 5"),
        ("clause 5 of contract A in 2024", "现在呢", "text | 2 | 5"),
        ("clause 5 of contract A", "what about contract B?", "text | 3 | 5"),
        ("A合同第5条", "那合同B呢", "text | 3 | 5"),
        ("会计法第五条", "第二款呢", "text | 6 | 5 p2"),
        ("clause 5 of contract A", "where did it go?", "moved | 1+2 | 5"),
        ("clause 5 of contract A", "the rest", "text | 2 | 5"),
        ("会计法第五条", "剩下的", "text | 6 | 5"),
        ("What does clause 5 of the contract say?", "contract A", "text | 2 | 5"),
        ("这份合同第五条怎么说", "A合同", "text | 2 | 5"),
        ("会计法第三条挪到哪一条了", "那第四条呢", "moved | 5+6 | 4"),
        ("compare clause 5 of A and B", "and clause 6?", "compare | 2+3 | 6"),
        ("clause 5 of contract A", "What does clause 5 of the contract say?", "text | 2 | 5"),
        ("clause 5 of contract A in 2024", "clause 6 of contract A", "text | 2 | 6"),
        ("会计法第三条挪到哪一条了", "第四条怎么说", "text | 6 | 4"),
        ("旧会计法第三条现在是第几条", "会计法第四条", "text | 6 | 4"),
    ],
)
def test_a_follow_up_keeps_what_it_does_not_change(before, question, meant):
    assert shown(asked(question, asked(before))) == meant


@pytest.mark.requirement("CLAUSES-NOT-ASKED")
@pytest.mark.parametrize(
    "question",
    [
        "What is my budget?",
        "我的预算是多少",
        "第三条消息说了什么",
        "第三条建议是什么",
        "清单里第三条是什么",
        "那第二条呢",
        "好的，那第二条呢",
        "step 5",
        "What was step 5 again?",
        "What did I say about clause 5?",
        "我之前说过第五条有什么问题吗",
        "which section I should read first?",
        "I bought 5.2 kg of rice",
        "5.2万够吗",
        "My flight leaves from gate 5.2",
        "What changed in my plans?",
        "我的计划有什么变化",
        "What's new?",
        "Who is Tom?",
        "and the second one?",
        "第一条裤子多少钱",
        "Remind me of point 3 tomorrow",
    ],
)
def test_any_other_question_is_none_about_clauses(question):
    assert asked(question) is None


@pytest.mark.requirement("CLAUSES-ASKED", "AS-OF")
def test_the_caller_s_time_holds_where_the_question_names_none():
    assert asked("clause 4 of contract A", as_of=day(2024, 6)).documents == (1,)
    assert asked("clause 4 of contract A in 2025", as_of=day(2024, 6)).documents == (2,)
    assert asked("clause 4 of contract A", as_of=day(2023)).trouble == "no_version"


@pytest.mark.requirement("CLAUSES-ASKED")
def test_every_question_of_a_document_names_no_other():
    for family in SHELF:
        title = family.versions[-1].title
        assert asked(f"What does clause 5 of {title} say?").keys == (family.key,)
        assert asked(f"{title}第五条怎么说").keys == (family.key,)


@pytest.mark.requirement("CLAUSES-ASKED")
@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("clause 5 of contract A", True),
        ("看A合同第5条", True),
        ("《会计法》第八条第二款", True),
        ("and clause 6?", True),
        ("Please read clause 5.2(b) of contract B", True),
        ("section 5 is done", False),
        ("Clause 5 of contract A is too expensive", False),
        ("A合同第5条太贵了", False),
        ("第一条：给客户打电话", False),
        ("We agreed on clause 7", False),
        ("合同第五条改成30天", False),
    ],
)
def test_words_that_only_name_a_clause_ask_for_it(text, asks):
    assert is_reference(text) is asks
