"""Lies about the bundled dialogues told by a model in whole turns of the graph: none of them reaches the reader."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.fakes import ScriptedModel
from veridical.graph import Context, Resources, VeridicalGraph, build_graph
from veridical.graph.ask import ask
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.records import NewTurn, Turn
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

from . import making, told
from .told import Dialogue, Truth

DIALOGUES = ("en06-launch", "en12-fender", "zh04-合同", "zh08-奶茶店")
EACH = 4
"""Lies of each kind, of all the dialogues together, half of them Chinese."""
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def told_to(memory: Memory, dialogue: Dialogue) -> None:
    """Record what was said in a dialogue, as one user's memory."""
    memory.record_many([_new(turn, dialogue.name) for turn in dialogue.turns], now=NOW)


def _new(turn: Turn, user: str) -> NewTurn:
    return NewTurn(
        user_id=user,
        session_id=turn.session_id,
        external_id=turn.external_id,
        role=turn.role,
        source=turn.source,
        speaker=turn.speaker,
        text=turn.text,
        language=turn.language,
        observed_at=turn.observed_at,
        time_zone=turn.time_zone,
        act=turn.act,
    )


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Resources]:
    folder: Path = tmp_path_factory.mktemp("lies")
    with Memory(folder / "data", open_embedder("hashing:256")) as memory:
        for name in DIALOGUES:
            told_to(memory, told.dialogues()[name])
        yield Resources(memory=memory, clock=lambda: NOW, time_zone="UTC")


def speaking(resources: Resources, *script: str) -> VeridicalGraph:
    chat = ScriptedModel(script=[json.dumps({"queries": [script[0]]}), *script])
    model = Model(chat, "scripted", timeout=5, wait=lambda _: None)
    return build_graph(replace(resources, models=Models(answer=model, rewrite=model)))


def question(truth: Truth) -> str:
    """A question of the dialogue that the turn of a truth answers, or the words of the turn."""
    asked = (one.text for one in truth.dialogue.questions if truth.turn.external_id in one.gold)
    return next(
        asked, f"What about this: {truth.turn.text}" if truth.turn.language == "en" else f"{truth.turn.text}对吗？"
    )


def some_lies() -> list[making.Lie]:
    known = [truth for truth in told.truths() if truth.dialogue.name in DIALOGUES]
    return making.lies(known, seed=7, each=EACH)


@pytest.mark.requirement("P4", "NO-LIE-RELEASED")
def test_no_lie_of_a_model_reaches_the_reader(remembered: Resources):
    made = some_lies()
    assert len(made) >= 40
    released = []
    for lie in made:
        graph = speaking(remembered, lie.text, lie.text)
        context = Context(user_id=lie.truth.dialogue.name, session_id="asking", record=False)
        answer = str(ask(graph, question(lie.truth), context)["text"])
        if lie.text in answer:
            released.append(lie.text)
    assert released == []


@pytest.mark.requirement("P4", "TRUTH-IS-RELEASED")
def test_the_truth_of_a_model_reaches_the_reader(remembered: Resources):
    known = [truth for truth in told.truths() if truth.dialogue.name in DIALOGUES and not truth.question][::4]
    released = 0
    for truth in known:
        text = f"{truth.text} [{truth.turn.id}]"
        context = Context(user_id=truth.dialogue.name, session_id="asking", record=False)
        answer = ask(speaking(remembered, text, text), question(truth), context)
        released += text in str(answer["text"])
    # What recall does not find no draft can rest on.
    assert released >= 0.8 * len(known)
