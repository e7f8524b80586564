"""Files and messages that are too large, too deep or broken: one sentence that names the place, and nothing lost."""

import json
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.hostile.corpus import clock
from tests.memory.knowledge.pdf import write_pdf
from veridical.cli.app import app
from veridical.evals.datasets import jsonl
from veridical.evals.records import Source
from veridical.graph.build import build_graph
from veridical.memory.errors import BadFile, BadInput
from veridical.memory.ingestion.importing import Format, Selection, survey
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


LONG = "x" * (LONGEST_TURN + 1)
MOMENT = "2026-03-02T10:00:00Z"
# Each is its format with a turn that is too long.
EXPORTS: dict[str, tuple[str, object]] = {
    "locomo": (
        "D1:1",
        [
            {
                "sample_id": "c1",
                "conversation": {
                    "session_1_date_time": "1:56 pm on 8 May, 2023",
                    "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": LONG}],
                },
            }
        ],
    ),
    "openai": (
        "m1",
        [
            {
                "conversation_id": "c1",
                "create_time": 1.0,
                "current_node": "n1",
                "mapping": {
                    "n1": {
                        "parent": None,
                        "message": {
                            "id": "m1",
                            "author": {"role": "user"},
                            "content": {"content_type": "text", "parts": [LONG]},
                        },
                    }
                },
            }
        ],
    ),
    "claude": (
        "m1",
        [{"uuid": "c1", "created_at": MOMENT, "chat_messages": [{"uuid": "m1", "sender": "human", "text": LONG}]}],
    ),
}


@pytest.mark.requirement("LIMITS", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("name", EXPORTS)
def test_a_turn_of_an_export_that_is_too_long_is_named(tmp_path: Path, name: Format) -> None:
    turn, content = EXPORTS[name]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(BadFile, match=f"Turn '{turn}' of session 'c1.*has 200,001 characters"):
        survey(Selection(path, name, "ann"))


@pytest.mark.requirement("LIMITS", "ERRORS-ONE-SENTENCE")
def test_a_turn_of_a_data_set_that_is_too_long_is_named(tmp_path: Path) -> None:
    turn = {"speaker": "user", "text": LONG, "timestamp": MOMENT, "external_id": "e1"}
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps({"turn": turn}), encoding="utf-8")
    with pytest.raises(BadFile, match="Turn 'e1' of session 'talk/session_1' has 200,001 characters"):
        jsonl.load(Source(path))


DEEP = {
    "list": "[" * 100_000,
    "object": '{"a":' * 100_000,
    "closed": "[" * 900 + "]" * 900,
    "digits": "[" + "9" * 100_000 + "]",
}


@pytest.mark.requirement("LIMITS", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("content", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize(
    "command",
    [
        *(("ingest", "--format", name, "FILE") for name in ("jsonl", "locomo", "openai", "claude")),
        ("memory", "import", "FILE"),
        ("intents", "check", "FILE"),
        ("eval", "report", "FILE", "report.html"),
        ("eval", "compare", "FILE", "FILE"),
        *(("eval", "run", name, "--dataset", "FILE") for name in ("jsonl", "locomo", "longmemeval", "madial")),
        ("eval", "run", "stories", "--dataset", "FILE"),
    ],
    ids=" ".join,
)
def test_a_file_that_is_nested_too_deeply_is_one_sentence_of_any_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], content: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDICAL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", "hashing:16")
    path = tmp_path / ("file.yaml" if command[0] == "intents" or "stories" in command else "file.json")
    path.write_text(content, encoding="utf-8")
    done = CliRunner().invoke(app, [str(path) if part == "FILE" else part for part in command])
    told = done.stderr.strip() or done.stdout.strip()
    assert done.exit_code in {1, 2}, (done.exit_code, told[:500])
    assert isinstance(done.exception, SystemExit), done.exception
    assert 0 < len(told) < 600, told[:1000]
    assert "Traceback" not in told
    assert path.name in told


@pytest.mark.requirement("LIMITS", "ERRORS-ONE-SENTENCE")
def test_settings_that_are_nested_too_deeply_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIDICAL_DATA_DIR", str(tmp_path))
    (tmp_path / "settings.toml").write_text("answer = " + "[" * 100_000, encoding="utf-8")
    for command in (("config",), ("ask", "What?")):
        done = CliRunner().invoke(app, command)
        assert (done.exit_code, "settings.toml" in done.stderr, len(done.stderr) < 400) == (2, True, True), done


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
