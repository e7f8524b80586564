"""Clauses asked for in a conversation: exactly those, whole, in their version, and of no other document."""

from collections.abc import Callable

import pytest

from tests.graph import papers
from tests.graph.papers import PAYMENT_A, PAYMENT_A_OLD, PAYMENT_B, RENT, clause
from veridical.graph.guard import VeridicalGraph
from veridical.nodes.contract import Context, Resources

Say = Callable[..., str]


@pytest.mark.requirement("CLAUSES-QUOTED", "CLAUSES-ASKED")
@pytest.mark.parametrize(
    ("question", "prefix", "quoted"),
    [
        ("看A合同第5条", "[SERVICE_CONTRACT_A_v2.1] CONTRACT_PAYMENT_5 (payment_term): ", PAYMENT_A),
        ("clause 5 of contract A", "[SERVICE_CONTRACT_A_v2.1] CONTRACT_PAYMENT_5 (payment_term): ", PAYMENT_A),
        ("Show me clause 5 of contract B.", "[SERVICE_CONTRACT_B_v1.0] CONTRACT_PAYMENT_5 (payment_term): ", PAYMENT_B),
        (
            "What does section 5.2 of contract A say?",
            "[SERVICE_CONTRACT_A_v2.1] CONTRACT_PAYMENT_5.2 (payment_term): ",
            clause(papers.A_NEW, "5.2", "\n## 6"),
        ),
        (
            "clause 5.2(b) of contract A",
            "] CONTRACT_PAYMENT_5.2.2 (payment_term): ",
            "(b) After 60 days the provider may suspend the services.",
        ),
        (
            "clause 5 in version 1.0 of contract A",
            "[SERVICE_CONTRACT_A_v1.0] CONTRACT_PAYMENT_5 (payment_term): ",
            PAYMENT_A_OLD,
        ),
        (
            "What did clause 5 of contract A say in 2024?",
            "[SERVICE_CONTRACT_A_v1.0] CONTRACT_PAYMENT_5 (payment_term): ",
            PAYMENT_A_OLD,
        ),
        ("租赁合同第三条", "CONTRACT_PAYMENT_3 (payment_term): ", RENT),
        ("租賃合同第三條怎麼說", "CONTRACT_PAYMENT_3 (payment_term): ", RENT),
        ("租赁合同第三条第二款", "CONTRACT_PAYMENT_3.2 ", "租金每季度支付一次，于每季度首月5日前支付。"),
        (
            "租赁合同第四条第二项",
            "",
            "（二）出租人提前收回房屋的，应当支付两个月租金作为违约金。",
        ),
        ("图书馆条例第三条", "[公共图书馆条例_2021-06-01]", "第三条 公共图书馆应当建立数字资源库。"),
        ("《公共图书馆条例》第四条", "STATUTE_GENERAL_4 (general): ", "第四条 公共图书馆每周开放时间不得少于56小时。"),
        (
            "2015年的公共图书馆条例第三条",
            "[公共图书馆条例_2012-03-01]",
            "第三条 公共图书馆每周开放时间不得少于40小时。",
        ),
        (
            "公共图书馆条例2012年版第三条",
            "[公共图书馆条例_2012-03-01]",
            "第三条 公共图书馆每周开放时间不得少于40小时。",
        ),
        ("What does contract A say about termination?", "CONTRACT_TERMINATION_8 ", clause(papers.A_NEW, "8. Term", "")),
        ("合同A关于责任是怎么规定的", "CONTRACT_LIABILITY_6 ", clause(papers.A_NEW, "6. Liab", "\n## 7")),
        (
            "Is there a clause 7 in contract A?",
            "CONTRACT_CONFIDENTIALITY_7 ",
            clause(papers.A_NEW, "7. Conf", "\n## 8"),
        ),
    ],
)
def test_a_clause_is_quoted_whole_with_its_readable_prefix(
    say: Say, shelf: None, question: str, prefix: str, quoted: str
):
    answer = say(question)
    assert f"“{quoted}” [c" in answer
    assert prefix in answer.partition("“")[0]


@pytest.mark.requirement("CLAUSES-APART")
@pytest.mark.parametrize(
    "question", ["Compare clause 5 of A and B", "比较A合同和B合同的第五条", "A和B两份合同的第五条有什么不同"]
)
def test_comparing_two_documents_never_cites_a_third(
    graph: VeridicalGraph, resources: Resources, shelf: None, question: str
):
    result = graph.invoke({"messages": [("user", question)]}, context=Context(user_id="ann", session_id="s"))
    assert PAYMENT_A in result["messages"][-1].text
    assert PAYMENT_B in result["messages"][-1].text
    names = {cited.speaker for cited in result["answer"].citations}
    assert names == {"contract_a_v2.1.md", "contract_b.md"}
    trace = resources.memory.answer("ann")
    of_c = [f"c{chunk}" for chunk in chunks_of(resources, "contract_c.md")]
    dropped = {drop["id"]: drop["rule"] for drop in trace["dropped"]}
    # What has no word of the question is not even proposed.
    assert {dropped[one] for one in of_c if one in dropped} == ({"identity"} if question.isascii() else set())


def chunks_of(resources: Resources, name: str) -> list[int]:
    base = resources.memory.knowledge
    numbers = [one.number for one in base.documents("ann", everything=True) if one.name == name]
    return [clause.chunk for number in numbers for clause in base.clauses("ann", number)]


