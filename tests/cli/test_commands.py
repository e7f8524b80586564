"""The commands over a small memory, as a person and a program use them."""

import json
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .conftest import Run, RunProcess, lines


@pytest.fixture
def told(run: Run, small_embedder: None) -> Run:
    """A memory that was told a few things."""
    run(
        "chat",
        "--session",
        "one",
        input=lines("The budget of Apollo is 48,500 dollars.", "I work at Initech.", "I now work at Hooli."),
    )
    return run


def document(run: Run, *arguments: object) -> dict:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def item_with(run: Run, value: str) -> dict:
    return next(item for item in document(run, "memory", "list", "--all")["items"] if value in item["value"])


@pytest.mark.requirement("CLI-ASK-JSON")
def test_an_answer_cites_the_turn_it_quotes(told: Run) -> None:
    answer = document(told, "ask", "What is the budget of Apollo?")
    assert "48,500 dollars" in answer["text"]
    assert answer["mode"] == "floor"
    assert answer["citations"][0]["turn_id"] == "t1"
    assert "48,500 dollars" in answer["citations"][0]["quote"]
    assert answer["model_calls"] == 0


@pytest.mark.requirement("ASK-CHANGES-NOTHING")
def test_asking_changes_no_memory_unless_it_is_told_to(told: Run, data_dir: Path) -> None:
    def turns() -> int:
        with sqlite3.connect(data_dir / "veridical.db") as connection:
            return connection.execute("SELECT count(*) FROM turns").fetchone()[0]

    before, state = turns(), document(told, "state")
    told("ask", "What is the budget of Apollo?")
    assert (turns(), document(told, "state")) == (before, state)
    told("ask", "--record", "What is the budget of Apollo?")
    assert turns() == before + 2


@pytest.mark.requirement("WHY-CHAIN")
def test_why_explains_the_last_answer_or_the_one_named(told: Run) -> None:
    first = document(told, "ask", "What is the budget of Apollo?")["answer_id"]
    told("ask", "Where do I work?")
    assert "Where do I work?" in told("why").stdout
    shown = told("why", first).stdout
    assert "What is the budget of Apollo?" in shown
    assert "48,500 dollars" in shown
    trace = document(told, "why", first)
    assert {"question", "queries", "results", "dropped", "evidence", "claims", "citations"} <= trace.keys()


@pytest.mark.requirement("WHY-CHAIN")
def test_why_explains_an_item_and_a_turn_as_other_programs_are_told(told: Run) -> None:
    listed = document(told, "memory", "list", "--entity", "apollo")["items"][0]
    item, turn = listed["id"], listed["turn_id"]
    shown = told("why", item).stdout
    assert listed["quote"] in shown
    assert "holds since" in shown
    assert "Noted from it" in told("why", turn.upper()).stdout
    of_item, of_turn = document(told, "why", item), document(told, "why", turn)
    assert (of_item["item"], of_item["turn"]) == (listed, of_turn["turn"])
    assert listed in of_item["versions"]
    assert listed in of_turn["items"]


@pytest.mark.requirement("STATE")
def test_the_state_is_the_same_bytes_in_every_terminal(told: Run, run_process: RunProcess) -> None:
    here = told("state", "--json").stdout.encode()
    elsewhere = run_process("state", "--json")
    assert elsewhere.stderr == b""
    assert elsewhere.stdout == here
    facts = json.loads(here)["current_facts"]
    assert any("48,500" in fact["value"] for fact in facts)
    assert "48,500" in told("state").stdout


@pytest.mark.requirement("STATE-SCHEMA")
def test_the_schema_of_the_state_is_printed_without_a_memory(run: Run, data_dir: Path) -> None:
    schema = document(run, "state", "--schema")
    assert {"current_facts", "open_todos", "conflicts"} <= schema["properties"].keys()
    assert not data_dir.exists()


@pytest.mark.requirement("MEMORY-COMMANDS", "C11")
def test_a_history_shows_what_replaced_what_and_when(told: Run) -> None:
    old, new = item_with(told, "Initech"), item_with(told, "Hooli")
    assert (old["live"], new["live"]) == (False, True)
    assert old["superseded_by"] == new["id"]
    versions = document(told, "memory", "history", new["id"])["versions"]
    assert [version["id"] for version in versions] == [old["id"], new["id"]]
    shown = told("memory", "history", old["id"]).stdout
    assert shown.index("Initech") < shown.index("Hooli")
    assert "Initech" not in told("memory", "list").stdout


