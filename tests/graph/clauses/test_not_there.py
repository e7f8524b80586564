"""What is not there or not clear is said; follow-ups keep what they do not change; other questions stay what they are."""

from collections.abc import Callable

import pytest

from tests.graph import papers
from tests.graph.papers import PAYMENT_A, PAYMENT_A_OLD, PAYMENT_B, RENT
from veridical.graph.guard import VeridicalGraph
from veridical.nodes.contract import Context, Resources

Say = Callable[..., str]


@pytest.mark.requirement("CLAUSES-MISSING")
@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Is there a clause 17 in contract A?",
            "Service Contract A has no clause 17; next to it there are: 7 Confidentiality, 8 Termination.",
        ),
        (
            "clause 3 of contract A",
            "Service Contract A has no clause 3; next to it there are: 1 Definitions, 2 Term, 5 Payment",
        ),
        ("租赁合同第九条", "房屋租赁合同没有第九条；与它相邻的是：第四条"),
        (
            "公共图书馆条例2012年版第六条",
            "公共图书馆条例没有第六条；与它相邻的是：第四条、第五条。有这一条的版本是：2021-06-01。",
        ),
        (
            "What did clause 5 of contract A say in 1995?",
            "I have no version of Service Contract A for “in 1995”; there are: v1.0",
        ),
        ("1995年的公共图书馆条例第一条", "公共图书馆条例没有“1995年”对应的版本；有的是：2012-03-01"),
        ("clause 5 of contract D", "I have no document “contract D”; I have: Service Contract A, Service Contract B"),
        ("公司法第三条", "资料里没有“公司法”；有的是：公共图书馆条例。"),
        (
            "What does clause 5 of the contract say?",
            "Which document do you mean: Service Contract A, Service Contract B",
        ),
        ("这份合同第五条怎么说", "您指的是哪一份：Service Contract A"),
        ("第五条怎么规定的", "您指的是哪一份："),
        (
            "What does contract A say about insurance?",
            "I found no clause of Service Contract A that is about “insurance”; its clauses are: 1 Definitions, 2 Term",
        ),
        ("公共图书馆条例关于宠物是怎么规定的", "公共图书馆条例里没有找到关于“宠物”的条款；各条是：第一条、第二条"),
    ],
)
def test_what_is_not_there_or_not_clear_is_said_in_one_sentence(
    graph: VeridicalGraph, shelf: None, question: str, said: str
):
    result = graph.invoke({"messages": [("user", question)]}, context=Context(user_id="ann", session_id="s"))
    assert result["answer"].text.startswith(said)
    assert result["answer"].abstained
    assert result["answer"].citations == ()
    assert "\n" not in result["answer"].text


@pytest.mark.requirement("CLAUSES-MISSING", "CLAUSES-QUOTED")
def test_of_several_clauses_those_that_are_there_are_quoted_and_the_others_named(say: Say, shelf: None):
    answer = say("clauses 5 and 17 of contract A")
    assert PAYMENT_A in answer
    assert "Not there: clause 17" in answer
    answer = say("Compare clause 3 of contract A and the lease")
    assert RENT in answer
    assert "Not there: clause 3; next to it there are: 1 Definitions, 2 Term" in answer


@pytest.mark.requirement("CLAUSES-FOLLOW-UPS")
def test_a_conversation_keeps_document_and_version_until_others_are_named(say: Say, shelf: None):
    assert PAYMENT_A_OLD in say("What did clause 5 of contract A say in 2024?")
    assert "[SERVICE_CONTRACT_A_v1.0] CONTRACT_LIABILITY_6 " in say("and clause 6?")
    assert "[SERVICE_CONTRACT_A_v2.1] CONTRACT_LIABILITY_6 " in say("and now?")
    assert "[SERVICE_CONTRACT_B_v1.0] CONTRACT_LIABILITY_6 " in say("what about contract B?")
    assert "第三条 公共图书馆应当建立数字资源库。" in say("公共图书馆条例第三条")
    assert "第四条 公共图书馆每周开放时间不得少于56小时。" in say("那第四条呢")
    assert "第四条 公共图书馆应当设置少年儿童阅览区域。" in say("旧版呢")


@pytest.mark.requirement("CLAUSES-FOLLOW-UPS", "CLAUSES-MISSING")
def test_the_answer_to_which_document_answers_the_question(say: Say, shelf: None):
    assert say("What does clause 5 of the contract say?").startswith("Which document")
    assert PAYMENT_B in say("contract B")
    assert say("这份合同第三条怎么说", session="s2").startswith("您指的是哪一份")
    assert RENT in say("租赁合同", session="s2")


@pytest.mark.requirement("CLAUSES-FOLLOW-UPS")
def test_another_conversation_knows_nothing_of_what_was_spoken_of(say: Say, shelf: None):
    say("clause 5 of contract A")
    assert say("and clause 6?", session="s2").startswith(("Which document", "I can't confirm"))
    assert "LIABILITY_6" in say("and clause 6?")


@pytest.mark.requirement("CLAUSES-NOT-ASKED")
@pytest.mark.parametrize(
    "question",
    ["What did Anna say about clause 5 of contract A?", "What did I say about contract A?", "我之前说过A合同第5条什么"],
)
def test_what_was_said_about_a_clause_is_no_question_for_a_document(say: Say, shelf: None, question: str):
    say("Anna thinks that clause 5 of contract A is too expensive.")
    assert "[c" not in say(question)


@pytest.mark.requirement("CLAUSES-NOT-ASKED")
@pytest.mark.parametrize(
    ("told", "question", "quoted"),
    [
        ("My budget is 48,500 dollars.", "What is my budget?", "48,500"),
        ("我的预算是五万元。", "我的预算是多少", "五万"),
        ("Todo list: call Bob, send the minutes, and buy milk.", "What did I say about the minutes?", "minutes"),
    ],
)
def test_other_questions_are_answered_as_if_there_were_no_clauses(
    say: Say, shelf: None, told: str, question: str, quoted: str
):
    say(told)
    assert quoted in say(question)


@pytest.mark.requirement("CLAUSES-NOT-ASKED")
@pytest.mark.parametrize("question", ["clause 5 of contract A", "看A合同第5条", "第五条怎么规定的"])
def test_without_documents_nothing_is_read_as_a_clause(say: Say, resources: Resources, question: str):
    say(question)
    assert "clauses" not in resources.memory.answer("ann").get("filter", {})


@pytest.mark.requirement("CLAUSES-APART", "P6", "C32")
def test_one_user_s_documents_are_nobody_else_s(say: Say, resources: Resources):
    papers.add(resources, "contract_a_v2.1.md", user="ann")
    papers.add(resources, "contract_b.md", user="ben")
    assert PAYMENT_B in say("clause 5 of contract B", user="ben", session="ben")
    told = say("clause 5 of contract A", user="ben", session="ben")
    assert "Service Contract A" not in told
    assert "4,200" not in told
    assert PAYMENT_A in say("clause 5 of the contract", user="ann")


@pytest.mark.requirement("CLAUSES-NOT-ASKED")
@pytest.mark.parametrize(
    "question", ["公共图书馆条例关于退货是怎么规定的", "What does contract A say about cancelling an order?"]
)
def test_what_a_document_says_of_an_errand_is_no_wish(say: Say, resources: Resources, shelf: None, question: str):
    say(question)
    assert not resources.memory.answer("ann").get("intents")
