"""`veridical forget`, "forget that" in a chat, and bundles, as people and scripts use them."""

import json
import shutil
from pathlib import Path

import pytest

from .conftest import Run, lines

CODE = "My access code is zorblax-48215."


def holding(folder: Path, *wanted: str) -> list[str]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path.name for path in files if any(text.encode() in path.read_bytes() for text in wanted)]


@pytest.mark.requirement("FORGET-COMMAND", "C34")
@pytest.mark.parametrize(
    ("told", "value", "forms"),
    [
        (CODE, "ZORBLAX-48215", ["zorblax", "48215"]),
        ("我的花名叫魑魅小鱼。", "魑魅小鱼", ["魑魅", "魑 魅"]),
        ("预算定为83万7千元。", "837,000", ["83万7千", "837000"]),
    ],
)
def test_forget_shows_what_would_go_and_asks_first(run: Run, data_dir, told, value, forms):
    run("chat", input=lines(told, "My favourite colour is green."))
    refused = run("forget", "--value", value, input="n\n")
    assert refused.exit_code == 0
    assert f"t1  {told}" in refused.stdout
    assert "Nothing was changed" in refused.stdout
    assert holding(data_dir, *forms)

    done = run("forget", "--value", value, input="y\n")

    assert done.exit_code == 0, done.output
    assert "Nothing of it was found." in done.stdout
    assert "veridical.db" in done.stdout
    assert "checkpoints.db" in done.stdout
    assert holding(data_dir, *forms) == []
    assert "green" in run("ask", "What is my favourite colour?").stdout
    assert run("doctor").exit_code == 0


@pytest.mark.requirement("FORGET-COMMAND")
def test_a_script_gets_a_report_without_the_text(run: Run):
    run("chat", input=lines(CODE, "What is my access code?"))
    done = run("forget", "--turn", "t1", "--yes", "--json")
    report = json.loads(done.stdout)
    assert (report["clean"], report["turns"], report["echoes"]) == (True, ["t1", "t2", "t4"], ["t2", "t4"])
    assert report["residue"] == []
    assert "zorblax" not in done.stdout
    assert json.loads(run("forget", "--turn", "t1", "--yes", "--json").stdout)["turns"] == []


@pytest.mark.requirement("FORGET-COMMAND", "FORGET-RESIDUE")
def test_left_over_text_is_named_and_the_exit_code_says_so(run: Run, data_dir):
    run("chat", input=lines(CODE))
    (data_dir / "notes.txt").write_text(f"{CODE}\n", encoding="utf-16")
    done = run("forget", "--turn", "t1", "--yes")
    assert done.exit_code == 1
    assert "Left over: notes.txt at byte" in done.stdout
    assert "Nothing of it was found" not in done.stdout


@pytest.mark.requirement("FORGET-COMMAND")
def test_everything_can_be_forgotten(run: Run, data_dir):
    run("chat", "--user", "quetzal", input=lines(CODE))
    assert run("forget", "--all", "--yes", "--user", "quetzal").exit_code == 0
    assert holding(data_dir, "zorblax", "quetzal") == []
    assert "no memory of user 'quetzal'" in run("state", "--user", "quetzal").stderr


@pytest.mark.requirement("FORGET-COMMAND", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "exactly one of --turn"),
        (("--turn", "t1", "--all"), "exactly one of --turn"),
        (("--value", " "), "--value is empty"),
        (("--turn", "t99"), "There is no turn 't99'"),
        (("--turn", "f1"), "its ids look like t3"),
        (("--all", "--user", "nobody"), "no memory of user 'nobody'"),
    ],
)
def test_a_wrong_request_is_one_sentence(run: Run, arguments, said):
    run("chat", input=lines(CODE))
    wrong = run("forget", *arguments, "--yes")
    assert wrong.exit_code == 2
    assert said in wrong.stderr
    assert wrong.stderr.count("\n") == 1


@pytest.mark.requirement("FORGET-CHAT", "CHAT-COMMANDS")
@pytest.mark.parametrize(
    ("told", "forget", "no", "yes", "gone", "question"),
    [
        (CODE, "Forget that.", "no", "Yes.", "zorblax", "What is my access code?"),
        (CODE, "please forget what I just said", "wait", "y", "zorblax", "What is my access code?"),
        ("我的花名叫魑魅小鱼。", "忘掉那个", "不", "是的", "魑魅", "我的花名是什么？"),
        ("我的花名叫魑魅小鱼。", "请把刚才说的忘掉吧。", "算了", "好", "魑魅", "我的花名是什么？"),
    ],
)
def test_forget_that_asks_and_forgets_after_a_yes(run: Run, data_dir, told, forget, no, yes, gone, question):
    run("chat", "--session", "s1", input=lines(told, forget, no))
    assert holding(data_dir, gone)
    chat = run("chat", "--session", "s1", input=lines(forget, yes, question))
    assert "t1" in chat.stdout
    assert chat.exit_code == 0
    assert holding(data_dir, gone) == []
    assert chat.stdout.rpartition(question)[2].count(gone) == 0


@pytest.mark.requirement("FORGET-CHAT")
def test_after_an_answer_that_means_what_was_quoted_and_an_id_means_that_turn(run: Run, data_dir):
    talk = lines(CODE, "My favourite colour is green.", "What is my access code?", "forget that", "yes")
    assert "Forgotten: t1," in run("chat", input=talk).stdout
    assert "已忘掉：t3" in run("chat", input=lines("忘掉 t3", "yes")).stdout
    assert holding(data_dir, "zorblax", "green") == []