@pytest.mark.requirement("MEMORY-COMMANDS", "C18", "C37")
def test_a_correction_retires_the_old_value_and_answers_follow_at_once(told: Run) -> None:
    budget = item_with(told, "48,500")
    corrected = document(told, "memory", "correct", budget["id"], "52,000 dollars")
    assert corrected["live"]
    assert corrected["normal"] == "52000"
    assert "52,000 dollars" in document(told, "ask", "What is the budget of Apollo?")["text"]
    old = document(told, "memory", "show", budget["id"])
    assert (old["closed_by"], old["superseded_by"]) == ("correction", corrected["id"])
    assert told("doctor").exit_code == 0


@pytest.mark.requirement("MEMORY-COMMANDS", "P1", "P3")
def test_a_correction_is_a_turn_that_quotes_the_new_value_in_the_old_words(run: Run) -> None:
    run("chat", input=lines("晨光项目的最终预算是四万八千五百元。"))
    budget = item_with(run, "四万八千五百元")
    corrected = document(run, "memory", "correct", budget["id"], "五万二千元")
    turn = document(run, "memory", "show", corrected["turn_id"])
    assert "晨光项目的最终预算是五万二千元" in turn["text"]
    assert turn["source"] == "user_input"
    assert document(run, "memory", "show", "t1")["text"] == "晨光项目的最终预算是四万八千五百元。"
    again = run("memory", "correct", budget["id"], "六万元")
    assert again.exit_code == 2
    assert f"correct {corrected['id']} instead" in again.stderr
    same = run("memory", "correct", corrected["id"], "五万二千元")
    assert same.exit_code == 2


@pytest.mark.requirement("MEMORY-COMMANDS")
def test_a_turn_is_shown_with_what_was_noted_from_it(told: Run) -> None:
    shown = document(told, "memory", "show", "t1")
    assert shown["text"] == "The budget of Apollo is 48,500 dollars."
    assert shown["items"]
    assert "48,500 dollars" in told("memory", "show", "t1").stdout


@pytest.mark.requirement("AS-OF")
def test_what_was_known_earlier_can_be_asked_for(told: Run) -> None:
    before = document(told, "memory", "list", "--recorded-as-of", "2020-01-01")
    assert before["items"] == []
    recall = document(told, "recall", "Where do I work?", "--recorded-as-of", "2020-01-01")
    assert recall["results"] == []


