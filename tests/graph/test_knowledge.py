"""The knowledge base in a conversation: quoted beside the memory, never instead of it, and replaceable."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from veridical.graph.build import build_graph
from veridical.graph.recall import recall
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.language.folding import detect_language
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.records import Answer
from veridical.nodes.contract import Context, Resources

from ..fakes import ScriptedModel

PRICES = "# Plans\n\n| Plan | Price |\n|---|---|\n| Basic plan | 1,200 dollars |\n| Premium plan | 4,200 dollars |\n"
STAFF = "# Leave\n\nEmployees get 28 vacation days per year.\n\n# About\n\nMy name is Max. My favorite color is red.\n"
手册 = "# 保修\n\n本产品的保修期为两年。\n\n# 价格\n\n高级版的价格是4200元。\n\n# 休假\n\n员工每年有15天年假。\n"
Say = Callable[..., str]


@pytest.fixture
def documents(resources: Resources) -> None:
    """A price list, a staff handbook and a Chinese manual of Ann's."""
    for name, text in (("price-list.md", PRICES), ("staff.md", STAFF), ("手册.md", 手册)):
        read = ReadDocument(name, "text/markdown", text, detect_language(text))
        resources.memory.knowledge.add("ann", read, now=resources.clock())
    resources.memory.knowledge.embed("ann")


@pytest.mark.requirement("KNOWLEDGE-ANSWERS", "KNOWLEDGE-CHUNK-QUOTES")
@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What does the premium plan cost?", "“Premium plan | 4,200 dollars” [c1: price-list.md v1]"),
        ("How many vacation days do employees get?", "“Employees get 28 vacation days per year.” [c2: staff.md v1]"),
        ("How many vacation days do I get?", "“Employees get 28 vacation days per year.” [c2: staff.md v1]"),
        ("保修期多久？", "“本产品的保修期为两年。” [c4: 手册.md v1]"),
        ("高级版多少钱？", "“高级版的价格是4200元。” [c5: 手册.md v1]"),
        ("我能休几天年假？", "“员工每年有15天年假。” [c6: 手册.md v1]"),
    ],
)
def test_a_question_about_the_world_is_answered_by_a_quotation(say: Say, documents: None, question: str, quoted: str):
    assert say(question).endswith(quoted)


@pytest.mark.requirement("KNOWLEDGE-PERSONAL", "P4")
@pytest.mark.parametrize(
    "question",
    ["What is my name?", "What is my favorite color?", "What did I say about the premium plan?", "我叫什么名字？"],
)
def test_a_personal_question_is_not_answered_from_a_document(
    say: Say, resources: Resources, documents: None, question: str
):
    assert "[c" not in say(question, session="s2")
    found = recall(resources, question, Context(user_id="ann"))
    assert "chunk" not in {result["kind"] for result in found["results"]}
    assert {drop["rule"] for drop in found["dropped"] if drop["id"].startswith("c")} <= {"attribution"}


@pytest.mark.requirement("KNOWLEDGE-PERSONAL")
def test_what_the_user_said_of_themself_stands_against_a_document(say: Say, documents: None):
    assert "c" not in say("My favorite color is green.").partition("[")[2].partition("]")[0]
    assert say("What is my favorite color?").startswith("green\n")


@pytest.mark.requirement("KNOWLEDGE-CROSS-CHECK")
def test_a_note_says_what_the_document_has_instead(say: Say, documents: None):
    noted = say("The premium plan costs 5,000 dollars.")
    assert noted == (
        "Noted: premium plan price = 5,000 dollars [t1] (the documents say 4,200 dollars [c1: price-list.md v1])"
    )
    assert say("高级版的价格是五千元。").endswith("（资料写的是 4200元 [c5: 手册.md v1]）")


@pytest.mark.requirement("KNOWLEDGE-CROSS-CHECK")
def test_an_answer_shows_both_sides_of_a_conflict_and_settles_nothing(say: Say, documents: None):
    say("The premium plan costs 5,000 dollars.")
    told = say("What does the premium plan cost?")
    assert told.splitlines()[0].endswith("you said: “The premium plan costs 5,000 dollars.” [t1]")
    assert told.splitlines()[1] == "The documents say: “Premium plan | 4,200 dollars” [c1: price-list.md v1]"


@pytest.mark.requirement("KNOWLEDGE-ANSWERS", "CLI-RECALL-JSON")
def test_chunks_have_places_of_their_own_among_the_results(say: Say, resources: Resources, documents: None):
    for number in range(12):
        say(f"The premium plan was discussed in meeting {number}.")
    found = recall(resources, "What does the premium plan cost?", Context(user_id="ann", limit=6))
    kinds = [result["kind"] for result in found["results"]]
    assert len(kinds) == 6
    assert 0 < kinds.count("chunk") <= 3
    chunk = next(result for result in found["results"] if result["kind"] == "chunk")
    assert (chunk["id"], chunk["turn_id"], chunk["source"]) == ("c1", "c1", "external_knowledge")
    assert chunk["external_id"] == "price-list.md v1"


@pytest.mark.requirement("KNOWLEDGE-ANSWERS", "P4")
def test_a_model_may_quote_a_chunk_and_invent_nothing_about_it(resources: Resources, documents: None):
    script = [
        '{"queries": []}',
        "The premium plan costs 4,200 dollars [c1]. The basic plan costs 9,999 dollars [c1].",
        "NONE",
    ]
    client = Model(ScriptedModel(script=script), "scripted", timeout=5, wait=lambda _: None)
    graph = build_graph(replace(resources, models=Models(answer=client, rewrite=client)))
    asked = {"messages": [("user", "What does the premium plan cost?")]}
    answer: Answer = graph.invoke(asked, context=Context(user_id="ann"))["answer"]
    assert "4,200" in answer.text
    assert "9,999" not in answer.text
    assert {cited.turn_id for cited in answer.citations} == {"c1"}


