"""A question for an overview recalls summaries, and is answered by the turns behind them; no other question does."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from sqlalchemy import delete, select, text, update

from tests.fakes import ScriptedModel
from veridical.graph import Context, Resources, build_graph
from veridical.graph.recall import recall
from veridical.memory.bundles import export_bundle, import_bundle
from veridical.memory.doctor import examine, repair
from veridical.memory.forgetting import What, forget
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.records import reference_number
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.retrieval.namespaces import SUMMARIES
from veridical.memory.retrieval.reindexing import reindex
from veridical.memory.storage.tables import summaries, summary_texts, summary_vectors
from veridical.memory.store import Memory

from .conftest import Clock

pytestmark = pytest.mark.requirement("SUMMARY-RECALL")

Say = Callable[..., str]
FIRST = (
    "The budget of Apollo is 48,500 dollars.",
    "We decided on the blue logo.",
    "My sister Nora plays the violin.",
    "Thanks, bye!",
)
SECOND = ("我下个月要去北京出差。", "我们决定用MySQL做数据库。", "再见")


@pytest.fixture
def told(say: Say, clock: Clock) -> Say:
    """Two conversations with summaries, a week apart."""
    for line in FIRST:
        say(line, session="one")
    clock.advance(days=8)
    for line in SECOND:
        say(line, session="two")
    return say


def found(resources: Resources, question: str, *, user: str = "ann", limit: int = 10) -> dict[str, Any]:
    return recall(resources, question, Context(user_id=user, session_id="three", limit=limit))


def kinds(document: dict[str, Any]) -> list[str]:
    return [result["kind"] for result in document["results"]]


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("What did we talk about last week?", ["48,500", "blue logo", "violin"], ["MySQL"]),
        ("What did we talk about last time?", ["MySQL", "北京"], ["48,500"]),
        ("我们上次聊了什么？", ["MySQL", "北京"], ["48,500"]),
        ("Summarise what we said about Apollo.", ["48,500"], ["MySQL", "violin"]),
        ("总结一下关于数据库的讨论。", ["MySQL"], ["48,500"]),
    ],
)
def test_an_overview_quotes_the_turns_behind_the_summaries(
    told: Say, resources: Resources, question: str, said: list[str], unsaid: list[str]
) -> None:
    answer = told(question, session="three")
    assert all(words in answer for words in said)
    assert not [words for words in unsaid if words in answer]
    trace = resources.memory.answer("ann") or {}
    assert trace["results"][0]["kind"] == "summary"
    assert all(cited["turn_id"].startswith("t") for cited in trace["citations"])


def test_what_a_summary_quotes_is_shown_with_it_and_all_kinds_count(told: Say, resources: Resources) -> None:
    whole = found(resources, "What did we talk about last week?")
    shown = [result for result in whole["results"] if result["kind"] == "summary"]
    assert [(result["id"], result["turn_id"]) for result in shown] == [("s2", "s2"), ("s1", "s1")]
    digests = resources.memory.digests.read("ann", [reference_number(result["id"]) for result in shown])
    behind = {f"t{number}" for digest in digests.values() for number, _ in digest.entries}
    named = [result["turn_id"] for result in whole["results"]]
    assert len(behind) == 3
    assert not behind & set(named)
    assert len(named) == len(set(named))
    assert found(resources, "What did we talk about last week?", limit=1)["results"] == shown[:1]


@pytest.mark.parametrize("question", ["What is the budget of Apollo?", "数据库用什么？", "Who plays the violin?"])
def test_no_other_question_meets_a_summary(told: Say, resources: Resources, question: str) -> None:
    before = found(resources, question)
    with resources.memory.database.write() as connection:
        connection.execute(delete(summaries))
        connection.execute(delete(summary_texts))
    assert "summary" not in kinds(before)
    assert found(resources, question)["results"] == before["results"]


def test_an_overview_of_what_was_never_said_is_declined(told: Say) -> None:
    assert "can't confirm" in told("What did we discuss about pottery?", session="three")


@pytest.mark.requirement("P6", "C32")
def test_nobody_is_told_of_the_summaries_of_somebody_else(told: Say, resources: Resources) -> None:
    told("My cat is called Momo.", user="bob", session="bobs")
    told("Thanks, bye!", user="bob", session="bobs")
    for question in ("What did we talk about last week?", "Summarise what we said about Apollo."):
        results = found(resources, question, user="bob")["results"]
        assert not [result for result in results if "Apollo" in result["text"] or "MySQL" in result["text"]]
    assert "48,500" not in told("What did we talk about?", user="bob", session="later")


@pytest.mark.requirement("P8", "C34", "C35")
def test_what_is_forgotten_is_in_no_text_and_no_index_of_a_summary(told: Say, resources: Resources) -> None:
    memory = resources.memory
    report = forget(memory, None, "ann", What("value", ("48,500 dollars",)), now=resources.clock())
    assert report.residue == ()
    assert report.summaries == 1
    memory.embed_waiting("ann")
    with memory.database.read() as connection:
        texts = connection.execute(select(summary_texts.c.text)).scalars().all()
        vectors = connection.execute(select(summary_vectors.c.summary)).scalars().all()
        bodies = connection.execute(text(f"SELECT body FROM {SUMMARIES.table_of('ann')}")).scalars().all()
    assert not [one for one in (*texts, *bodies) if "48" in one]
    assert any("blue logo" in one for one in texts)
    assert len(vectors) == len(texts) == len(bodies)
    answer = told("What did we talk about last week?", session="three")
    assert "48,500" not in answer
    assert "blue logo" in answer
    assert examine(memory.database, embedder=memory.embedder.name).healthy


@pytest.mark.requirement("P8")
def test_a_summary_of_nothing_else_goes_altogether(say: Say, resources: Resources) -> None:
    say("The code of the vault is 7781.", session="one")
    say("Thanks, bye!", session="one")
    assert forget(resources.memory, None, "ann", What("session", ("one",)), now=resources.clock()).residue == ()
    with resources.memory.database.read() as connection:
        assert connection.execute(select(summaries)).all() == []
        assert connection.execute(select(summary_texts)).all() == []
        assert connection.execute(select(summary_vectors)).all() == []


@pytest.mark.requirement("EXPORT-LOSSLESS")
def test_an_exported_memory_gives_the_same_overviews(told: Say, resources: Resources, tmp_path: Path) -> None:
    bundle = tmp_path / "ann.jsonl"
    export_bundle(resources.memory.database, "ann", bundle, now=resources.clock())
    question = "Summarise what we said about Apollo."
    before = found(resources, question)["results"]
    with Memory(tmp_path / "elsewhere", open_embedder("hashing:256")) as memory:
        import_bundle(memory, "ann", bundle, now=resources.clock())
        memory.embed_waiting()
        again = found(replace(resources, memory=memory), question)["results"]
        assert [(one["id"], one["kind"], one["text"]) for one in again] == [
            (one["id"], one["kind"], one["text"]) for one in before
        ]
        assert examine(memory.database, embedder=memory.embedder.name).healthy


@pytest.mark.requirement("DOCTOR")
def test_what_a_summary_is_found_by_is_checked_and_made_anew(told: Say, resources: Resources) -> None:
    database = resources.memory.database
    with database.write() as connection:
        connection.execute(update(summary_texts).where(summary_texts.c.number == 1).values(text="something else"))
        connection.execute(delete(summary_vectors).where(summary_vectors.c.summary == 2))
    broken = {(problem.check, problem.subject) for problem in examine(database, embedder="hashing:256").problems}
    assert {("summary texts", "s1"), ("full text", "s1"), ("embeddings", "s2")} <= broken
    repair(database, now=resources.clock(), index=resources.memory.vectors)
    assert examine(database, embedder="hashing:256").problems == ()
    with database.write() as connection:
        wrong = {"user_stated": [{"turn_id": "t1", "text": "The budget of Apollo is 52,000 dollars"}]}
        connection.execute(update(summaries).where(summaries.c.number == 1).values(document=wrong))
    problems = examine(database, embedder="hashing:256").problems
    assert ("summaries", "s1") in {(problem.check, problem.subject) for problem in problems}


@pytest.mark.requirement("REINDEX", "MIGRATIONS")
def test_summaries_are_embedded_anew_and_those_of_an_older_store_are_found(
    told: Say, resources: Resources, tmp_path: Path
) -> None:
    memory = resources.memory
    with memory.database.write() as connection:
        connection.execute(delete(summary_texts))
        connection.execute(delete(summary_vectors))
    with Memory(memory.folder, memory.embedder) as reopened:
        assert reopened.digests.vectors.pending() == 3
    reindex(memory.database, memory.folder, open_embedder("hashing:64"))
    with Memory(memory.folder, open_embedder("hashing:64")) as reopened:
        assert reopened.digests.vectors.pending() == 0
        again = found(replace(resources, memory=reopened), "Summarise what we said about Apollo.")
    assert again["results"][0]["id"] == "s1"
    assert {"lexical", "dense"} <= again["results"][0]["channels"].keys()


@pytest.mark.requirement("P4")
def test_a_model_is_held_to_the_turns_behind_a_summary(told: Say, resources: Resources) -> None:
    queries = json.dumps({"queries": ["last week"]})
    draft = ["You said that Apollo's budget is 48,500 dollars. [t1] ", "You bought a boat. [s1]", "NONE"]
    chat = ScriptedModel(script=[queries, "".join(draft[:2]), draft[2]])
    model = Model(chat, "scripted", timeout=5, wait=lambda _: None)
    graph = build_graph(replace(resources, models=Models(answer=model, rewrite=model)))
    asked = {"messages": [HumanMessage("What did we talk about last week?")]}
    answer = graph.invoke(asked, context=Context(user_id="ann", session_id="three"))["answer"]
    assert answer.text.startswith("You said that Apollo's budget is 48,500 dollars. [t1]")
    assert "boat" not in answer.text
    assert "[s1]" not in chat.calls[1][1].text
