"""LoCoMo is read as published: gold turns, categories, corrected labels; whatever is wrong is told with its line."""

import json
import os
from pathlib import Path

import pytest

from veridical.evals.datasets.locomo import load
from veridical.evals.records import Source
from veridical.memory.errors import BadFile, BadInput

from ...source import ROOT

pytestmark = pytest.mark.requirement("EVAL-DATASETS")
DATA = Path(os.environ.get("VERIDICAL_EVAL_DATA") or ROOT.parent / "shared" / "data")


def conversation(name="conv-1", qa=()):
    turns = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a greyhound."},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely!", "blip_caption": "a thin dog", "query": "secret"},
    ]
    later = [{"speaker": "Ann", "dia_id": "D2:1", "text": "He is called Otto."}]
    return {
        "sample_id": name,
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_1": turns,
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_2": later,
            "session_2_date_time": "9:00 am on 1 June, 2023",
        },
        "qa": list(qa),
    }


def asked(category=4, evidence=("D2:1",), **more):
    return {"question": "What is the dog called?", "category": category, "evidence": list(evidence)} | more


def written(tmp_path, content, name="locomo.json"):
    path = tmp_path / name
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def test_the_questions_come_with_gold_turns_and_answers(tmp_path):
    qa = [asked(answer="Otto"), asked(2, ["D1:1; D2:1"], answer=2023), asked(5, adversarial_answer="Rex")]
    (dialogue,) = load(Source(written(tmp_path, [conversation(qa=qa)]))).dialogues
    assert [turn.external_id for turn in dialogue.utterances] == ["D1:1", "D1:2", "D2:1"]
    assert dialogue.utterances[1].text == "Lovely! [shares an image: a thin dog]"
    first, second, last = dialogue.questions
    assert (first.id, first.gold, first.answers, first.category) == ("conv-1/qa0", ("D2:1",), ("Otto",), "4")
    assert (second.gold, second.answers) == (("D1:1", "D2:1"), ("2023",))
    # The evidence of an adversarial question is the turn that it misattributes.
    assert (last.answerable, last.gold, last.answers) == (False, (), ())
    assert first.asked_at > dialogue.utterances[-1].observed_at


def test_evidence_that_names_no_turn_is_left_out(tmp_path):
    qa = [asked(evidence=["D9:9", "D", "D2:1"], answer="Otto")]
    (dialogue,) = load(Source(written(tmp_path, [conversation(qa=qa)]))).dialogues
    assert dialogue.questions[0].gold == ("D2:1",)


def test_corrected_labels_take_the_place_of_the_original_ones(tmp_path):
    path = written(tmp_path, [conversation(qa=[asked(answer="Otto"), asked(answer="Otto")])])
    labels = written(tmp_path, [{"question_id": "locomo_0_qa1", "correct_evidence": ["D1:1", "D1:2"]}], "labels.json")
    (dialogue,) = load(Source(path, labels=labels)).dialogues
    assert [question.gold for question in dialogue.questions] == [("D2:1",), ("D1:1", "D1:2")]


def test_conversations_and_questions_can_be_chosen(tmp_path):
    path = written(tmp_path, [conversation("a", [asked()] * 3), conversation("b", [asked()] * 3), conversation("c")])
    found = load(Source(path, conversations=(1,), limit=2))
    assert [(one.id, len(one.questions)) for one in found.dialogues] == [("b", 2)]
    with pytest.raises(BadInput, match="from 0 to 2"):
        load(Source(path, conversations=(3,)))


def test_a_folder_may_hold_the_labels_beside_the_conversations(tmp_path):
    written(tmp_path, [conversation(qa=[asked()])])
    written(tmp_path, [{"question_id": "locomo_0_qa0", "correct_evidence": []}], "label_errors.json")
    assert len(load(Source(tmp_path)).questions) == 1


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"a": 1}, "line 1: LoCoMo is a list"),
        ([conversation(qa=[asked(category=9)])], "'category' is 9"),
        ([conversation(qa=["what?"])], "must be an object"),
        ([conversation(qa=[{"category": 1, "evidence": []}])], "'question' is missing"),
        ([conversation() | {"qa": {}}], "'qa' must be a list"),
    ],
)
def test_what_is_not_of_the_form_is_told_with_its_line(tmp_path, content, problem):
    with pytest.raises(BadFile, match=f"locomo.json, line .*{problem}|{problem}"):
        load(Source(written(tmp_path, content)))


def test_the_line_is_that_of_the_wrong_question(tmp_path):
    path = written(tmp_path, [conversation(qa=[asked(), asked(category=9)])])
    line = 1 + path.read_text(encoding="utf-8").splitlines().index('    "category": 9,')
    with pytest.raises(BadFile) as error:
        load(Source(path))
    assert f"line {line - 2}:" in str(error.value)  # where the object begins


def test_a_file_that_is_no_json_or_not_there_is_one_sentence(tmp_path):
    path = tmp_path / "locomo.json"
    path.write_text("[\n{", encoding="utf-8")
    with pytest.raises(BadFile, match="line 2: not JSON"):
        load(Source(path))
    with pytest.raises(BadFile, match="cannot be read"):
        load(Source(tmp_path / "missing.json"))
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadFile, match="holds no such file"):
        load(Source(empty))


@pytest.mark.skipif(not (DATA / "locomo_dev").is_dir(), reason="the public data is not beside the project")
def test_the_published_file_is_read_whole():
    found = load(Source(DATA / "locomo_dev", labels=DATA / "locomo_dev" / "label_errors.json"))
    assert len(found.dialogues) == 5
    assert sum(question.answerable for _, question in found.questions) == 762
    assert all(question.gold for _, question in found.questions if question.category in {"1", "2", "4"})
