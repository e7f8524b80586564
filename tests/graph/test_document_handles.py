"""Documents have one handle each, by mark or by mention, over a long talk in which their pages and fields collide."""

from collections.abc import Callable

import pytest

from tests.graph import papers
from veridical.memory.forgetting import What, forget
from veridical.nodes.contract import Resources

Say = Callable[..., str]

TOLD = {
    "en": (
        "I sent you a PDF: [DOC_ID:AK-204]. On page 3 its total is 4,200 euros.",
        "This is contract B [DOC_ID:BK-310]. On page 3 its total is 9,900 euros.",
        "I have uploaded lease_2025.pdf. On page 3 the total of lease_2025.pdf is 1,500 euros.",
    ),
    "zh": (
        "我先发你一份PDF：[DOC_ID:AK-204]，第3页的总金额是12万元。",
        "这是合同乙 [DOC_ID:BK-310]，第3页的总金额是21万元。",
        "刚上传了 租约2025.pdf，租约2025.pdf第3页的总金额是9万元。",
    ),
}
TOTALS = {"en": ("4,200", "9,900", "1,500"), "zh": ("12万", "21万", "9万元")}
ASKED = {
    "en": (
        ("What is the total on page 3 of the PDF I sent first?", 0),
        ("What is the total on page 3 of the last PDF I sent you?", 2),
        ("What is the total of document B?", 1),
        ("What is the total of contract B?", 1),
        ("What is the total of [DOC_ID:BK-310]?", 1),
        ("What is the total of [DOC_ID:AK-204]?", 0),
        ("What is the total of document C?", None),
    ),
    "zh": (
        ("我最先发的那份PDF第3页的总金额是多少？", 0),
        ("最后发的那份PDF的总金额是多少？", 2),
        ("文件乙的总金额是多少？", 1),
        ("合同乙的总金额是多少？", 1),
        ("[DOC_ID:BK-310]的总金额是多少？", 1),
        ("[DOC_ID:AK-204]的总金额是多少？", 0),
        ("文件丙的总金额是多少？", None),
    ),
}
SPOKEN_OF = {
    "en": ("Let me look at {} again.", "What is the total of the document we talked about just now?"),
    "zh": ("再看一下{}。", "刚才那份文件的总金额是多少？"),
}
NAMES = {"en": ("[DOC_ID:AK-204]", "contract B", "lease_2025.pdf"), "zh": ("[DOC_ID:AK-204]", "合同乙", "租约2025.pdf")}
FILLER = {"en": "The weather station reported {} degrees at gate {}.", "zh": "气象站在{}号门测得{}度。"}


@pytest.mark.requirement("DOCUMENT-HANDLES", "C46")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_marks_and_mentions_mean_the_same_documents_over_127_turns(say: Say, resources: Resources, language: str):
    for text in TOLD[language]:
        say(text)
    before = [(one.handle, one.kind) for one in resources.memory.state("ann").documents]
    assert before == [("AK-204", "pdf"), ("BK-310", "contract"), (NAMES[language][2], "pdf")]
    said = len(TOLD[language])
    for place, point in enumerate((8, 60, 128)):
        for number in range(said, point):
            say(FILLER[language].format(number % 7, number + 3))
        said = max(said, point)
        for question, right in ASKED[language]:
            answer = say(question, record=False)
            told = {index for index, total in enumerate(TOTALS[language]) if total in answer}
            assert told == (set() if right is None else {right}), (point, question, answer)
        look, asked = SPOKEN_OF[language]
        say(look.format(NAMES[language][place]))
        answer = say(asked, record=False)
        assert {index for index, total in enumerate(TOTALS[language]) if total in answer} == {place}, (asked, answer)
    after = resources.memory.state("ann").documents
    assert [(one.handle, one.kind) for one in after] == before
    assert after[1].names == ("BK-310", NAMES[language][1])


@pytest.mark.requirement("DOCUMENT-HANDLES", "CLAUSES-ASKED")
@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("I sent you a PDF: contract_b.md.", "What does clause 5 of the document I sent first say?"),
        ("Here is contract B [DOC_ID:BK-310].", "clause 5 of [DOC_ID:BK-310]"),
        ("Here is contract B [DOC_ID:BK-310].", "What does clause 5 of document B say?"),
        ("这是合同B [DOC_ID:BK-310]。", "刚才那份合同第五条怎么说"),
        ("这是合同B [DOC_ID:BK-310]。", "[DOC_ID:BK-310]第五条"),
    ],
)
def test_a_mention_leads_to_the_document_of_the_knowledge_base(
    say: Say, resources: Resources, told: str, question: str
):
    papers.add(resources, "contract_a_v2.1.md", "contract_b.md")
    say(told)
    (spoken,) = resources.memory.state("ann").documents
    assert spoken.document == "SERVICE_CONTRACT_B"
    answer = say(question)
    assert "[SERVICE_CONTRACT_B_v1.0] CONTRACT_PAYMENT_5 (payment_term): " in answer
    assert "9,900" in answer


@pytest.mark.requirement("DOCUMENT-HANDLES", "P6")
def test_handles_are_each_user_s_own(say: Say, resources: Resources):
    say("Here is contract B [DOC_ID:BK-310].")
    say("Here is contract B [DOC_ID:ZZ-999].", user="ben", session="ben")
    assert [one.handle for one in resources.memory.state("ann").documents] == ["BK-310"]
    assert [one.handle for one in resources.memory.state("ben").documents] == ["ZZ-999"]


@pytest.mark.requirement("DOCUMENT-HANDLES")
def test_a_question_makes_no_document_and_small_talk_names_none(say: Say, resources: Resources):
    say("What is the total of contract Q?")
    say("The weather is nice today.")
    assert resources.memory.state("ann").documents == ()


@pytest.mark.requirement("DOCUMENT-HANDLES", "P8")
def test_a_forgotten_mention_leaves_no_name_and_what_others_said_stays(say: Say, resources: Resources):
    say("Here is contract B [DOC_ID:BK-310].")
    say("This is contract Q [DOC_ID:ZZ-777].")
    forgotten = forget(resources.memory, None, "ann", What("value", ("ZZ-777",)), now=resources.clock())
    assert forgotten.clean
    (left,) = resources.memory.state("ann").documents
    assert (left.handle, left.names) == ("BK-310", ("BK-310", "contract B"))