@pytest.mark.requirement("CLAUSES-APART", "KNOWLEDGE-ANSWERS")
@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How much does the customer pay under contract B?", "9,900"),
        ("What is the liability cap of contract C?", "20,000"),
        ("合同B的付款期限是多少天？", "14"),
        ("When are invoices due in contract C?", "45"),
        ("租赁合同的押金是多少", "13000"),
    ],
)
def test_any_question_that_names_a_document_is_answered_from_no_other(
    graph: VeridicalGraph, shelf: None, question: str, value: str
):
    result = graph.invoke({"messages": [("user", question)]}, context=Context(user_id="ann", session_id="s"))
    answer = result["answer"]
    assert value in answer.text or answer.abstained
    others = {"contract_a_v2.1.md", "contract_b.md", "contract_c.md", "房屋租赁合同.md"}
    named = {"B": "contract_b.md", "C": "contract_c.md"}.get(
        next((x for x in question if x in "BC"), ""), "房屋租赁合同.md"
    )
    assert {cited.speaker for cited in answer.citations} <= {named}
    assert not (others - {named}) & {cited.speaker for cited in answer.citations}


@pytest.mark.requirement("CLAUSES-APART")
def test_a_topic_of_two_documents_is_told_of_both(say: Say, shelf: None):
    answer = say("Compare the payment terms of contract A and contract B")
    assert PAYMENT_A in answer
    assert PAYMENT_B in answer


@pytest.mark.requirement("CLAUSES-QUOTED")
def test_what_changed_between_versions_is_told_clause_by_clause(say: Say, shelf: None):
    told = say("What changed between the versions of contract A?")
    assert told.startswith(
        "Service Contract A, v1.0 (2023-01-01) → v2.1 (2025-01-01):\nChanged (3): 2.2, 5.1, 7.1 → 8.1\n"
    )
    assert "New (1): 7 Confidentiality" in told
    both = say("How has clause 5 of contract A changed?")
    assert PAYMENT_A in both
    assert PAYMENT_A_OLD in both
    told = say("公共图书馆条例两个版本有什么不同")
    assert "有改动（1 条）：第三条 → 第四条" in told
    assert "新增（1 条）：第三条" in told
    assert "文字相同、条号变了（2 条）：第四条 → 第五条、第五条 → 第六条" in told


@pytest.mark.requirement("CLAUSES-QUOTED")
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("公共图书馆条例第四条挪到哪一条了", "第四条 (2012-03-01)：2021-06-01 版是第五条（文字相同）。"),
        ("旧公共图书馆条例第三条现在是第几条", "第三条 (2012-03-01)：2021-06-01 版是第四条（文字有改动）。"),
        ("现行公共图书馆条例第六条是旧版的第几条", "第六条 (2021-06-01)：2012-03-01 版是第五条（文字相同）。"),
        ("公共图书馆条例第六条以前是第几条", "第六条 (2021-06-01)：2012-03-01 版是第五条（文字相同）。"),
        (
            "Where did clause 7 of the old contract A go?",
            "7 Termination (v1.0): 8 in version v2.1 (the text was changed).",
        ),
    ],
)
def test_a_clause_that_moved_is_followed_to_its_new_number(say: Say, shelf: None, question: str, told: str):
    assert say(question).startswith(told)


@pytest.mark.requirement("CLAUSES-QUOTED")
def test_versions_and_clauses_of_a_document_are_listed(say: Say, shelf: None):
    assert say("Which versions of contract A are there?") == (
        "Service Contract A is here in 2 versions:\n"
        "v1.0, was in force from 2023-01-01 to 2024-12-31\nv2.1, in force since 2025-01-01"
    )
    assert say("How many clauses does contract A have?") == "Service Contract A has 6 numbered clauses."
    assert "1 Definitions, 2 Term, 5 Payment" in say("Which clauses does contract A have?")
    assert say("公共图书馆条例有多少条") == "公共图书馆条例共有 6 条。"


@pytest.mark.requirement("CLAUSES-QUOTED")
def test_a_clause_longer_than_a_page_is_cut_at_a_paragraph_and_the_rest_is_one_question_away(
    say: Say, resources: Resources
):
    paragraphs = [
        f"Paragraph {number} of the duties. " + "The provider keeps the records in order. " * 12
        for number in range(1, 15)
    ]
    text = (
        "# Hosting Contract Z\n\n## 1. Duties\n\n"
        + "\n\n".join(map(str.strip, paragraphs))
        + "\n\n## 2. Term\n\nOne year.\n\n## 3. Fees\n\nNone.\n"
    )
    papers.FILES["contract_z.md"] = text
    try:
        papers.add(resources, "contract_z.md")
    finally:
        del papers.FILES["contract_z.md"]
    first = say("clause 1 of contract Z")
    assert "Paragraph 1 of" in first
    assert "more paragraphs; ask for “the rest” to see them.)" in first
    rest = say("the rest")
    assert "Paragraph 14 of" in rest
    assert all((f"Paragraph {number} of" in first) != (f"Paragraph {number} of" in rest) for number in range(1, 15))


@pytest.mark.requirement("AS-OF", "CLAUSES-ASKED")
def test_the_caller_s_times_choose_the_version(say: Say, resources: Resources, shelf: None):
    then = resources.clock().replace(year=2024)
    assert PAYMENT_A_OLD in say("clause 5 of contract A", as_of=then)
    assert PAYMENT_A in say("clause 5 of contract A in 2025", as_of=then)
