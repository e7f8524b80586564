"""The machine of intents measured by itself: every story is right, and the figures are those that can be worked out by hand."""

import json
from pathlib import Path

import pytest

from veridical.evals.configuration import Configuration, read_settings
from veridical.evals.datasets import stories
from veridical.evals.following import talking
from veridical.evals.intents import hear_story, problems, sgd_document, story_document
from veridical.evals.records import Source
from veridical.intents.following import Intents
from veridical.intents.loading import shipped
from veridical.memory.retrieval.embedders import open_embedder

STORIES = stories.load(Source(Path(stories.__file__).parents[1] / "stories"))
SHORT = """
- id: kept after all
  turns:
    - say: "Cancel order #17."
      state: {order:17: order_cancel}
      todos: [order:17 order_cancel]
    - say: Undo that.
      state: {order:17: none}
      todos: []
    - say: Lovely weather today.
    - say: "Please track order #18."
      state: {order:18: order_query}
"""
SCHEMA = [
    {
        "service_name": "Ferries_1",
        "description": "Find and book ferries",
        "slots": [{"name": "harbour", "description": "Where the ferry leaves"}],
        "intents": [
            {"name": "FindFerry", "description": "Find a ferry", "required_slots": ["harbour"]},
            {
                "name": "BookFerry",
                "description": "Book a ferry",
                "is_transactional": True,
                "required_slots": ["harbour"],
            },
        ],
    }
]
SAID = [
    ("", "Please find me a ferry from Dover.", "FindFerry"),
    ("There is one at nine.", "Is there a later one?", "FindFerry"),
    ("At ten.", "Good, book it.", "BookFerry"),
    ("It is booked. Anything else?", "No, thanks.", "NONE"),
]


@pytest.fixture
def configuration(monkeypatch):
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", "hashing:64")
    return Configuration(read_settings(None, None, Path("nowhere")))


@pytest.fixture(scope="module")
def memory():
    with talking(open_embedder("hashing:64")) as opened:
        yield opened


def ferries(tmp_path):
    turns = []
    for before, text, intent in SAID:
        if before:
            turns.append({"speaker": "SYSTEM", "utterance": before, "frames": []})
        state = {"active_intent": intent, "requested_slots": [], "slot_values": {}}
        turns.append({"speaker": "USER", "utterance": text, "frames": [{"service": "Ferries_1", "state": state}]})
    dialogue = {"dialogue_id": "1", "services": ["Ferries_1"], "turns": turns}
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (tmp_path / "dialogues.json").write_text(json.dumps([dialogue]), encoding="utf-8")
    return Source(tmp_path)


@pytest.mark.requirement("INTENT-STORIES")
def test_there_are_sixty_stories_and_half_of_them_are_chinese():
    assert len(STORIES) >= 60
    assert sum(story.language == "zh" for story in STORIES) * 2 >= len(STORIES)


@pytest.mark.requirement("INTENT-STORIES")
@pytest.mark.parametrize("place", range(len(STORIES)), ids=[story.id for story in STORIES])
def test_after_every_turn_of_a_story_each_state_and_todo_is_right(memory, place):
    intents = Intents(shipped(), memory.embedder)
    assert problems(hear_story(STORIES[place], place, memory, intents)) == []


@pytest.mark.requirement("INTENT-ACCURACY")
def test_active_intents_are_measured_beside_the_most_recent_one(tmp_path, configuration):
    document = sgd_document(ferries(tmp_path), configuration, tmp_path)
    assert document["metrics"] == {
        "dialogues": 1,
        "turns": 4,
        "active_intent_accuracy": 1.0,
        "most_recent_intent": 0.25,
        "last_guess_carried_on": 0.25,
        "margin": 0.75,
    }
    assert document["questions"][2] == {
        "id": "1/2",
        "expected": {"Ferries_1": "BookFerry"},
        "guessed": {"Ferries_1": "BookFerry"},
        "right": True,
    }


@pytest.mark.requirement("INTENT-REPEATS")
def test_without_the_machine_a_user_repeats_what_only_the_turns_before_say(tmp_path, configuration):
    path = tmp_path / "some.en.yaml"
    path.write_text(SHORT, encoding="utf-8")
    metrics = story_document(Source(path), configuration, tmp_path)["metrics"]
    # Three turns get something done; one of them, the undoing, says nothing by itself.
    assert (metrics["turns"], metrics["stories_right"], metrics["turns_right"]) == (4, 1.0, 1.0)
    assert (metrics["must_repeat"], metrics["must_repeat_without"]) == (0.0, 0.3333)


@pytest.mark.requirement("INTENT-STORIES")
def test_a_story_that_goes_otherwise_is_told_with_what_was_wrong(tmp_path, configuration):
    path = tmp_path / "some.en.yaml"
    path.write_text(SHORT.replace("order_query", "order_cancel"), encoding="utf-8")
    metrics = story_document(Source(path), configuration, tmp_path)["metrics"]
    assert (metrics["stories_right"], metrics["turns_right"]) == (0.0, 0.75)
    (case,) = metrics["cases"]
    assert "order:18 order_query, not order:18 order_cancel" in case["failures"][0]
