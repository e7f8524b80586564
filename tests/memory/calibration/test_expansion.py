"""Queries in the words that memories use, and the filter that goes with them."""

from datetime import UTC, datetime

import pytest

from veridical.memory.calibration.asked import Listed, Topic
from veridical.memory.calibration.expansion import expand, hop
from veridical.memory.calibration.questions import analyse
from veridical.memory.language.folding import detect_language
from veridical.memory.language.talk import TALK
from veridical.memory.records import RecallFilter

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def queries(text: str, topic: Topic | None = None) -> dict[str, str]:
    found, _ = expand(analyse(text, detect_language(text), NOW, "UTC", topic))
    return {query.origin: query.text for query in found}


def limits(text: str, topic: Topic | None = None):
    return expand(analyse(text, detect_language(text), NOW, "UTC", topic))[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [("What is the budget?", ["预算", "费用"]), ("预算是多少？", ["budget", "cost"]), ("預算是多少？", ["budget"])],
)
@pytest.mark.requirement("C41")
def test_synonyms_are_asked_for_in_both_languages(text, words):
    assert any(word in queries(text)["synonyms"] for word in words)


@pytest.mark.parametrize(
    "text",
    [
        "What is the budget of Apollo?",
        "Where did I work before?",
        "and the second?",
        "昨天说了什么",
        "更贵的那个",
        "?",
        "",
    ],
)
def test_there_are_at_most_five_queries_the_question_first(text):
    found, _ = expand(analyse(text, detect_language(text), NOW, "UTC", Topic(entity="apollo")))
    assert len(found) <= 5
    assert len({query.text for query in found}) == len(found)
    assert [query.text for query in found[:1]] == ([text] if text else [])
    assert all(0 < query.weight <= 1 for query in found)


def test_what_points_back_is_replaced_by_the_topic():
    assert "apollo" in queries("Who is its project manager?", Topic(entity="apollo"))["content"]


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("What did my brother paint in spring?", "my brother paint in spring"),
        ("How often does the museum of Apollo open?", "the museum of apollo open"),
        ("我哥哥春天画了什么？", "我哥哥春天画了"),
    ],
)
def test_what_a_question_is_about_is_looked_for_without_the_words_that_ask(text, matter):
    assert queries(text)["matter"] == matter


@pytest.mark.parametrize(
    ("text", "matter"),
    [
        ("What did Ana's brother paint in spring?", "brother paint in spring"),
        ("When did Ana get Coco?", "get coco"),
        ("Which tools did Ana and Bo both buy?", "tools both buy"),
        ("What did Ana tell Bo and Anabel?", "tell bo and anabel"),
        ("陈晓月春天画了什么？", "春天画了"),
        ("Ana和陈晓月都画了什么？", "都画了"),
    ],
)
def test_what_a_speaker_did_is_looked_for_without_the_speaker_too(text, matter):
    assert queries(text, Topic(speakers=("Ana", "Bo", "陈晓月")))["matter"] == matter


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("What have both Ana and Bo painted?", ("bo",)),
        ("Who is Bo and Ana's favourite painter?", ("ana",)),
        ("What did Ana's brother and Bo paint?", ()),
        ("When did Ana go to Bo and Carl's wedding?", ()),
        ("Where did Ana meet Bo?", ()),
        ("Ana和陈晓月都画了什么？", ("陈晓月",)),
        ("陈晓月画了Ana吗？", ()),
    ],
)
def test_who_is_named_in_one_breath_is_asked_about_as_well(text, beside):
    assert limits(text, Topic(speakers=("Ana", "Bo", "Carl", "陈晓月"))).beside == beside


@pytest.mark.parametrize("text", ["What did we decide?", "昨天说了什么"])
def test_a_question_without_words_of_its_own_is_asked_once(text):
    assert "matter" not in queries(text)


def test_an_ordinal_asks_for_the_listed_things():
    listed = (Listed(1, "call the client"), Listed(1, "send the minutes"))
    assert "send the minutes" in queries("and the second?", Topic(listed=listed))["topic"]


def test_a_follow_up_asks_with_the_words_of_the_question_before():
    assert "work" in queries("And Bob?", Topic(question="Where does Alice work?"))["content"]


def test_one_hop_asks_with_the_names_that_were_found():
    question = analyse("Where does my boss live?", "en", NOW, "UTC")
    assert [query.text for query in hop(question, ["anna"])] == ["anna boss live"]
    assert hop(question, []) == []


def test_the_filter_holds_what_the_question_restricts():
    assert limits("What did Ana say?", Topic(speakers=("Ana",))).speaker == "ana"
    assert limits("What is the budget of Apollo?", Topic(known=("apollo",))).speaker is None
    assert limits("When does order #12345 ship?").entities == ("12345",)
    assert limits("Where did I work before?").history
    assert limits("What did we decide about the logo?").has_decision
    assert limits("What are my todos?").kinds == ("todo",)
    day = limits("What did I say yesterday?")
    assert (day.time_from, day.time_to) == (datetime(2026, 11, 29, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC))
    assert limits("What was the budget as of March 2026?").as_of is not None


def test_talk_is_looked_for_whole_and_by_its_last_lines_and_restricts_nothing():
    text = "In March we went to the lake.\nWas it cold?\nYes, icy!\nDid you swim?\nOnly Anna did.\nBrave of her!"
    talk = analyse(text, "en", NOW, "UTC")
    found, wanted = expand(talk)
    lines = [query for query in found if query.origin == TALK]
    assert [query.text for query in lines] == [text, *text.splitlines()[:1:-1]]
    assert [query.weight for query in lines] == sorted((query.weight for query in lines), reverse=True)
    assert wanted == RecallFilter()
    assert hop(talk, ["anna"]) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Anna: I quarrelled with my brother.\nBo: What about?\nAnna: About the boat.", ("brother", "boat")),
        ("小林：我跟妈妈吵架了。\n小周：为什么？\n小林：因为我没写作业。", ("妈妈", "作业")),
    ],
)
def test_of_a_talk_those_who_are_named_are_looked_for_as_words(text, named):
    found = expand(analyse(text, "en" if text.isascii() else "zh", NOW, "UTC"))[0]
    (who,) = [query.text for query in found if query.origin == "entities"]
    assert named[0] in who
    assert named[1] not in who