@pytest.mark.requirement("FORGET-CHAT")
def test_what_only_sounds_like_it_is_said_to_the_agent(run: Run):
    chat = run("chat", input=lines("Don't let me forget that the gate code is 7741.", "yes", "忘了带钥匙"))
    assert "for good?" not in chat.stdout
    assert "永久" not in chat.stdout


@pytest.mark.requirement("FORGET-CHAT")
def test_a_program_is_asked_and_told_in_json(run: Run):
    chat = run("chat", "--json", input=lines(CODE, "forget that", "yes"))
    _, asked, done = map(json.loads, chat.stdout.splitlines())
    assert (asked["forgotten"], done["forgotten"]["clean"]) == (None, True)
    assert done["forgotten"]["turns"][0] == "t1"


@pytest.mark.requirement("C18", "FORGET-CHAT")
@pytest.mark.parametrize(
    ("told", "correction", "question", "right"),
    [
        (
            "The budget of Apollo is 48,500 dollars.",
            "That's wrong, it is 52,000 dollars.",
            "What is the budget of Apollo?",
            "52,000",
        ),
        ("阿波罗项目的预算是5万元。", "不对，应该是6万元。", "阿波罗项目的预算是多少？", "6万"),
    ],
)
def test_that_is_wrong_corrects_in_a_chat(run: Run, told, correction, question, right):
    chat = run("chat", input=lines(told, correction, question))
    assert right in chat.stdout.rpartition(question)[2].splitlines()[1]


@pytest.mark.requirement("FORGET-BACKUP", "P8")
def test_a_restored_backup_forgets_again(run: Run, data_dir, tmp_path):
    run("chat", input=lines(CODE, "My favourite colour is green."))
    shutil.copytree(data_dir, tmp_path / "backup")
    run("forget", "--turn", "t1", "--yes")
    for name in ("veridical.db", "checkpoints.db"):
        shutil.copy(tmp_path / "backup" / name, data_dir / name)
    assert holding(data_dir, "zorblax")
    assert "green" in run("ask", "What is my favourite colour?").stdout
    assert holding(data_dir, "zorblax") == []
    assert "zorblax" not in run("ask", "What is my access code?").stdout


@pytest.mark.requirement("FORGET-BACKUP", "ERRORS-ONE-SENTENCE")
def test_a_damaged_list_of_forgettings_is_one_sentence(run: Run, data_dir):
    run("chat", input=lines(CODE))
    (data_dir / "forgotten.jsonl").write_text("{\n", encoding="utf-8")
    damaged = run("state")
    assert (damaged.exit_code, "forgotten.jsonl cannot be read" in damaged.stderr) == (2, True)


@pytest.mark.requirement("EXPORT-LOSSLESS", "MEMORY-COMMANDS")
def test_a_memory_is_exported_and_imported(run: Run, tmp_path):
    run("chat", input=lines("The budget of Apollo is 48,500 dollars.", "The budget of Apollo is now 52,000 dollars."))
    file = tmp_path / "me.jsonl"
    assert "4 turns and 2 items written" in run("memory", "export", file).stdout
    assert run("memory", "export", file).exit_code == 2
    assert json.loads(run("memory", "export", file, "--force", "--json").stdout)["counts"]["turn"] == 4

    elsewhere = ("--data", tmp_path / "elsewhere")
    assert "4 turns and 2 items brought in" in run("memory", "import", file, *elsewhere).stdout
    assert "there already" in run("memory", "import", file, *elsewhere).stdout
    for command in (("memory", "history", "f1"), ("state",), ("why", "a1"), ("ask", "What is the budget of Apollo?")):
        assert run(*command, *elsewhere).stdout == run(*command).stdout
    assert run("doctor", *elsewhere).exit_code == 0


@pytest.mark.requirement("EXPORT-LOSSLESS", "FORGET-BACKUP")
def test_an_import_says_what_stays_forgotten(run: Run, tmp_path, data_dir):
    run("chat", input=lines(CODE))
    run("memory", "export", tmp_path / "me.jsonl")
    run("forget", "--all", "--yes")
    assert "stay forgotten" in run("memory", "import", tmp_path / "me.jsonl").stdout
    assert holding(data_dir, "zorblax") == []


@pytest.mark.requirement("INGEST-OPENAI", "INGEST-CLAUDE")
@pytest.mark.parametrize("format", ["openai", "claude"])
def test_an_export_of_another_agent_is_remembered(run: Run, tmp_path, format):
    said = {"id": "m1", "author": {"role": "user"}, "content": {"content_type": "text", "parts": ["My dog is Rex."]}}
    chats = {
        "openai": [{"id": "c1", "create_time": 1.7e9, "current_node": "n", "mapping": {"n": {"message": said}}}],
        "claude": [
            {
                "uuid": "c1",
                "created_at": "2023-11-14T22:13:20Z",
                "chat_messages": [{"uuid": "m1", "sender": "human", "text": "My dog is Rex."}],
            }
        ],
    }
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chats[format]), encoding="utf-8")
    assert "1 turns recorded" in run("ingest", path, "--format", format).stdout
    assert "0 turns recorded" in run("ingest", path, "--format", format).stdout
    turn = json.loads(run("memory", "show", "t1", "--json").stdout)
    assert (turn["external_id"], turn["source"], turn["observed_at"][:10]) == ("m1", "user_input", "2023-11-14")
