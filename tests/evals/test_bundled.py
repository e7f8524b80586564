"""The bundled set keeps its own rules: what it asks was said, said in time, and said once."""

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.source import ROOT
from veridical.evals.datasets.jsonl import load
from veridical.evals.records import Source

FOLDER = ROOT / "evals" / "bundled"
LANGUAGES = ("en", "zh")
CATEGORIES = {
    "fact", "update", "negation", "relative_date", "who_said", "choice", "order", "unanswerable", "false_premise",
}  # fmt: skip
DERIVED = {"relative_date", "order", "unanswerable"}
RETENTION = re.compile(r"-r(\d+)$")
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are at by did do does for from had has have how i in is it its many me much my no not now of on or our "
        "still that the there this to us was we were what when where which who will with",
    )
)


@dataclass(frozen=True)
class Told:
    """One file: its name, its language, its turns and its questions as they stand there."""

    name: str
    language: str
    turns: list[dict]
    questions: list[dict]

    @property
    def by_id(self) -> dict[str, dict]:
        return {turn["external_id"]: turn for turn in self.turns}


def read(path: Path) -> Told:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return Told(
        path.stem,
        path.parent.name,
        [line["turn"] for line in lines if "turn" in line],
        [line["question"] for line in lines if "question" in line],
    )


@cache
def dialogues() -> tuple[Told, ...]:
    return tuple(read(path) for language in LANGUAGES for path in sorted((FOLDER / language).glob("*.jsonl")))


def asked() -> list[tuple[Told, dict]]:
    return [(dialogue, question) for dialogue in dialogues() for question in dialogue.questions]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def evidence(dialogue: Told, question: dict) -> str:
    """What the gold turns say, and who says it where that is what is asked."""
    turns = [dialogue.by_id[id] for id in question["gold"]]
    speakers = [turn["speaker"] for turn in turns if question["category"] == "who_said"]
    return " ".join([*(turn["text"] for turn in turns), *speakers]).casefold()


def words(text: str, language: str) -> set[str]:
    """Content words; for Chinese, pairs of neighbouring characters."""
    if language == "en":
        return set(re.findall(r"[a-z0-9]+", text.casefold())) - STOP_WORDS
    characters = re.sub(r"[\W的了是我们你在吗什么哪谁多少几天现在最后]", "", text)
    return {characters[i : i + 2] for i in range(len(characters) - 1)}


def test_the_loader_reads_the_whole_set():
    loaded = load(Source(FOLDER))
    assert {dialogue.id for dialogue in loaded.dialogues} == {f"{d.language}/{d.name}" for d in dialogues()}
    assert len(loaded.questions) == len(asked())
    assert {question.language for _, question in loaded.questions} == set(LANGUAGES)


def test_the_set_is_large_and_half_of_it_is_chinese():
    told = Counter(dialogue.language for dialogue in dialogues())
    questions = Counter(dialogue.language for dialogue, _ in asked())
    assert min(told.values()) >= 32
    assert min(questions.values()) >= 160
    assert 0.8 <= questions["en"] / questions["zh"] <= 1.25


def test_every_category_is_asked_in_both_languages():
    count = Counter((dialogue.language, question["category"]) for dialogue, question in asked())
    assert {category for _, category in count} == CATEGORIES
    assert min(count[language, category] for language in LANGUAGES for category in CATEGORIES) >= 10


def test_three_in_ten_questions_have_no_answer_or_a_false_premise():
    share = sum(not question["answerable"] for _, question in asked()) / len(asked())
    assert 0.25 <= share <= 0.35


def test_only_the_last_two_categories_cannot_be_answered():
    wrong = [
        question["id"]
        for _, question in asked()
        if question["answerable"] == (question["category"] in {"unanswerable", "false_premise"})
    ]
    assert wrong == []


def test_no_id_is_given_twice():
    ids = [turn["external_id"] for dialogue in dialogues() for turn in dialogue.turns]
    ids += [question["id"] for _, question in asked()]
    ids += [dialogue.name for dialogue in dialogues()]
    assert [id for id, times in Counter(ids).items() if times > 1] == []


def test_the_turns_of_a_dialogue_follow_each_other_in_time():
    for dialogue in dialogues():
        moments = [moment(turn["timestamp"]) for turn in dialogue.turns]
        assert all(one.tzinfo is not None for one in moments), dialogue.name
        assert all(one < next_ for one, next_ in pairwise(moments)), dialogue.name
        assert all(moment(question["asked_at"]).tzinfo is not None for question in dialogue.questions), dialogue.name


def test_a_dialogue_is_long_enough_and_spread_over_sessions():
    for dialogue in dialogues():
        assert len(dialogue.turns) >= 12, dialogue.name
        assert 1 <= len({turn["session"] for turn in dialogue.turns}) <= 4, dialogue.name
        assert len({turn["speaker"] for turn in dialogue.turns}) >= 2, dialogue.name


