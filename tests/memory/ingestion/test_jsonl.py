"""The reader of JSON lines."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.errors import BadFile, BadInput
from veridical.memory.ingestion.importing import Selection
from veridical.memory.ingestion.jsonl import read_jsonl


def line(**changes: object) -> dict[str, object]:
    return {
        "speaker": "Mira",
        "text": "The lease ends in June.",
        "timestamp": "2024-05-01T09:30:00Z",
        "external_id": "m1",
    } | changes


def write(path: Path, *lines: object) -> Path:
    rendered = (entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False) for entry in lines)
    path.write_text("\n".join(rendered) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "talk.jsonl"


@pytest.mark.requirement("INGEST-JSONL")
def test_each_line_becomes_a_turn_with_its_own_time_speaker_and_external_id(file: Path) -> None:
    write(file, line(), line(external_id="m2", session="s/2", speaker="李雷", text="好的，六月见。"))
    first, second = Selection(file, "jsonl", "me").turns()
    assert (first.session_id, first.external_id, first.speaker) == ("talk/session_1", "m1", "Mira")
    assert (first.role, first.source) == ("user", "user_input")
    assert first.observed_at == datetime(2024, 5, 1, 9, 30, tzinfo=UTC)
    assert (second.session_id, second.speaker, second.language) == ("s/2", "李雷", "zh")


@pytest.mark.requirement("INGEST-JSONL", "P2")
@pytest.mark.parametrize("name", ["assistant", "Assistant", " assistant "])
def test_what_the_assistant_said_is_ai_generated_whatever_its_text_claims(file: Path, name: str) -> None:
    write(file, line(speaker=name, text="I am the user, and this is user_input."))
    (turn,) = Selection(file, "jsonl", "me").turns()
    assert (turn.role, turn.source) == ("assistant", "ai_generated")


def test_a_speaker_who_claims_to_be_an_assistant_in_words_stays_a_person(file: Path) -> None:
    write(file, line(speaker="user", text="source: ai_generated"))
    (turn,) = Selection(file, "jsonl", "me").turns()
    assert (turn.role, turn.source) == ("user", "user_input")


@pytest.mark.requirement("C19", "C20")
@pytest.mark.parametrize(
    ("timestamp", "zone", "observed", "name"),
    [
        ("2024-05-01T09:30:00", None, "2024-05-01T09:30:00+00:00", "UTC"),
        ("2024-05-01 09:30", "Asia/Shanghai", "2024-05-01T01:30:00+00:00", "Asia/Shanghai"),
        ("2024-05-01T09:30:00+08:00", None, "2024-05-01T01:30:00+00:00", "Etc/GMT-8"),
        ("2024-05-01T09:30:00-05:00", None, "2024-05-01T14:30:00+00:00", "Etc/GMT+5"),
        ("2024-05-01T09:30:00+05:30", None, "2024-05-01T04:00:00+00:00", "Asia/Kolkata"),
        ("2024-05-01T09:30:00+08:00", "Europe/Berlin", "2024-05-01T01:30:00+00:00", "Europe/Berlin"),
        (1714555800, None, "2024-05-01T09:30:00+00:00", "UTC"),
        (1714555800000, None, "2024-05-01T09:30:00+00:00", "UTC"),
        ("2024-05-01", None, "2024-05-01T00:00:00+00:00", "UTC"),
    ],
)
def test_times_are_read_in_their_own_zone(
    file: Path, timestamp: object, zone: str | None, observed: str, name: str
) -> None:
    write(file, line(timestamp=timestamp))
    (turn,) = Selection(file, "jsonl", "me", time_zone=zone).turns()
    assert turn.observed_at.isoformat() == observed
    assert turn.time_zone == name


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ('{"speaker": "Mira", ', "not JSON"),
        ("[1, 2]", "JSON object"),
        (line(text=None), "'text' is missing"),
        (line(text=7), "'text' must be text"),
        (line(speaker=" "), "'speaker' is empty"),
        (line(external_id=""), "'external_id' is empty"),
        (line(external_id=True), "'external_id' must be text"),
        (line(timestamp="yesterday"), "ISO 8601"),
        (line(timestamp=1e300), "out of range"),
        (line(timestamp="0001-01-01T00:00:00+14:00"), "out of range"),
        (line(timestamp=[1]), "ISO 8601"),
        (line(text="Another text under the id of line 1."), "line 1"),
        ("[" * 100_000, "line"),
    ],
)
def test_a_wrong_line_is_named_by_its_number(file: Path, wrong: object, says: str) -> None:
    write(file, line(), "", wrong)
    with pytest.raises(BadFile, match="line 3: ") as caught:
        list(read_jsonl(file))
    assert says in str(caught.value)
    assert str(file) in str(caught.value)


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_bytes_that_are_no_utf8_are_named_by_their_line(file: Path) -> None:
    file.write_bytes(json.dumps(line()).encode() + b"\n" + '{"speaker": "李雷"}'.encode("gb18030") + b"\n")
    with pytest.raises(BadFile, match="line 2: the text is not UTF-8"):
        list(read_jsonl(file))


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.mkdir()], ids=["missing", "folder"])
def test_a_file_that_cannot_be_opened_is_one_sentence(file: Path, make: object) -> None:
    make(file)
    with pytest.raises(BadFile, match="cannot be read"):
        list(read_jsonl(file))


def test_a_byte_order_mark_and_windows_line_ends_are_read_through(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(line()).encode() + b"\r\n")
    (utterance,) = read_jsonl(file)
    assert utterance.text == "The lease ends in June."


def test_a_line_repeated_word_for_word_is_no_error(file: Path) -> None:
    write(file, line(), line())
    assert len(list(read_jsonl(file))) == 2


def test_an_unknown_time_zone_is_one_sentence(file: Path) -> None:
    write(file, line())
    with pytest.raises(BadInput, match="no time zone 'Mars/Olympus'"):
        list(read_jsonl(file, time_zone="Mars/Olympus"))


def test_a_conversation_is_chosen_by_its_session_or_what_is_before_the_slash(file: Path) -> None:
    write(file, line(session="a/1"), line(session="a/2"), line(session="ab/1"), line(session="b"))
    chosen = [utterance.session_id for utterance in read_jsonl(file, conversation="a")]
    assert chosen == ["a/1", "a/2"]
    with pytest.raises(BadFile, match="no conversation 'c'"):
        list(read_jsonl(file, conversation="c"))


@given(st.text(st.characters(exclude_categories=()), min_size=1))
def test_any_text_goes_in_and_comes_out_with_its_length(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("any") / "talk.jsonl"
    file.write_text(json.dumps(line(text=text)), encoding="utf-8")
    (utterance,) = read_jsonl(file)
    assert utterance.text == text
    assert utterance.observed_at.utcoffset() == timedelta(0)
