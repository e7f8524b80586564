"""The exports of ChatGPT and Claude, as files, folders and zip files."""

import json
import zipfile
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.errors import BadFile
from veridical.memory.ingestion import archives
from veridical.memory.ingestion.claude import read_claude
from veridical.memory.ingestion.exported import branch
from veridical.memory.ingestion.openai import read_openai
from veridical.memory.ingestion.utterances import as_turns

READERS = {"openai": read_openai, "claude": read_claude}


def node(key: str, parent: str | None, role: str, *parts: Any, at: float | None = None, **more: Any) -> dict[str, Any]:
    content = {"content_type": more.pop("content_type", "text"), "parts": list(parts)}
    message = {"id": f"m-{key}", "author": {"role": role}, "content": content, "create_time": at, "recipient": "all"}
    return {"id": key, "parent": parent, "children": [], "message": message | more}


def chat(*nodes: dict[str, Any], current: str | None, **more: Any) -> dict[str, Any]:
    mapping: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": [], "message": None}}
    mapping |= {entry["id"]: entry for entry in nodes}
    for entry in nodes:
        mapping[entry["parent"]]["children"].append(entry["id"])
    return {
        "conversation_id": "c1",
        "title": "Talk",
        "create_time": 1_700_000_000.0,
        "current_node": current,
        "mapping": mapping,
    } | more


CHATGPT = chat(
    node("sys", "root", "system", "", metadata={"is_visually_hidden_from_conversation": True}),
    node("ctx", "sys", "user", "The user lives in Atlantis.", content_type="user_editable_context"),
    node("q1", "ctx", "user", "My dog is Rex, 我的狗叫雷克斯。", at=1_700_000_100.25),
    node("old", "q1", "assistant", "A fine name.", at=1_700_000_110.0),
    node("new", "q1", "assistant", "Noted.", at=1_700_000_120.0),
    node("call", "new", "assistant", "search()", at=1_700_000_125.0, recipient="browser"),
    node("tool", "call", "tool", "Rex is a dinosaur.", at=1_700_000_126.0),
    node(
        "q2", "tool", "user", {"content_type": "image_asset_pointer", "asset_pointer": "file://x"}, "Look at him!",
        at=None, content_type="multimodal_text",
    ),
    current="q2",
)  # fmt: skip

CLAUDE = {
    "uuid": "c2",
    "name": "Talk",
    "created_at": "2024-05-01T09:00:00.000000Z",
    "chat_messages": [
        {
            "uuid": "u1",
            "sender": "human",
            "created_at": "2024-05-01T09:00:01.500000Z",
            "text": "My dog is Rex.",
            "content": [{"type": "text", "text": "My dog is Rex."}],
            "attachments": [{"file_name": "a.txt", "extracted_content": "Rex is a dinosaur."}],
        },
        {
            "uuid": "u2",
            "sender": "assistant",
            "created_at": "2024-05-01T09:00:05+00:00",
            "text": "This block is not supported. Noted.",
            "content": [{"type": "tool_use", "name": "search"}, {"type": "text", "text": "Noted."}],
        },
        {"uuid": "u3", "sender": "human", "created_at": None, "text": "我的狗叫雷克斯。"},
        {"uuid": "u4", "sender": "assistant", "created_at": "2024-05-01T09:01:00Z", "text": "", "content": []},
    ],
}
EXPORTS = {"openai": [CHATGPT], "claude": [CLAUDE]}


def file_of(folder: Path, conversations: Any, name: str = "conversations.json") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(conversations), encoding="utf-8")
    return path


@pytest.mark.requirement("INGEST-OPENAI", "C7")
def test_the_branch_that_was_shown_is_read_with_its_times_and_speakers(tmp_path):
    turns = list(as_turns(read_openai(file_of(tmp_path, [CHATGPT])), "ann"))
    assert [(turn.external_id, turn.source, turn.text) for turn in turns] == [
        ("m-q1", "user_input", "My dog is Rex, 我的狗叫雷克斯。"),
        ("m-new", "ai_generated", "Noted."),
        ("m-q2", "user_input", "Look at him!"),
    ]
    assert {turn.session_id for turn in turns} == {"c1"}
    assert [turn.observed_at.timestamp() for turn in turns] == [1_700_000_100.25, 1_700_000_120.0, 1_700_000_126.0]


@pytest.mark.requirement("INGEST-OPENAI")
@pytest.mark.parametrize("current", [None, "gone"])
def test_without_a_current_node_the_latest_branch_is_read(tmp_path, current):
    nodes = [
        node("q", "root", "user", "Hello there.", at=10.0),
        node("late", "q", "assistant", "Later.", at=30.0),
        node("soon", "q", "assistant", "Sooner.", at=20.0),
    ]
    read = list(read_openai(file_of(tmp_path, [chat(*nodes, current=current)])))
    assert [utterance.text for utterance in read] == ["Hello there.", "Later."]