def test_what_bears_out_an_answer_was_said_before_the_question():
    late = [
        question["id"]
        for dialogue, question in asked()
        for id in question["gold"]
        if moment(dialogue.by_id[id]["timestamp"]) >= moment(question["asked_at"])
    ]
    assert late == []


def test_every_answerable_question_has_gold_and_answers():
    bare = [q["id"] for _, q in asked() if q["answerable"] and not (q["gold"] and q["answers"])]
    assert bare == []


def test_an_accepted_answer_stands_in_what_bears_it_out():
    missing = [
        question["id"]
        for dialogue, question in asked()
        if question["category"] not in DERIVED
        and not any(answer.casefold() in evidence(dialogue, question) for answer in question["answers"])
    ]
    assert missing == []


def test_a_relative_date_is_nowhere_written_out_and_accepted_in_iso_form_and_as_people_write_it():
    for dialogue, question in asked():
        if question["category"] != "relative_date":
            continue
        days = [date.fromisoformat(a) for a in question["answers"] if re.fullmatch(r"\d{4}-\d\d-\d\d", a)]
        assert len(days) == 1, question["id"]
        assert len(question["answers"]) >= 3, question["id"]
        said = evidence(dialogue, question)
        forms = [f"{days[0]:%B} {days[0].day}", f"{days[0].month}月{days[0].day}"]
        assert not any(form.casefold() in said for form in forms), question["id"]


def test_what_was_never_said_has_neither_gold_nor_answers():
    wrong = [q["id"] for _, q in asked() if q["category"] == "unanswerable" and (q["gold"] or q["answers"])]
    assert wrong == []


def test_a_false_premise_names_what_refutes_it():
    wrong = [q["id"] for _, q in asked() if q["category"] == "false_premise" and not (q["gold"] and q["answers"])]
    assert wrong == []


def test_every_question_without_an_answer_mirrors_an_answerable_one_of_its_dialogue():
    for dialogue in dialogues():
        answerable = {question["id"] for question in dialogue.questions if question["answerable"]}
        for question in dialogue.questions:
            assert question["answerable"] or question["twin"] in answerable, question["id"]


def test_a_value_that_held_once_was_said_before_the_one_that_holds():
    for dialogue, question in asked():
        last = max((moment(dialogue.by_id[id]["timestamp"]) for id in question["gold"]), default=None)
        for value in question["stale"]:
            told = [turn for turn in dialogue.turns if value.casefold() in turn["text"].casefold()]
            assert told, (question["id"], value)
            assert moment(told[0]["timestamp"]) <= last, (question["id"], value)
        assert not set(question["stale"]) & set(question["answers"]), question["id"]


def test_most_updates_name_what_is_stale():
    updates = [question for _, question in asked() if question["category"] == "update"]
    assert sum(bool(question["stale"]) for question in updates) >= 0.6 * len(updates)


def test_at_least_half_of_the_questions_share_few_words_with_what_answers_them():
    apart = Counter()
    total = Counter()
    for dialogue, question in asked():
        if question["answerable"]:
            own = words(question["text"], dialogue.language)
            shared = own & words(evidence(dialogue, question), dialogue.language)
            total[dialogue.language] += 1
            apart[dialogue.language] += len(shared) <= len(own) / 2
    assert all(apart[language] >= total[language] / 2 for language in LANGUAGES)


def test_no_sentence_is_shared_between_dialogues_except_small_talk():
    where = defaultdict(set)
    for dialogue in dialogues():
        for turn in dialogue.turns:
            for sentence in re.split(r"(?<=[.!?。！？])\s*", turn["text"]):
                if len(sentence) > (30 if dialogue.language == "en" else 12):
                    where[sentence.casefold()].add(dialogue.name)
    assert {sentence: names for sentence, names in where.items() if len(names) > 1} == {}


def test_no_question_is_asked_twice_of_one_dialogue():
    texts = Counter((dialogue.name, question["text"].casefold()) for dialogue, question in asked())
    assert [entry for entry, times in texts.items() if times > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_anchors_of_the_first_turn_are_asked_about_until_turn_127(language: str):
    long = [dialogue for dialogue in dialogues() if dialogue.language == language and len(dialogue.turns) >= 130]
    assert len(long) >= 2
    for dialogue in long:
        documents = {d for turn in dialogue.turns for d in re.findall(r"\[DOC_ID:([\w-]+)\]", turn["text"])}
        assert len(documents) >= 3, dialogue.name
        first = [q for q in dialogue.questions if q["gold"] == [dialogue.turns[0]["external_id"]]]
        asked_after = {int(found[1]) for q in first if (found := RETENTION.search(q["id"]))}
        assert asked_after >= {5, 10, 50, 127}, dialogue.name


def test_a_retention_question_is_asked_right_after_the_turn_that_its_id_names():
    for dialogue, question in asked():
        if found := RETENTION.search(question["id"]):
            turn = int(found[1])
            before, after = dialogue.turns[turn - 1], dialogue.turns[turn]
            assert moment(before["timestamp"]) < moment(question["asked_at"]) < moment(after["timestamp"]), question
