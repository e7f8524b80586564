"""MADial is read in both languages: the question is the dialogue before the test turn, and no word of that turn."""

import json

import pytest

from veridical.evals.datasets.madial import load
from veridical.evals.records import Source
from veridical.memory.errors import BadFile

pytestmark = pytest.mark.requirement("EVAL-DATASETS")
LINES = {
    "en": ["<BOD>\n", '<Mia>: "I am nervous."\n', '<Assistant>: "Of what?"\n', '<Mia>: "The recital."\n'],
    "zh": ["<BOD>\n", '<Mia>:"我很紧张。"\n', '<Assistant>:"紧张什么？"\n', '<Mia>:"演奏会。"\n'],
}
RECALLED = {"en": '<Assistant>: "Remember the piano prize!"\n', "zh": '<Assistant>:"还记得钢琴比赛获奖吗？"\n'}
EVENTS = {"en": "Mia won a piano prize.", "zh": "Mia在钢琴比赛中获奖。"}


def lay_out(folder, language, *, owner=None, turn=4, gold=(7,), lines=None):
    memory = {"time": "2024-03-01", "event": EVENTS[language]} | ({} if owner is None else {"user-id": owner})
    other = {"time": "2024-02-01", "event": "Tom fell off his bike."} | ({} if owner is None else {"user-id": 2})
    rows = [json.dumps({"7": memory}), json.dumps({"8": other})]
    (folder / f"{language}-memory.jsonl").write_text("\n".join(rows), encoding="utf-8")
    dialogue = [*LINES[language], RECALLED[language], "<EOD>\n"] if lines is None else lines
    row = {"dialogue": dialogue, "test-turn": [turn], "relevant-id": list(gold), "user-id": 1}
    (folder / f"{language}-dialogue.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return folder


def test_both_languages_are_read_with_the_memories_of_each_user(tmp_path):
    lay_out(tmp_path, "zh", owner=1)
    lay_out(tmp_path, "en")  # whose a memory is, its words tell
    zh, en = load(Source(tmp_path)).dialogues
    assert [(one.id, one.language, [turn.external_id for turn in one.utterances]) for one in (zh, en)] == [
        ("zh-1", "zh", ["7"]),
        ("en-1", "en", ["7"]),
    ]
    assert [(q.category, q.language, q.gold) for one in (zh, en) for q in one.questions] == [
        ("zh", "zh", ("7",)),
        ("en", "en", ("7",)),
    ]


def test_the_question_ends_before_the_test_turn(tmp_path):
    (dialogue,) = load(Source(lay_out(tmp_path, "en"))).dialogues
    (question,) = dialogue.questions
    assert question.text.endswith("The recital.")
    assert "nervous" in question.text
    assert "piano" not in question.text
    assert "Mia>" not in question.text


def test_of_several_test_turns_the_last_counts(tmp_path):
    lines = [*LINES["en"][:3], RECALLED["en"], '<Mia>: "I do!"\n', '<Assistant>: "And the silver cup?"\n', "<EOD>\n"]
    folder = lay_out(tmp_path, "en", lines=lines, turn=3)
    path = folder / "en-dialogue.jsonl"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"test-turn": [3]', '"test-turn": [3, 5]'), encoding="utf-8"
    )
    text = load(Source(folder)).dialogues[0].questions[0].text
    assert text.endswith("I do!")
    assert "piano prize" in text
    assert "silver cup" not in text


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"turn": 9}, "'test-turn' must name lines"),
        ({"gold": (99,)}, "relevant-id 99 is no memory of user-id 1"),
        ({"lines": ["<BOD>\n", "<EOD>\n"], "turn": 1}, "nobody says anything"),
    ],
)
def test_what_is_not_of_the_form_is_told_with_its_line(tmp_path, given, problem):
    with pytest.raises(BadFile, match=r"en-dialogue.jsonl, line 1:") as error:
        load(Source(lay_out(tmp_path, "en", **given)))
    assert problem in str(error.value)


def test_missing_memories_are_one_sentence(tmp_path):
    lay_out(tmp_path, "en")
    (tmp_path / "en-memory.jsonl").unlink()
    with pytest.raises(BadFile, match="is missing"):
        load(Source(tmp_path))
    with pytest.raises(BadFile, match="holds no MADial"):
        load(Source(tmp_path / "nowhere"))
