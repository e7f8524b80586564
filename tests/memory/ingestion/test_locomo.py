"""The reader of LoCoMo."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from veridical.memory.errors import BadFile
from veridical.memory.ingestion.importing import Selection
from veridical.memory.ingestion.locomo import read_locomo

DATA = Path(os.environ.get("VERIDICAL_EVAL_DATA", Path(__file__).parents[4] / "shared" / "data")) / "locomo_dev"


def sample(id: str = "conv-1") -> dict[str, Any]:
    return {
        "sample_id": id,
        "qa": [],
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "11:59 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I adopted a greyhound."},
                {
                    "speaker": "Ben",
                    "dia_id": "D1:2",
                    "text": "Look at this!",
                    "blip_caption": "a photo of a red kite",
                    "query": "kite festival Weifang",
                    "img_url": ["https://example.org/kite.jpg"],
                },
            ],
            "session_10_date_time": "12:09 am on 13 October, 2023",
            "session_10": [{"speaker": "Ada", "dia_id": "D10:1", "text": "Rex is well."}],
            "session_2_date_time": "1:14 pm on 25 May, 2023",
            "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "How is the dog?"}],
            "session_11_date_time": "1:14 pm on 25 December, 2023",
        },
    }


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(tmp_path / "talks.json", [sample(), sample("conv-2")])


@pytest.mark.requirement("INGEST-LOCOMO", "C20")
def test_each_turn_keeps_its_time_speaker_and_external_id(file: Path) -> None:
    turns = list(Selection(file, "locomo", "me", conversation="conv-1").turns())
    assert [(turn.session_id, turn.external_id, turn.speaker) for turn in turns] == [
        ("conv-1/session_1", "D1:1", "Ada"),
        ("conv-1/session_1", "D1:2", "Ben"),
        ("conv-1/session_2", "D2:1", "Ben"),
        ("conv-1/session_10", "D10:1", "Ada"),
    ]
    assert turns[0].observed_at == datetime(2023, 5, 8, 23, 59, tzinfo=UTC)
    assert turns[3].observed_at == datetime(2023, 10, 13, 0, 9, tzinfo=UTC)
    assert {turn.source for turn in turns} == {"user_input"}


def test_the_step_between_turns_keeps_their_order_and_their_minute(file: Path) -> None:
    first, second, *_ = read_locomo(file)
    assert timedelta(0) < second.observed_at - first.observed_at < timedelta(seconds=1)


@pytest.mark.requirement("INGEST-LOCOMO")
def test_an_image_is_told_by_its_caption_and_never_by_the_words_it_was_searched_with(file: Path) -> None:
    text = [utterance.text for utterance in read_locomo(file)][1]
    assert text == "Look at this! [shares an image: a photo of a red kite]"
    assert not any("Weifang" in utterance.text or "http" in utterance.text for utterance in read_locomo(file))


def test_an_image_without_words_is_still_an_utterance(tmp_path: Path) -> None:
    content = sample()
    content["conversation"]["session_1"][1]["text"] = ""
    texts = [utterance.text for utterance in read_locomo(write(tmp_path / "talks.json", [content]))]
    assert texts[1] == "[shares an image: a photo of a red kite]"


def test_a_folder_is_read_through_whatever_else_lies_in_it(file: Path) -> None:
    write(file.parent / "label_errors.json", [{"question_id": "q1"}])
    write(file.parent / "notes.txt", "not for us")
    assert len(list(read_locomo(file.parent))) == 8


def test_the_session_times_are_of_the_zone_given(file: Path) -> None:
    first = next(Selection(file, "locomo", "me", time_zone="Asia/Shanghai").turns())
    assert first.observed_at == datetime(2023, 5, 8, 15, 59, tzinfo=UTC)
    assert first.time_zone == "Asia/Shanghai"


def broken(change: object) -> list[dict[str, Any]]:
    content = [sample(), sample("conv-2")]
    change(content[1]["conversation"])
    return content


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("change", "marker", "says"),
    [
        (lambda c: c["session_2"][0].pop("text"), '"session_2": [', "'text' is missing"),
        (lambda c: c["session_1"][1].pop("dia_id"), '"speaker": "Ben"', "'dia_id' is missing"),
        (lambda c: c.update(session_2="none"), '"conversation": {', "must be a list"),
        (lambda c: c.update(session_2=["words"]), '"conversation": {', "must be an object"),
        (lambda c: c.pop("session_2_date_time"), '"conversation": {', "'session_2_date_time' is missing"),
        (lambda c: c.update(session_2_date_time="May"), '"conversation": {', "not a time like"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, change: object, marker: str, says: str) -> None:
    file = write(tmp_path / "talks.json", broken(change))
    with pytest.raises(BadFile) as caught:
        list(read_locomo(file))
    assert says in str(caught.value)
    line = int(str(caught.value).split("line ")[1].split(":")[0])
    lines = file.read_text(encoding="utf-8").splitlines()
    second = next(number for number, text in enumerate(lines, 1) if "conv-2" in text)
    assert second < line <= len(lines)
    assert any(marker in text for text in lines[line - 2 : line + 2])


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('[\n{"sample_id": "conv-1",\n]', "line 3: not JSON"),
        ({"sample_id": "conv-1"}, "LoCoMo is a list"),
        (["conv-1"], "LoCoMo is a list"),
        ([{"sample_id": "conv-1"}], "has no 'conversation'"),
        ([{"conversation": {}}], "'sample_id' is missing"),
        ([], "has no conversations"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_of_another_form_is_one_sentence(tmp_path: Path, content: object, says: str) -> None:
    file = write(tmp_path / "talks.json", content)
    with pytest.raises(BadFile, match=says):
        list(read_locomo(file))


def test_a_conversation_that_is_not_there_is_said(file: Path) -> None:
    with pytest.raises(BadFile, match="no conversation 'conv-9'"):
        list(read_locomo(file, conversation="conv-9"))


def test_a_folder_without_conversations_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="holds no LoCoMo file"):
        list(read_locomo(tmp_path))


@pytest.mark.requirement("INGEST-LOCOMO")
@pytest.mark.skipif(not DATA.is_dir(), reason=f"the evaluation data is not at {DATA}: set VERIDICAL_EVAL_DATA")
def test_the_public_conversations_are_read_whole() -> None:
    utterances = list(read_locomo(DATA))
    assert len(utterances) == 2760
    assert len({(utterance.session_id, utterance.external_id) for utterance in utterances}) == 2760
    raw = json.loads((DATA / "locomo_dev.json").read_text(encoding="utf-8"))
    searched = {
        turn["query"]
        for each in raw
        for value in each["conversation"].values()
        if isinstance(value, list)
        for turn in value
        if "query" in turn
    }
    captions_and_words = "\n".join(utterance.text for utterance in utterances)
    leaked = {query for query in searched if query in captions_and_words}
    said = {
        query
        for query in searched
        if any(
            query in (turn.get("text", "") + turn.get("blip_caption", ""))
            for each in raw
            for value in each["conversation"].values()
            if isinstance(value, list)
            for turn in value
        )
    }
    assert leaked <= said
