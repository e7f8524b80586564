"""The machine drawn with its history: which state, which way, what was refused and taken back, by which turns."""

import pytest

from veridical.intents.drawing import Drawn, drawn

from .conftest import Talk

LINES = (
    "Track my order #12345.",
    "If it hasn't shipped, can I cancel?",
    "Never mind, ship it by SF.",
    "Wait, keep the original plan.",
    "It has already been shipped.",
    "Then cancel it.",
)


def drawing(talk: Talk, language: str = "en", entity: str | None = None) -> list[Drawn]:
    with talk.memory.database.read() as connection:
        return drawn(connection, "ann", talk.intents.domains, entity=entity, language=language)


@pytest.fixture
def followed(talk: Talk) -> Talk:
    for line in LINES:
        talk.say(line)
    return talk


@pytest.mark.requirement("INTENT-SHOWN")
def test_the_json_names_turns_verdicts_and_what_was_taken_back(followed: Talk):
    (one,) = [it.as_json() for it in drawing(followed)]
    assert (one["entity"], one["state"]) == ("order:12345", "order_query")
    kinds = [(step["kind"], step["turn_id"], step["undone_by"]) for step in one["steps"]]
    assert kinds == [
        ("step", "t1", None),
        ("step", "t2", 4),
        ("step", "t3", 4),
        ("undone", "t4", None),
        ("noted", "t5", None),
        ("refused", "t6", None),
    ]
    assert one["steps"][5]["guard"] == {"holds": "no", "slot": "shipping_state", "value": "shipped"}
    assert one["steps"][2]["slots"]["shipping_preference"] == {"value": "sf", "quote": "SF", "turn_id": "t3"}
    assert one["steps"][3]["retracted"]
    marks = {it["id"]: it["mark"] for it in one["states"]}
    assert (marks["order_query"], marks["order_cancel"], marks["order_return"]) == ("now", "left", "")


@pytest.mark.requirement("INTENT-SHOWN")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_notebook_shows_a_diagram_and_a_table(followed: Talk, language: str):
    (one,) = drawing(followed, language)
    text = one._repr_markdown_()
    assert "```mermaid\nstateDiagram-v2\n" in text
    assert "order_query --> order_cancel: 2." in text
    assert one.domain.states["order_query"].title.read(language) in text
    assert "| 3 | t3 |" in text
    assert "taken back by 4" in text


@pytest.mark.requirement("INTENT-SHOWN", "PRINT-PLAIN")
def test_the_words_of_a_user_are_text_in_a_table(talk: Talk):
    talk.say("Cancel `order 5` <b>now</b> | please, *all* of it.")
    (one,) = drawing(talk)
    cells = one._repr_markdown_()
    assert "<b>" not in cells


@pytest.mark.requirement("INTENT-SHOWN")
@pytest.mark.parametrize("entity", ["order:12345", "12345", "#12345"])
def test_one_entity_is_drawn_by_its_key_or_its_number(followed: Talk, entity: str):
    followed.say("Where is order 7?")
    assert len(drawing(followed)) == 2
    assert [it.intent.entity for it in drawing(followed, entity=entity)] == ["order:12345"]
