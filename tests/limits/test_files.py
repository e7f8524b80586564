"""Files and messages that are too large, too deep or broken: one sentence that names the place, and nothing lost."""

import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hostile.corpus import clock
from tests.memory.knowledge.pdf import write_pdf
from veridical.graph.build import build_graph
from veridical.memory.errors import BadFile, BadInput
from veridical.memory.ingestion.importing import Selection, survey
from veridical.memory.ingestion.utterances import LONGEST_TURN
from veridical.memory.knowledge.reading import read_document
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.turns import count_turns
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources


def _row(number: int, **given: object) -> str:
    row = {
        "speaker": "user",
        "text": f"Note {number}.",
        "timestamp": "2026-03-02T10:00:00Z",
        "external_id": str(number),
    }
    return json.dumps({**row, **given})


@pytest.mark.requirement("LIMITS", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{not json", "not JSON"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        (_row(7000, text="x" * (LONGEST_TURN + 1)), "200,001 characters"),
        (_row(7000, timestamp="yesterday"), "no ISO 8601 time"),
        (_row(7000, text={"a": 1}), "'text' must be text"),
    ],
    ids=["broken", "deep", "long", "time", "type"],
)
def test_one_bad_line_of_ten_thousand_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "talk.jsonl"
    rows = [_row(number) for number in range(1, 10_001)]
    rows[6999] = line
    path.write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(BadFile, match=f"line 7000: .*(?:{problem})") as raised:
        survey(Selection(path, "jsonl", "ann"))
    assert len(str(raised.value)) < 400


@pytest.mark.requirement("LIMITS")
def test_a_message_of_a_megabyte_is_one_sentence_and_a_long_one_is_kept(data_dir: Path) -> None:
    with Memory(data_dir, open_embedder("hashing:16")) as memory:
        graph = build_graph(Resources(memory=memory, clock=clock(), time_zone="UTC"))
        context = Context(user_id="ann", session_id="s")
        with pytest.raises(BadInput, match="1,000,000 characters, more than the 200,000"):
            graph.invoke({"messages": [("user", "x" * 1_000_000)]}, context=context)
        with memory.database.read() as connection:
            assert count_turns(connection, "ann") == 0
        graph.invoke({"messages": [("user", "x" * 50_000)]}, context=context)
        with memory.database.read() as connection:
            assert count_turns(connection, "ann") == 2


@pytest.mark.requirement("LIMITS", "INGEST-ARCHIVES")
def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b" " * 50_000_000)
    with pytest.raises(BadFile, match="too large when unpacked"):
        survey(Selection(path, "openai", "ann"))


@pytest.mark.requirement("LIMITS", "KNOWLEDGE-ADD")
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"%PDF-1.4",
        b"%PDF-1.4\n" + b"\x00" * 5000,
        b"%PDF-1.7\n1 0 obj\n<< /Length 99999999999 >>\nstream\n",
        b"not a PDF",
    ],
    ids=["empty", "head", "zeros", "length", "text"],
)
def test_a_broken_pdf_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=r"broken\.pdf"):
        read_document(path)


@pytest.mark.requirement("LIMITS", "KNOWLEDGE-ADD")
def test_a_pdf_that_is_cut_or_encrypted_is_one_sentence(tmp_path: Path) -> None:
    whole = write_pdf(tmp_path / "whole.pdf", ["A fee of 5 dollars."]).read_bytes()
    for place in range(20, len(whole), 97):
        path = tmp_path / "cut.pdf"
        path.write_bytes(whole[:place])
        # What can still be read is read; anything but this one error would fail the test.
        with suppress(BadFile):
            read_document(path)
    with pytest.raises(BadFile, match=r"locked\.pdf"):
        read_document(write_pdf(tmp_path / "locked.pdf", ["A fee."], password="x"))


@pytest.mark.requirement("LIMITS")
@pytest.mark.parametrize(
    "text",
    [
        "\u200b" * 5000,
        "\u202e" * 5000,
        "\ud800 lone",
        "a\x00b",
        "👩‍👩‍👧‍👦" * 500,
        "x" * 10_000,
        "预" * 10_000,
        "e\u0301" * 3000,
    ],
    ids=["zero-width", "right-to-left", "surrogate", "NUL", "emoji", "word", "ideographs", "combining"],
)
def test_odd_characters_are_kept_and_asked_about(data_dir: Path, text: str) -> None:
    with Memory(data_dir, open_embedder("hashing:16")) as memory:
        graph = build_graph(Resources(memory=memory, clock=clock(), time_zone="UTC"))
        for said in (f"My note is {text} and my budget is 5 dollars.", f"What is my budget? {text[:200]}"):
            result = graph.invoke({"messages": [("user", said)]}, context=Context(user_id="ann", session_id="s"))
        assert result["answer"].text
        kept = memory.turns("ann", [1])[1].text
        assert kept == f"My note is {text} and my budget is 5 dollars.".replace("\x00", "\ufffd").replace(
            "\ud800", "\ufffd"
        )
