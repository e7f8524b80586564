"""The pages: the chain of an answer, the working memory, what a recall found."""

import io
from datetime import UTC
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType

from veridical.cli.contract import ask_json, recall_json
from veridical.cli.rendering.recall import recall_page
from veridical.cli.rendering.state import state_page, todos_page
from veridical.cli.rendering.why import why_tree

from .trace import trace


def shown(page: RenderableType, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False, force_terminal=False)
    console.print(page)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


@pytest.mark.requirement("WHY-CHAIN")
def test_the_chain_leads_from_the_question_to_the_quotation_in_order() -> None:
    page = shown(why_tree(trace(), UTC))
    steps = [
        "What is the final budget of Apollo?",
        "final budget apollo",
        "Kept (1)",
        "exact lexical",
        "Dropped (24)",
        "identity",
        "relevance",
        "Sentences chosen (1)",
        "Answer",
        "supported",
        "“The final budget of Apollo is 48,500 dollars.”",
        "t1 · user · 2026-03-01 10:11 · user_input · D1:3",
    ]
    places = [page.find(step) for step in steps[:-2]] + [page.rfind(step) for step in steps[-2:]]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.requirement("WHY-CHAIN", "DROPPED-BY-RULE")
def test_what_was_dropped_is_grouped_by_its_rule() -> None:
    page = shown(why_tree(trace(), UTC))
    assert "identity (1)" in page
    assert "relevance (23)" in page
    assert "and 11 more" in page


@pytest.mark.requirement("WHY-CHAIN")
def test_no_line_is_wider_than_the_terminal() -> None:
    long = trace(question="很长的问题" * 40, text="a" * 300)
    assert max(cell_len(line) for line in shown(why_tree(long, UTC)).splitlines()) <= 80


@pytest.mark.requirement("WHY-CHAIN")
def test_an_answer_that_declines_says_so() -> None:
    declined = trace(abstained=True, text="I can't confirm that.", claims=[], citations=[], evidence=[], results=[])
    page = shown(why_tree(declined, UTC))
    assert "declined" in page
    assert "Kept (0)" in page


@pytest.mark.requirement("WHY-CHAIN")
def test_an_answer_that_recalled_nothing_has_a_chain_too() -> None:
    page = shown(why_tree(trace(queries=[], results=[], dropped=[], evidence=[], claims=[], citations=[]), UTC))
    assert "nothing to recall" in page


@pytest.mark.requirement("PRINT-PLAIN", "WHY-CHAIN")
def test_what_a_memory_says_cannot_restyle_the_page() -> None:
    hostile = "[bold]x[/bold] [/b]\x1b[2J [t99]"
    page = shown(why_tree(trace(question=hostile, text=hostile, queries=[hostile]), UTC))
    assert "\x1b" not in page
    assert page.count("[bold]x[/bold] [/b] [t99]") == 3


def test_times_are_shown_in_the_zone_of_the_reader() -> None:
    assert "2026-03-01 18:11" in shown(why_tree(trace(), ZoneInfo("Asia/Shanghai")))


STATE = {
    "schema_version": 1,
    "version": 4,
    "last_updated": "2026-03-01T10:11:00Z",
    "topic": "apollo",
    "anchors": [{"key": "DOC_ID", "value": "ABC123", "turn_id": "t2"}],
    "current_facts": [
        {
            "id": "f1",
            "entity": "apollo",
            "attribute": "final_budget",
            "value": "48,500 dollars",
            "polarity": "positive",
            "since": "2026-03-01T10:11:00Z",
            "turn_id": "t1",
        },
        {
            "id": "f2",
            "entity": "user",
            "attribute": "likes",
            "value": "香菜",
            "polarity": "negative",
            "since": "2026-03-01T10:11:00Z",
            "turn_id": "t2",
        },
    ],
    "agreements": [
        {
            "id": "f9",
            "proposal": "Shall we ship by SF?",
            "proposal_turn_id": "t8",
            "text": "Yes, agreed",
            "since": "2026-03-01T10:12:00Z",
            "turn_id": "t9",
        }
    ],
    "open_todos": [{"id": "f3", "text": "call the client", "due_at": "2026-03-02T15:00:00Z", "turn_id": "t2"}],
    "open_questions": [],
    "conflicts": [{"preferred": "f1", "other": "f0", "rule": "recency"}],
}


@pytest.mark.requirement("STATE")
def test_the_working_memory_shows_what_holds_and_what_is_open() -> None:
    page = shown(state_page(STATE, "ada", UTC))
    for words in (
        "version 4",
        "apollo",
        "apollo final budget",
        "Shall we ship by SF?",
        "Yes, agreed",
        "48,500 dollars",
        "not 香菜",
        "due 2026-03-02 15:00",
        "DOC_ID",
        "f0",
    ):
        assert words in page
    assert "Open questions" not in page


@pytest.mark.requirement("STATE")
def test_the_working_memory_speaks_the_language_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    hedged = [{**fact, "hedge": "possible"} for fact in STATE["current_facts"]]
    page = shown(state_page(STATE | {"current_facts": hedged}, "ada", UTC, {"apollo": "Apollo"}))
    for words in (
        "ada 的记忆",
        "第 4 版",
        "正在谈论",
        "事实",
        "Apollo",
        "可能：48,500 dollars",
        "可能：不是 香菜",
        "您 喜好",
    ):
        assert words in page
    assert "apollo" not in page
    assert "Facts" not in page
    assert "没有未完成的待办" in shown(todos_page([], UTC))


@pytest.mark.requirement("STATE")
def test_an_empty_memory_says_so() -> None:
    empty = (
        STATE
        | {key: [] for key in ("anchors", "current_facts", "agreements", "open_todos", "conflicts")}
        | {"last_updated": None, "topic": None}
    )
    assert "nothing recorded yet" in shown(state_page(empty, "ada", UTC))
    assert "No open todos" in shown(todos_page([], UTC))


@pytest.mark.requirement("CLI-RECALL-JSON")
def test_the_json_of_a_recall_has_exactly_the_agreed_names() -> None:
    document = recall_json(trace())
    assert list(document) == ["queries", "filter", "results", "dropped", "timings_ms"]
    names = ["id", "kind", "turn_id", "external_id", "source", "speaker", "observed_at", "text", "score", "channels"]
    assert list(document["results"][0]) == names
    assert document["dropped"][0] == {"id": "t8", "rule": "identity"}


@pytest.mark.requirement("CLI-ASK-JSON")
def test_the_json_of_an_answer_has_exactly_the_agreed_names() -> None:
    document = ask_json(trace())
    names = [
        "answer_id",
        "text",
        "abstained",
        "mode",
        "claims",
        "citations",
        "prompts",
        "model_calls",
        "tokens",
        "timings_ms",
    ]
    assert list(document) == names
    assert list(document["claims"][0]) == ["text", "verdict", "evidence"]
    assert list(document["citations"][0]) == ["id", "turn_id", "external_id", "quote"]
    assert list(document["prompts"][0]) == ["name", "version", "sha256"]


def test_a_recall_without_results_says_so() -> None:
    assert "Nothing in the records" in shown(recall_page(trace(results=[]), UTC))
