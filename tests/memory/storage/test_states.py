"""MEMORY_STATE keeps to the schema that is published for it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError

from tests.source import ROOT
from veridical.memory.records import NewTurn
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.keys import is_key, key_of
from veridical.memory.storage.states import state_schema
from veridical.memory.store import Memory

PUBLISHED = ROOT / "docs" / "memory_state.schema.json"
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def validate() -> Callable[[object], None]:
    schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema).validate


@pytest.mark.requirement("STATE-SCHEMA")
def test_the_published_schema_is_that_of_the_model(request: pytest.FixtureRequest) -> None:
    text = json.dumps(state_schema(), ensure_ascii=False, indent=2) + "\n"
    if request.config.getoption("update_golden"):
        PUBLISHED.write_text(text, encoding="utf-8")
    assert text == PUBLISHED.read_text(encoding="utf-8")


@pytest.mark.requirement("STATE-SCHEMA")
def test_the_state_of_a_conversation_fits_the_schema(tmp_path: Path, validate: Callable[[object], None]) -> None:
    said = [
        "[DOC_ID:ABC123][PAGE:3] The budget of Apollo is 48,500 dollars.",
        "婚礼的预算是五万。",
        "My favourite colour is blue.",
        "My favourite colour is green now.",
        "Remind me to call Dana tomorrow at 3 pm.",
        "Who maintains the printer?",
        "[FIELD:clause_strictness_level] clause_strictness_level is 4.",
        "We agreed on the blue logo.",
    ]
    with Memory(tmp_path, open_embedder("hashing:64")) as memory:
        for place, text in enumerate(said):
            act = "question" if text.endswith("?") else "statement"
            new = NewTurn("ann", "s", f"x{place}", "user", "user_input", "user", text, "en", NOW, "UTC", act)
            memory.record(new, now=NOW)
        state = memory.state("ann").model_dump(mode="json")
    validate(state)
    assert all(state[name] for name in ("anchors", "current_facts", "open_todos", "open_questions"))


@pytest.mark.requirement("STATE-SCHEMA")
@pytest.mark.parametrize("wrong", ["Wedding Budget", "weddingBudget", "wedding__budget", "_budget", "a-b", ""])
def test_a_name_that_is_ambiguous_fits_no_schema(wrong: str, validate: Callable[[object], None]) -> None:
    fact = {"id": "f1", "entity": "user", "value": "5", "polarity": "positive", "since": NOW.isoformat()}
    validate({"current_facts": [fact | {"attribute": "wedding_budget", "turn_id": "t1"}]})
    with pytest.raises(ValidationError):
        validate({"current_facts": [fact | {"attribute": wrong, "turn_id": "t1"}]})


@pytest.mark.requirement("STATE-SCHEMA")
@given(st.text(max_size=30))
def test_whatever_a_name_is_a_key_is_made_of_it(name: str) -> None:
    assert is_key(key_of(name))
    assert key_of(key_of(name)) == key_of(name)


def told(folder: Path, *said: tuple[str, datetime]) -> dict[str, Any]:
    """The state after turns of somebody's, each at its time."""
    with Memory(folder, open_embedder("hashing:64")) as memory:
        for place, (text, at) in enumerate(said):
            act = "question" if text.endswith(("?", "？")) else "statement"
            new = NewTurn("ann", "s", f"x{place}", "user", "user_input", "user", text, "en", at, "UTC", act)
            memory.record(new, now=at)
        return memory.state("ann").model_dump(mode="json")


@pytest.mark.requirement("STATE")
def test_what_is_only_possible_or_intended_says_so(tmp_path: Path) -> None:
    said = {
        "I might buy a Tesla in May 2027.": "possible",
        "Maybe we'll move to Leeds in 2027.": "possible",
        "I plan to visit Rome in June 2027.": "intended",
        "我可能明年搬到苏州。": "possible",
        "我打算六月去日本。": "intended",
        "I live in Ghent.": None,
        "我对花生过敏。": None,
    }
    facts = told(tmp_path, *((text, NOW) for text in said))["current_facts"]
    assert [fact["hedge"] for fact in facts] == list(said.values())


@pytest.mark.requirement("STATE")
def test_few_open_questions_are_kept_each_once_and_not_for_long(tmp_path: Path) -> None:
    said = [(f"Where is key {number}?", NOW) for number in range(12)]
    kept = told(tmp_path / "few", *said, ("Where is key 11?", NOW))["open_questions"]
    assert [question["text"] for question in kept] == [f"Where is key {number}?" for number in range(4, 12)]
    later = ("I like tea.", NOW + timedelta(days=15))
    assert told(tmp_path / "old", *said, later)["open_questions"] == []
    soon = ("I like tea.", NOW + timedelta(days=3))
    assert len(told(tmp_path / "soon", *said[:2], soon)["open_questions"]) == 2
