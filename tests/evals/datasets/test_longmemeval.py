"""LongMemEval is read in its public form: a history for each question, gold by mark or by session."""

import json

import pytest

from veridical.evals.datasets.longmemeval import load
from veridical.evals.records import Source
from veridical.memory.errors import BadFile

pytestmark = pytest.mark.requirement("EVAL-DATASETS")


def entry(identifier="q1", **more):
    marked = more.pop("marked", True)
    return {
        "question_id": identifier,
        "question_type": "single-session-user",
        "question": "Where did I leave the ladder?",
        "answer": "in the shed",
        "question_date": "2023/06/02 (Fri) 10:00",
        "haystack_session_ids": ["s1", "s2", "s1"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 03:00", "2023/05/22 (Mon) 03:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hi!"}],
            [
                {
                    "role": "user",
                    "content": "I left the ladder in the shed.",
                    **({"has_answer": True} if marked else {}),
                },
                {"role": "assistant", "content": "Noted."},
            ],
            [{"role": "user", "content": "  "}],
        ],
        "answer_session_ids": ["s2"],
    } | more


def written(tmp_path, content):
    path = tmp_path / "longmemeval.json"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def test_each_question_has_a_history_of_its_own(tmp_path):
    found = load(Source(written(tmp_path, [entry("q1"), entry("q2")])))
    assert [dialogue.id for dialogue in found.dialogues] == ["q1", "q2"]
    said = found.dialogues[0].utterances
    # A session that is there twice is two; what has no text was not said.
    assert [(one.session_id, one.external_id, one.spoken_by_assistant) for one in said] == [
        ("s1", "s1:0", False),
        ("s1", "s1:1", True),
        ("s2", "s2:0", False),
        ("s2", "s2:1", True),
    ]
    assert said[0].observed_at.isoformat() == "2023-05-20T02:21:00+00:00"
    (question,) = found.dialogues[0].questions
    assert (question.gold, question.answers, question.category) == (
        ("s2:0",),
        ("in the shed",),
        "single-session-user",
    )


def test_where_no_turn_is_marked_all_of_the_answer_sessions_are_gold(tmp_path):
    (dialogue,) = load(Source(written(tmp_path, [entry(marked=False)]))).dialogues
    assert dialogue.questions[0].gold == ("s2:0", "s2:1")


def test_questions_whose_id_ends_in_abs_cannot_be_answered(tmp_path):
    (dialogue,) = load(Source(written(tmp_path, [entry("q7_abs")]))).dialogues
    (question,) = dialogue.questions
    assert (question.answerable, question.gold, question.answers) == (False, (), ())


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({}, "line 1: LongMemEval is a list"),
        ([entry(), entry(haystack_dates=[])], "must be as long as each other"),
        ([entry(question_date="yesterday")], "not a time like"),
        ([entry(haystack_sessions=[["x"], [], []])], "must have a role"),
        ([entry(question="")], "'question' is missing"),
    ],
)
def test_what_is_not_of_the_form_is_told_with_its_line(tmp_path, content, problem):
    with pytest.raises(BadFile, match=r"longmemeval.json, line \d+:") as error:
        load(Source(written(tmp_path, content)))
    assert problem in str(error.value)