@pytest.mark.requirement("CONFIG")
def test_config_says_where_every_value_comes_from(run: Run, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data_dir.mkdir()
    (data_dir / "settings.toml").write_text("limit = 7\n", encoding="utf-8")
    settings = {row["name"]: row for row in document(run, "config")["settings"]}
    assert (settings["limit"]["value"], settings["limit"]["origin"]) == (7, "settings.toml")
    assert settings["embeddings"]["origin"] == "VERIDICAL_EMBEDDINGS"
    assert settings["buffer"]["origin"] == "default"
    monkeypatch.delenv("VERIDICAL_DATA_DIR")
    named = {row["name"]: row for row in document(run, "config", "--data", data_dir)["settings"]}
    assert (named["data_dir"]["value"], named["data_dir"]["origin"]) == (str(data_dir), "--data")
    assert "limit" in run("config").stdout


@pytest.mark.requirement("REINDEX", "WRONG-EMBEDDER", "C30")
def test_another_embedder_is_refused_and_reindex_takes_it(told: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = document(told, "state")
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", "hashing:64")
    refused = told("ask", "What is the budget of Apollo?")
    assert refused.exit_code == 2
    assert "veridical reindex" in refused.stderr
    assert told("doctor").exit_code == 1
    done = document(told, "reindex")
    assert done["embedder"] == "hashing:64"
    assert done["embedded"] > 0
    assert document(told, "state") == before
    assert "48,500" in document(told, "ask", "What is the budget of Apollo?")["text"]
    assert told("doctor").exit_code == 0


@pytest.mark.requirement("DOCTOR")
def test_the_doctor_repairs_what_it_can_and_exits_with_1_while_something_is_wrong(told: Run, data_dir: Path) -> None:
    with sqlite3.connect(data_dir / "veridical.db") as connection:
        connection.execute("DELETE FROM vectors")
    found = told("doctor")
    assert found.exit_code == 1
    assert "doctor --fix" in found.stdout
    repaired = told("doctor", "--fix")
    assert repaired.exit_code == 0, repaired.stdout
    assert "repaired" in repaired.stdout
    with sqlite3.connect(data_dir / "veridical.db") as connection:
        connection.execute("UPDATE items SET quote = 'made up' WHERE number = 1")
    left = told("doctor", "--fix", "--json")
    assert left.exit_code == 1
    assert not json.loads(left.stdout)["healthy"]


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    "arguments",
    [
        ("recall", "anything"),
        ("ask", "anything"),
        ("why",),
        ("state",),
        ("memory", "list"),
        ("memory", "show", "t1"),
        ("memory", "history", "f1"),
        ("memory", "correct", "f1", "x"),
        ("doctor",),
        ("reindex",),
    ],
)
def test_a_memory_that_is_not_there_is_one_sentence_and_stays_away(
    run: Run, data_dir: Path, arguments: tuple[str, ...]
) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("veridical: There is no memory")
    assert done.stderr.count("\n") == 1
    assert not data_dir.exists()


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("recall", "x", "--user", "nobody"), "no memory of user 'nobody'"),
        (("why", "a99"), "no answer 'a99'"),
        (("why", "t99"), "no turn 't99'"),
        (("why", "f99"), "no item 'f99'"),
        (("why", "x1"), "a7, f3 and t12"),
        (("memory", "show", "t99"), "no turn 't99'"),
        (("memory", "show", "f99"), "no item 'f99'"),
        (("memory", "show", "x"), "no item 'x'"),
        (("memory", "correct", "f1", " "), "empty"),
        (("recall", "x", "--as-of", "soon"), "is no time"),
        (("recall", " "), "no text"),
        (("ask", ""), "no text"),
        (("doctor", "--user", "nobody"), "no memory of user 'nobody'"),
    ],
)
def test_what_cannot_be_found_is_one_sentence(told: Run, arguments: tuple[str, ...], says: str) -> None:
    done = told(*arguments)
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_a_corrupt_store_is_one_sentence(told: Run, data_dir: Path) -> None:
    for name in ("veridical.db-wal", "veridical.db-shm"):
        (data_dir / name).unlink(missing_ok=True)
    (data_dir / "veridical.db").write_bytes(b"not a database" * 1000)
    for arguments in (("ask", "anything"), ("doctor",), ("chat",)):
        done = told(*arguments)
        assert done.exit_code == 2
        assert "not a readable database" in done.stderr


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("variable", "value"),
    [("VERIDICAL_LIMIT", "many"), ("VERIDICAL_EMBEDDINGS", "word2vec"), ("VERIDICAL_TIME_ZONE", "Mars")],
)
def test_a_wrong_setting_is_one_sentence(told: Run, monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    done = told("ask", "anything")
    assert done.exit_code == 2
    assert value in done.stderr or variable in done.stderr


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_a_data_folder_that_is_a_file_is_one_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = run("chat", "--data", tmp_path / "file", input="hello\n")
    assert done.exit_code == 2
    assert "--data" in done.stderr


def test_a_new_data_folder_is_its_owners_alone(told: Run, data_dir: Path) -> None:
    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700


@pytest.mark.requirement("C32", "P6")
def test_users_whose_names_are_alike_are_never_mixed(run: Run) -> None:
    users = ["a", "ab", "a_b", "a-b", "%", "a@b.example", "a.b", "用户甲"]
    for number, user in enumerate(users):
        run("chat", "--user", user, input=lines(f"My locker is number {700 + number}."))
    for number, user in enumerate(users):
        answer = document(run, "ask", "What is my locker number?", "--user", user)["text"]
        assert [str(700 + other) in answer for other in range(len(users))] == [
            other == number for other in range(len(users))
        ]


@pytest.mark.requirement("TWO-PROCESSES")
def test_two_processes_on_one_folder_find_what_the_other_recorded(run_process: RunProcess, run: Run) -> None:
    run("chat", input=lines("My locker is 12B."))
    other = run_process("chat", input=lines("My badge is 7781.", "What is my locker?").encode())
    assert other.returncode == 0, other.stderr.decode()
    assert "12B" in other.stdout.decode()
    assert "7781" in document(run, "ask", "What is my badge?")["text"]


@pytest.mark.requirement("TWO-PROCESSES", "C36")
def test_an_import_beside_two_chats_loses_nothing(run_process: RunProcess, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "crates.jsonl"
    rows = (
        {"speaker": "Mira", "text": f"Crate {n} holds lamps.", "timestamp": 1714555800 + n, "external_id": f"m{n}"}
        for n in range(300)
    )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    talks = [lines(*(f"Shelf {n} of room {room} is red." for n in range(12))).encode() for room in (1, 2)]
    with ThreadPoolExecutor() as pool:
        started = [pool.submit(run_process, "ingest", file, "--format", "jsonl")]
        started += [pool.submit(run_process, "chat", input=talk) for talk in talks]
        ended = [process.result() for process in started]
    assert [(done.returncode, done.stderr.decode()) for done in ended[1:]] == [(0, ""), (0, "")]
    assert ended[0].returncode == 0, ended[0].stderr.decode()
    health = document(run, "doctor")
    counted = {check["name"]: check["examined"] for check in health["checks"]}
    assert counted["full text"] == 300 + 2 * 24
    assert health["healthy"]


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version").stdout.startswith("veridical ")
