"""Clauses asked for in a conversation: exactly those, quoted whole, in their version, or said what there is instead."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.graph import papers
from tests.graph.conftest import Clock
from veridical.graph.build import build_graph
from veridical.graph.guard import VeridicalGraph
from veridical.graph.recall import recall
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

from ..fakes import ScriptedModel

Say = Callable[..., str]


@pytest.fixture(scope="module")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with all the papers, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("shelved") / "data"
    with Memory(folder, open_embedder("hashing:256")) as memory:
        papers.add(Resources(memory=memory, clock=Clock(datetime(2026, 3, 1, tzinfo=UTC)), time_zone="UTC"))
    return folder


@pytest.fixture
def shelf(resources: Resources) -> None:
    """Says that the papers are there: ``resources`` opens a copy of them."""


@pytest.fixture
def resources(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Resources]:
    if "shelf" in request.fixturenames:
        shutil.copytree(request.getfixturevalue("shelved"), tmp_path / "data")
    with Memory(tmp_path / "data", open_embedder("hashing:256")) as memory:
        yield Resources(memory=memory, clock=clock, time_zone="UTC")


def clause(text: str, start: str, end: str) -> str:
    """The words of a clause in the text of its document."""
    body = text[text.index(start) :]
    return body[: body.index(end)].strip("# \n") if end else body.strip()


PAYMENT_A = clause(papers.A_NEW, "5. Payment", "\n## 6")
PAYMENT_A_OLD = clause(papers.A_OLD, "5. Payment", "\n## 6")
PAYMENT_B = clause(papers.B, "5. Payment", "\n## 6")
RENT = clause(papers.LEASE, "第三条", "第四条")


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


@pytest.mark.requirement("AS-OF", "CLAUSES-ASKED")
def test_the_caller_s_times_choose_the_version(say: Say, resources: Resources, shelf: None):
    then = resources.clock().replace(year=2024)
    assert PAYMENT_A_OLD in say("clause 5 of contract A", as_of=then)
    assert PAYMENT_A in say("clause 5 of contract A in 2025", as_of=then)


@pytest.mark.requirement("CLAUSES-TRACE", "CLI-RECALL-JSON")
def test_condition_results_and_rules_are_in_the_recall(resources: Resources, shelf: None):
    found = recall(resources, "clause 5 of contract A", Context(user_id="ann"))
    condition = found["filter"]["clauses"]
    assert (condition["wants"], condition["keys"]) == ("text", ["SERVICE_CONTRACT_A"])
    assert condition["numbers"] == [{"number": "5", "parts": [5], "inserted": 0, "said": "clause 5"}]
    assert [result["channels"] for result in found["results"]] == [{"clause": 1.0}]
    rules = {drop["rule"] for drop in found["dropped"]}
    assert {"identity", "validity"} <= rules <= {"identity", "validity", "number"}
    assert json.loads(json.dumps(found))["filter"]["clauses"] == condition


@pytest.mark.requirement("CLAUSES-TRACE", "WHY-CHAIN")
def test_condition_and_rules_are_in_the_stored_trace_and_in_the_stream(
    graph: VeridicalGraph, resources: Resources, shelf: None
):
    asked = {"messages": [("user", "clause 5 of contract A in 2024")]}
    context = Context(user_id="ann", session_id="s")
    parts = list(graph.stream(asked, context=context, stream_mode=["updates", "custom"]))
    calibrated = next(data["calibrate"] for mode, data in parts if mode == "updates" and "calibrate" in data)
    event = next(data for mode, data in parts if mode == "custom" and data["type"] == "calibration")
    trace = resources.memory.answer("ann")
    assert event["clauses"] == trace["filter"]["clauses"]
    assert event["clauses"]["versions"][0]["said"] == "in 2024"
    assert event["kept"] == [result["id"] for result in trace["results"]] == [one.id for one in calibrated["kept"]]
    assert event["dropped"] == [{"id": one["id"], "rule": one["rule"]} for one in trace["dropped"]]
    assert {one.rule for one in calibrated["dropped"]} >= {"validity", "identity"}


def with_model(resources: Resources, *script: str) -> tuple[VeridicalGraph, ScriptedModel]:
    fake = ScriptedModel(script=list(script))
    client = Model(fake, "scripted", timeout=5, wait=lambda _: None)
    return build_graph(replace(resources, models=Models(answer=client, rewrite=client))), fake


@pytest.mark.requirement("CLAUSES-QUOTED", "P4")
@pytest.mark.parametrize(
    ("question", "draft", "released"),
    [
        (
            "Does clause 8 of contract A allow termination with 30 days' notice?",
            "Under clause 8.1 of contract A either party may terminate with 90 days' notice [{id}].",
            True,
        ),
        (
            "Does clause 8 of contract A allow termination with 30 days' notice?",
            "Under clause 8.1 of contract A either party may terminate with 30 days' notice [{id}].",
            False,
        ),
        (
            "Does clause 8 of contract A allow termination with 30 days' notice?",
            "Clause 9.1 says that either party may terminate with 90 days' notice [{id}].",
            False,
        ),
        (
            "Does clause 8 of contract A allow termination with 30 days' notice?",
            "Under contract C either party may terminate with 90 days' notice [{id}].",
            False,
        ),
        ("租赁合同第三条规定押金多少", "根据租赁合同第三条，押金为13000元 [{id}]。", True),
        ("租赁合同第三条规定押金多少", "根据租赁合同第三条，押金为12000元 [{id}]。", False),
    ],
)
def test_a_model_sees_clauses_in_readable_form_and_is_held_to_them(
    resources: Resources, shelf: None, question: str, draft: str, released: bool
):
    found = recall(resources, question, Context(user_id="ann"))["results"][0]["id"]
    said = draft.format(id=found)
    graph, fake = with_model(resources, said, "NONE")
    answer = graph.invoke({"messages": [("user", question)]}, context=Context(user_id="ann"))["answer"]
    assert (answer.text == said) == released
    assert answer.mode == ("model" if released else "floor")
    asked = fake.calls[0][-1].text
    line = next(line for line in asked.splitlines() if line.startswith("- ["))
    assert line.startswith(
        ("- [SERVICE_CONTRACT_A_v2.1] CONTRACT_TERMINATION_8 (termination_clause): ", "- [房屋租赁合同_")
    )
    assert f"[{found}]" in line


@pytest.mark.requirement("CLAUSES-NOT-ASKED")
@pytest.mark.parametrize(
    "question", ["公共图书馆条例关于退货是怎么规定的", "What does contract A say about cancelling an order?"]
)
def test_what_a_document_says_of_an_errand_is_no_wish(say: Say, resources: Resources, shelf: None, question: str):
    say(question)
    assert not resources.memory.answer("ann").get("intents")


@pytest.mark.requirement("CLAUSES-QUOTED")
def test_who_asks_for_nothing_but_the_clause_gets_its_wording_and_no_draft(resources: Resources, shelf: None):
    graph, fake = with_model(resources)
    answer = graph.invoke({"messages": [("user", "clause 5 of contract A")]}, context=Context(user_id="ann"))["answer"]
    assert PAYMENT_A in answer.text
    assert answer.mode == "floor"
    assert fake.calls == []