class Shelf(BaseRetriever):
    """Finds the documents that share a word with the question, or fails."""

    documents: list[Document]
    fails: bool = False
    asked: list[str] = Field(default_factory=list)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        if self.fails:
            raise RuntimeError(query)
        words = set(query.casefold().strip("?？").split())
        return [one for one in self.documents if words & set(one.page_content.casefold().split())]


SHELF = [
    Document("The warranty of the Nimbus lamp lasts 24 months.", id="policy-17"),
    Document("The Nimbus lamp weighs 3 kilograms.", metadata={"source": "specs.pdf"}),
    Document("My name is Max.", id="letter-1"),
]


@pytest.mark.requirement("KNOWLEDGE-RETRIEVER")
def test_a_retriever_takes_the_place_of_the_documents(resources: Resources, documents: None):
    shelved = replace(resources, retriever=Shelf(documents=SHELF))
    graph, context = build_graph(shelved), Context(user_id="ann", session_id="s1")

    def ask(text: str) -> str:
        return graph.invoke({"messages": [("user", text)]}, context=context)["messages"][-1].text

    told = ask("How long does the warranty of the Nimbus lamp last?")
    assert "“The warranty of the Nimbus lamp lasts 24 months.”" in told
    assert "policy-17" in told
    assert "[c" not in ask("What does the premium plan cost?")
    assert "[c" not in ask("What is my name?")
    found = recall(shelved, "How heavy is the Nimbus lamp?", context)
    named = {result["speaker"] for result in found["results"] if result["kind"] == "chunk"}
    assert "policy-17" in named
    assert any(name.startswith("specs.pdf #") for name in named)
    assert {tuple(r["channels"]) for r in found["results"] if r["kind"] == "chunk"} == {("retriever",)}
    assert ask("How long does the warranty of the Nimbus lamp last?") == told


@pytest.mark.requirement("KNOWLEDGE-RETRIEVER", "P3")
def test_a_retriever_that_fails_loses_no_turn(resources: Resources, caplog: pytest.LogCaptureFixture):
    graph = build_graph(replace(resources, retriever=Shelf(documents=[], fails=True)))
    context = Context(user_id="ann", session_id="s1")
    graph.invoke({"messages": [("user", "The budget of Apollo is 48,500 dollars.")]}, context=context)
    asked = graph.invoke({"messages": [("user", "What is the budget of Apollo?")]}, context=context)
    assert "48,500 dollars" in asked["messages"][-1].text
    assert "RuntimeError" in caplog.text
    assert "Apollo" not in caplog.text


POLICY = """# Return policy

To return a device, first open a ticket in the portal. Then print the label. Finally hand it to the courier.

Returns are refused if the seal is broken, because hygiene rules apply.

# Opening hours

The shop opens at 9:00 and closes at 18:30. On Sundays it is closed.
"""


@pytest.mark.requirement("KNOWLEDGE-ANSWERS")
@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("How do I return a device?", "Then print the label. Finally hand it to the courier."),
        ("Why are returns refused?", "“Returns are refused if the seal is broken, because hygiene rules apply.”"),
        ("Can I return a device with a broken seal?", "“Returns are refused if the seal is broken"),
        ("When does the shop close on Sundays?", "On Sundays it is closed.”"),
    ],
)
def test_a_document_is_quoted_with_its_steps_conditions_and_exceptions(
    say: Say, resources: Resources, question: str, quoted: str
):
    read = ReadDocument("policy.md", "text/markdown", POLICY, "en")
    resources.memory.knowledge.add("ann", read, now=resources.clock())
    assert quoted in say(question)


MANUAL = (
    "# Washer WX-200\n\n## Warranty\n\nThe warranty of the WX-200 is 24 months.\n\n## Cleaning\n\n"
    "Clean the filter once a month with warm water.\n\n## Delivery\n\nDelivery costs 15 euros.\n"
)
说明书 = "# 空气净化器\n\n## 保修\n\n保修期为24个月。\n\n## 滤网\n\n滤网每三个月更换一次。\n\n## 运费\n\n运费为15元。\n"


@pytest.mark.requirement("KNOWLEDGE-ANSWERS")
@pytest.mark.parametrize(
    ("name", "text", "question", "quoted"),
    [
        ("manual.md", MANUAL, "WX-200的保修期是多久？", "24 months"),
        ("manual.md", MANUAL, "滤网多久清洗一次？", "once a month"),
        ("manual.md", MANUAL, "运费是多少？", "15 euros"),
        ("manual.md", MANUAL, "电池容量是多少？", ""),
        ("说明书.md", 说明书, "How long is the warranty?", "24个月"),
        ("说明书.md", 说明书, "How often should the filter be replaced?", "每三个月"),
        ("说明书.md", 说明书, "What is the capacity of the battery?", ""),
    ],
)
def test_a_document_in_the_other_language_is_found_and_quoted_as_it_stands(
    say: Say, resources: Resources, name: str, text: str, question: str, quoted: str
) -> None:
    read = ReadDocument(name, "text/markdown", text, detect_language(text))
    resources.memory.knowledge.add("ann", read, now=resources.clock())
    resources.memory.knowledge.embed("ann")
    answer = say(question)
    assert quoted in answer
    assert (name in answer) == bool(quoted)
