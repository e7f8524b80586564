"""Errands on the command line: in the chat, in `/state` and `/todos`, in `why` and as JSON, and the user's own files."""

import json
from pathlib import Path

import pytest

from tests.graph.errands import GYM

from .conftest import Run, lines

ORDER = ("Track order #12345.", "Never mind, ship it by SF.")


@pytest.mark.requirement("INTENT-STATE", "INTENT-TODOS")
def test_the_chat_shows_errands_in_the_state_and_beside_the_todos(run: Run) -> None:
    shown = run("chat", input=lines(*ORDER, "/todos", "/state")).stdout
    todos, state = shown.split("> /todos")[1].split("> /state")
    assert "ship it by SF" in todos
    assert "order 12345" in todos
    assert "Errands (1)" in state
    assert "shipping update" in state
    assert "shipping preference: sf" in state


@pytest.mark.requirement("INTENT-STATE")
def test_the_state_as_json_has_the_errand(run: Run) -> None:
    run("chat", input=lines(*ORDER))
    (intent,) = json.loads(run("state", "--json").stdout)["intents"]
    assert (intent["entity"], intent["state"], intent["turn_id"]) == ("order:12345", "shipping_update", "t3")


@pytest.mark.requirement("INTENT-TRACE")
def test_why_shows_the_step_its_words_and_the_guard(run: Run) -> None:
    run("chat", input=lines("Order #7 has shipped already.", "Cancel order #7."))
    shown = " ".join(run("why").stdout.replace("│", " ").split()).lower()
    for words in (
        "Errands",
        "settled by rules",
        "refused",
        "order:7",
        "“cancel”",
        "guard shipping_state = shipped: no",
    ):
        assert words.lower() in shown


@pytest.mark.requirement("INTENT-TRACE")
def test_a_turn_without_errands_shows_none(run: Run) -> None:
    run("chat", input=lines("My cat is called Pixel."))
    assert "Errands" not in run("why").stdout
    document = json.loads(run("ask", "What is my cat called?", "--json").stdout)
    assert "intents" not in document


@pytest.mark.requirement("INTENT-TRACE", "INTENT-IN-TURN")
def test_ask_as_json_has_what_was_proposed_and_records_nothing(run: Run) -> None:
    run("chat", input=lines(*ORDER))
    document = json.loads(run("ask", "Cancel order #12345.", "--json").stdout)
    assert document["intents"]["proposed"][0]["transition"] == "cancel"
    assert document["intents"]["settled_by"] == "floor"
    (intent,) = json.loads(run("state", "--json").stdout)["intents"]
    assert intent["state"] == "shipping_update"


@pytest.mark.requirement("INTENT-ASKED")
def test_ask_answers_from_the_record_of_an_errand(run: Run) -> None:
    run("chat", input=lines(*ORDER))
    document = json.loads(run("ask", "Did I say I wanted to change the delivery?", "--json").stdout)
    assert document["intents"]["inquiry"]["kind"] == "said"
    assert [cited["turn_id"] for cited in document["citations"]] == ["t3"]


@pytest.mark.requirement("INTENT-OWN-DOMAINS")
def test_domain_files_of_a_folder_are_followed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "domains"
    folder.mkdir()
    (folder / "gym.yaml").write_text(GYM, encoding="utf-8")
    monkeypatch.setenv("VERIDICAL_INTENTS", str(folder))
    shown = run("chat", input=lines("Please freeze membership A-77.")).stdout
    assert "Freeze membership #A-77" in shown


@pytest.mark.requirement("INTENT-OWN-DOMAINS", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("wrong", ["missing", "broken"])
def test_a_wrong_folder_or_file_is_one_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    folder = tmp_path / "domains"
    if wrong == "broken":
        folder.mkdir()
        (folder / "gym.yaml").write_text(GYM.replace("to: frozen", "to: nowhere"), encoding="utf-8")
    monkeypatch.setenv("VERIDICAL_INTENTS", str(folder))
    done = run("chat", input="")
    assert done.exit_code == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert str(folder) in done.stderr
