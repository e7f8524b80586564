"""Questions drafted from a store, for a person to correct."""

import json
import stat
from contextlib import closing
from datetime import UTC, datetime

import pytest

from veridical.evals.collecting import write_draft
from veridical.evals.datasets.jsonl import load
from veridical.evals.records import Source
from veridical.evals.wording import question, unknowns
from veridical.memory.errors import BadFile
from veridical.memory.ingestion.utterances import Utterance, as_turns
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

pytestmark = pytest.mark.requirement("EVAL-COLLECT")

NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)
SAID = (
    ("one", "a", "user", "I live in Lyon. My favorite color is teal."),
    ("one", "b", "assistant", "Noted. Your salary is nobody's business."),
    ("two", "a", "user", "The budget of Apollo is 48,500 dollars."),
    ("two", "b", "user", "Actually the budget of Apollo is 52,000 dollars."),
    ("two", "c", "user", "我不喜欢香菜。张伟的电话是13912345678。"),
    ("two", "d", "user", "I now live in Graz."),
)


@pytest.fixture
def memory(data_dir):
    with closing(Memory(data_dir, open_embedder("hashing:64"))) as memory:
        said = [
            Utterance(
                session, id, speaker, text, NOW.replace(day=1, hour=place), "Europe/Berlin", speaker == "assistant"
            )
            for place, (session, id, speaker, text) in enumerate(SAID)
        ]
        memory.record_many(list(as_turns(said, "u")), now=NOW)
        yield memory


@pytest.fixture
def drafted(memory, tmp_path):
    path = tmp_path / "mine.jsonl"
    counts = write_draft(memory.database, "u", path, now=NOW)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return (
        counts,
        [line["turn"] for line in lines if "turn" in line],
        [line["question"] for line in lines if "question" in line],
    )


def asked(questions, text):
    return next(entry for entry in questions if entry["text"] == text)


def test_every_turn_is_there_under_an_id_of_its_own(drafted):
    counts, turns, _ = drafted
    assert counts.turns == len(turns) == 6
    assert [turn["external_id"] for turn in turns] == ["t1", "t2", "t3", "t4", "t5", "t6"]
    assert turns[1]["speaker"] == "assistant"
    assert turns[0]["timestamp"] == "2024-06-01T02:00:00+02:00"
    assert turns[4]["text"] == SAID[4][3]


def test_a_fact_becomes_a_question_with_its_turn(drafted):
    _, _, questions = drafted
    entry = asked(questions, "What is my favorite color?")
    assert (entry["gold"], entry["answers"], entry["stale"]) == (["t1"], ["teal"], [])
    assert (entry["category"], entry["answerable"]) == ("fact", True)
    assert entry["asked_at"] == "2024-06-01T12:00:00+00:00"


def test_a_value_that_was_replaced_is_stale(drafted):
    _, _, questions = drafted
    budget, home = asked(questions, "What is Apollo's budget?"), asked(questions, "Where do I live?")
    assert (budget["gold"], budget["answers"], budget["stale"]) == (["t4"], ["52,000 dollars"], ["48,500 dollars"])
    assert (home["gold"], home["answers"], home["stale"]) == (["t6"], ["Graz"], ["Lyon"])
    assert budget["category"] == home["category"] == "update"


def test_questions_are_in_the_language_of_what_was_said(drafted):
    _, _, questions = drafted
    assert asked(questions, "张伟的电话是什么？")["answers"] == ["13912345678"]
    assert asked(questions, "我不喜欢什么？")["gold"] == ["t5"]


def test_what_was_never_mentioned_becomes_a_question_to_refuse(drafted):
    counts, _, questions = drafted
    twins = [entry for entry in questions if not entry["answerable"]]
    assert counts.unanswerable == len(twins) == counts.answerable
    assert all(entry["gold"] == entry["answers"] == entry["stale"] == [] for entry in twins)
    assert {entry["twin"] for entry in twins} == {entry["id"] for entry in questions if entry["answerable"]}
    texts = [entry["text"] for entry in questions]
    assert len(texts) == len(set(texts))
    # The assistant spoke of a salary, so it may not count as unknown.
    assert not any("salary" in text or "工资" in text for text in texts)
    assert any(text.startswith("What is Apollo's") for text in texts if "budget" not in text)


def test_every_question_is_marked_as_a_draft(drafted):
    assert all(entry["draft"] is True for entry in drafted[2])


def test_the_loader_of_an_evaluation_takes_the_draft(memory, tmp_path):
    path = tmp_path / "mine.jsonl"
    counts = write_draft(memory.database, "u", path, now=NOW)
    (dialogue,) = load(Source(path)).dialogues
    assert len(dialogue.utterances) == 6
    assert len(dialogue.questions) == counts.answerable + counts.unanswerable
    assert {question.answerable for question in dialogue.questions} == {True, False}


def test_a_limit_bounds_the_questions_that_can_be_answered(memory, tmp_path):
    counts = write_draft(memory.database, "u", tmp_path / "few.jsonl", now=NOW, limit=2)
    assert (counts.turns, counts.answerable, counts.unanswerable) == (6, 2, 2)


def test_a_draft_is_for_its_owner_and_never_replaces_a_file(memory, tmp_path):
    path = tmp_path / "mine.jsonl"
    write_draft(memory.database, "u", path, now=NOW)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    with pytest.raises(BadFile, match="exists already"):
        write_draft(memory.database, "u", path, now=NOW)
    assert path.read_bytes() == before
    with pytest.raises(BadFile, match="cannot be written"):
        write_draft(memory.database, "u", tmp_path / "nowhere" / "mine.jsonl", now=NOW)


@pytest.mark.parametrize("of_person", [True, False])
def test_every_unknown_attribute_can_be_asked_for_in_both_languages(of_person):
    for attribute in unknowns(of_person=of_person):
        assert "_" not in question(attribute, "Mei", "en")
        chinese = question(attribute, "张伟", "zh")
        assert chinese.startswith("张伟")
        assert not any(character.isascii() and character.isalpha() for character in chinese), chinese


def test_a_question_is_worded_as_people_ask():
    assert question("sister_birthday", "", "en", value_type="date") == "When is my sister's birthday?"
    assert question("daughter_name", "", "zh") == "我的女儿叫什么名字？"
    assert question("sister_home", "Mei", "en") == "Where does Mei's sister live?"
    assert question("favorite_color", "张伟", "zh") == "张伟最喜欢的颜色是什么？"
    assert question("cat", "", "en") == "What is my cat?"


def test_what_cannot_be_asked_for_in_words_is_not_asked():
    assert question("budget", "", "en", denied=True) == ""
