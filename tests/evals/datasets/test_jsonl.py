"""The plain form: turns, then questions; every line that is not of the form is told with its number."""

import json

import pytest

from veridical.evals.datasets.jsonl import load
from veridical.evals.records import Source
from veridical.memory.errors import BadFile

pytestmark = pytest.mark.requirement("EVAL-DATASETS")


def turn(external_id="t1", **more):
    return {
        "turn": {
            "external_id": external_id,
            "session": "s1",
            "speaker": "user",
            "text": "The code is 4471.",
            "timestamp": "2024-05-01T09:00:00+08:00",
        }
        | more
    }


def question(identifier="q1", **more):
    return {
        "question": {
            "id": identifier,
            "text": "What is the code?",
            "asked_at": "2024-05-02T09:00:00+08:00",
            "category": "fact",
            "gold": ["t1"],
            "answers": ["4471"],
            "stale": [],
            "answerable": True,
        }
        | more
    }


def written(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_file_is_a_dialogue_with_its_questions(tmp_path):
    path = written(tmp_path / "zh" / "a.jsonl", turn(), turn("t2", speaker="assistant"), question(twin="q0"))
    (dialogue,) = load(Source(path)).dialogues
    assert [(one.speaker, one.spoken_by_assistant, one.time_zone) for one in dialogue.utterances] == [
        ("user", False, "Etc/GMT-8"),
        ("assistant", True, "Etc/GMT-8"),
    ]
    (asked,) = dialogue.questions
    assert (asked.gold, asked.answers, asked.answerable, asked.twin, asked.language) == (
        ("t1",),
        ("4471",),
        True,
        "q0",
        "zh",
    )


def test_a_folder_is_read_with_the_folders_in_it(tmp_path):
    written(tmp_path / "zh" / "b.jsonl", turn(), question("q2"))
    written(tmp_path / "en" / "a.jsonl", turn(), question("q1"))
    assert [dialogue.id for dialogue in load(Source(tmp_path)).dialogues] == ["en/a", "zh/b"]
    assert [dialogue.id for dialogue in load(Source(tmp_path, conversations=(1,))).dialogues] == ["zh/b"]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([turn(), {"note": {}}], "line 2: each line is"),
        ([turn(), turn()], "line 2: external_id 't1' is there already"),
        ([turn(timestamp="noon")], "line 1: 'timestamp' is 'noon'"),
        ([turn(), question(gold=["t9"])], "line 2: gold names 't9'"),
        ([turn(), question(answerable="yes")], "line 2: 'answerable' must be"),
        ([turn(), question(answers=[4471])], "line 2: 'answers' must be a list of texts"),
        ([question(gold=[])], "line 1: the file holds no turn"),
    ],
)
def test_what_is_not_of_the_form_is_told_with_its_line(tmp_path, lines, problem):
    with pytest.raises(BadFile) as error:
        load(Source(written(tmp_path / "a.jsonl", *lines)))
    assert problem in str(error.value)


def test_two_questions_of_one_id_are_an_error(tmp_path):
    written(tmp_path / "a.jsonl", turn(), question())
    written(tmp_path / "b.jsonl", turn(), question())
    with pytest.raises(BadFile, match="two questions with the id 'q1'"):
        load(Source(tmp_path))


def test_a_folder_without_a_file_is_one_sentence(tmp_path):
    with pytest.raises(BadFile, match=r"holds no \.jsonl file"):
        load(Source(tmp_path))