@pytest.mark.requirement("INGEST-CLAUDE")
def test_a_claude_export_is_read_with_its_times_and_speakers(tmp_path):
    turns = list(as_turns(read_claude(file_of(tmp_path, [CLAUDE])), "ann"))
    assert [(turn.external_id, turn.source, turn.text) for turn in turns] == [
        ("u1", "user_input", "My dog is Rex."),
        ("u2", "ai_generated", "Noted."),
        ("u3", "user_input", "我的狗叫雷克斯。"),
    ]
    assert turns[0].observed_at == datetime(2024, 5, 1, 9, 0, 1, 500_000, tzinfo=UTC)
    assert turns[2].observed_at == turns[1].observed_at


@pytest.mark.requirement("INGEST-CLAUDE")
def test_of_an_edited_claude_message_the_last_version_is_read(tmp_path):
    def said(key: str, parent: str, sender: str, text: str) -> dict[str, Any]:
        return {"uuid": key, "parent_message_uuid": parent, "sender": sender, "text": text}

    messages = [
        said("a", "0", "human", "My cat is Tom."),
        said("b", "a", "assistant", "Tom, then."),
        said("c", "0", "human", "My cat is Tim."),
        said("d", "c", "assistant", "Tim, then."),
    ]
    edited = CLAUDE | {"chat_messages": messages}
    read = list(read_claude(file_of(tmp_path, [edited])))
    assert [utterance.text for utterance in read] == ["My cat is Tim.", "Tim, then."]


@pytest.mark.requirement("INGEST-ARCHIVES")
@pytest.mark.parametrize("format", READERS)
def test_a_zip_file_and_a_folder_read_as_the_file_does(tmp_path, format):
    path = file_of(tmp_path / "export", EXPORTS[format])
    (tmp_path / "export" / "user.json").write_text("{}", encoding="utf-8")
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.write(path, "data/conversations.json")
        packed.writestr("../../evil.txt", "outside")
    read = READERS[format]
    assert list(read(archive)) == list(read(tmp_path / "export")) == list(read(path))
    assert not (tmp_path.parent / "evil.txt").exists()


@pytest.mark.requirement("INGEST-ARCHIVES")
def test_a_zip_file_beyond_the_limits_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST", 1000)
    archive = tmp_path / "bomb.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("conversations.json", "[" + " " * 100_000 + "]")
    with pytest.raises(BadFile, match="too large when unpacked"):
        list(read_openai(archive))


FAULTS = [
    pytest.param("{}", "a list of conversations", id="no-list"),
    pytest.param('[\n{"a": }]', "line 2: not JSON", id="no-json"),
    pytest.param("[1]", "conversation 1", id="no-object"),
    pytest.param('[{"mapping": {}, "chat_messages": []}]', "conversation 1: it has no", id="no-id"),
    pytest.param("[" * 100_000, "nested too deeply|not JSON", id="deep"),
]


@pytest.mark.requirement("INGEST-OPENAI", "INGEST-CLAUDE", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("format", READERS)
@pytest.mark.parametrize(("content", "said"), FAULTS)
def test_what_is_no_export_is_one_sentence(tmp_path, format, content, said):
    path = tmp_path / "conversations.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadFile, match=said):
        list(READERS[format](path))


@pytest.mark.requirement("INGEST-ARCHIVES", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("format", READERS)
def test_an_export_without_conversations_or_without_the_one_asked_for_is_one_sentence(tmp_path, format):
    archive = tmp_path / "empty.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("user.json", "{}")
    with pytest.raises(BadFile, match="holds no conversations"):
        list(READERS[format](archive))
    archive.write_bytes(archive.read_bytes()[:-10] + b"PK\x05\x06")
    with pytest.raises(BadFile):
        list(READERS[format](archive))
    with pytest.raises(BadFile, match="'elsewhere'"):
        list(READERS[format](file_of(tmp_path, EXPORTS[format]), conversation="elsewhere"))


@pytest.mark.requirement("INGEST-OPENAI")
@given(st.dictionaries(st.text(max_size=2), st.one_of(st.none(), st.text(max_size=2)), max_size=8), st.text(max_size=2))
def test_a_branch_ends_even_where_the_parents_run_in_a_circle(parents, leaf):
    path = branch(parents, leaf)
    assert len(path) == len(set(path)) <= len(parents)
    assert all(parents[after] == before for before, after in pairwise(path))
