"""Schema-guided dialogues are read as published, and what is wrong with a file is told with its line."""

import json

import pytest

from veridical.evals.datasets import sgd
from veridical.evals.records import Source
from veridical.memory.errors import BadFile

pytestmark = pytest.mark.requirement("EVAL-DATASETS")
SCHEMA = [
    {
        "service_name": "Ferries_1",
        "description": "Find and book ferries",
        "slots": [
            {"name": "harbour", "description": "Where it leaves", "is_categorical": False, "possible_values": []},
            {
                "name": "deck",
                "description": "Which deck",
                "is_categorical": True,
                "possible_values": ["upper", "lower"],
            },
        ],
        "intents": [
            {
                "name": "FindFerry",
                "description": "Find a ferry",
                "is_transactional": False,
                "required_slots": ["harbour"],
                "optional_slots": {"deck": "upper"},
            }
        ],
    }
]


def frame(intent, service="Ferries_1"):
    return {"service": service, "state": {"active_intent": intent, "requested_slots": [], "slot_values": {}}}


def user(text, *frames):
    return {"speaker": "USER", "utterance": text, "frames": list(frames)}


def system(text):
    return {"speaker": "SYSTEM", "utterance": text, "frames": [{"service": "Ferries_1"}]}


DIALOGUE = {
    "dialogue_id": "1_00000",
    "services": ["Ferries_1"],
    "turns": [
        user("A ferry from Dover, please.", frame("FindFerry")),
        system("At nine. Anything else?"),
        user("No.", frame("NONE")),
    ],
}


def folder(tmp_path, *dialogues, schema=SCHEMA):
    (tmp_path / "schema.json").write_text(json.dumps(schema, indent=1), encoding="utf-8")
    (tmp_path / "dialogues_001.json").write_text(json.dumps(list(dialogues), indent=1), encoding="utf-8")
    return tmp_path


def test_every_turn_of_the_user_comes_with_what_was_said_before_and_the_active_intent(tmp_path):
    loaded = sgd.load(Source(folder(tmp_path, DIALOGUE)))
    (dialogue,) = loaded.dialogues
    assert dialogue.services == ("Ferries_1",)
    assert dialogue.exchanges == (
        sgd.Exchange("", "A ferry from Dover, please.", {"Ferries_1": "FindFerry"}),
        sgd.Exchange("At nine. Anything else?", "No.", {"Ferries_1": "NONE"}),
    )


def test_a_service_comes_with_its_intents_and_slots(tmp_path):
    service = sgd.load(Source(folder(tmp_path, DIALOGUE))).services["Ferries_1"]
    assert service.purposes == (sgd.Purpose("FindFerry", "Find a ferry", False, ("harbour",), ("deck",)),)
    assert service.slots["deck"] == sgd.Slot("deck", "Which deck", ("upper", "lower"))


def test_one_file_is_read_with_the_schema_beside_it_and_dialogues_can_be_chosen(tmp_path):
    path = folder(tmp_path, DIALOGUE, DIALOGUE | {"dialogue_id": "1_00001"}) / "dialogues_001.json"
    assert [it.id for it in sgd.load(Source(path, conversations=(1,))).dialogues] == ["1_00001"]
    assert len(sgd.load(Source(path, limit=1)).dialogues) == 1


def test_what_is_not_of_the_form_is_told_with_its_line(tmp_path):
    strange = DIALOGUE | {"services": ["Trams_1"]}
    with pytest.raises(BadFile, match="line 2: dialogue '1_00000' speaks of 'Trams_1'"):
        sgd.load(Source(folder(tmp_path, strange)))
    silent = DIALOGUE | {"turns": [{"speaker": "USER", "frames": []}]}
    with pytest.raises(BadFile, match="line 8: 'utterance' is missing"):
        sgd.load(Source(folder(tmp_path, silent)))
    with pytest.raises(BadFile, match=r"SGD is schema\.json"):
        sgd.load(Source(folder(tmp_path, DIALOGUE, schema=[])))
