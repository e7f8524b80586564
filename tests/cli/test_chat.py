"""`veridical chat` over standard input."""

import json
import re

import pytest

from .conftest import Run, RunProcess, lines

APOLLO = lines(
    "The final budget of Apollo is 48,500 dollars.",
    "What is the budget of Apollo?",
    "Who is its project manager?",
    "/quit",
)
DAWN = lines("晨光项目的最终预算是四万八千五百元。", "晨光项目的预算是多少？", "它的项目经理是谁？", "/quit")


def answers(transcript: str) -> list[str]:
    """What was answered to each line of a transcript."""
    return [part.split("\n", 1)[1].strip() for part in transcript.split("\n> ")[1:] if "\n" in part]


@pytest.mark.requirement("CHAT-STDIN", "P5")
def test_a_question_is_answered_with_the_amount_the_date_and_the_turn(run_process: RunProcess) -> None:
    done = run_process("chat", input=APOLLO.encode())
    assert done.returncode == 0, done.stderr.decode()
    noted, answer, declined, *_ = answers(done.stdout.decode())
    assert "48,500 dollars" in noted
    assert "48,500 dollars" in answer
    assert re.search(r"\d{4}-\d{2}-\d{2}", answer)
    assert "[t1]" in answer or "[f1]" in answer
    assert "can't confirm" in declined
    assert done.stderr == b""


@pytest.mark.requirement("CHAT-STDIN", "P5")
def test_a_question_in_chinese_is_answered_in_chinese(run_process: RunProcess) -> None:
    done = run_process("chat", input=DAWN.encode(), LANG="zh_CN.UTF-8")
    assert done.returncode == 0, done.stderr.decode()
    transcript = done.stdout.decode()
    _, answer, declined, *_ = answers(transcript)
    assert "四万八千五百元" in answer
    assert re.search(r"\d{4}-\d{2}-\d{2}|\d{4}年", answer)
    assert "根据现有对话记录无法确认该信息" in declined
    assert "VERIDICAL_MODEL" in transcript.splitlines()[0]
    assert "模型" in transcript.splitlines()[0]


@pytest.mark.requirement("C31")
def test_what_was_said_is_remembered_by_the_next_chat(run: Run) -> None:
    run("chat", input=lines("My dentist is Dr. Okafor."))
    again = run("chat", input=lines("Who is my dentist?"))
    assert "Okafor" in answers(again.stdout)[0]


@pytest.mark.requirement("CHAT-OPENING")
def test_the_chat_opens_with_what_it_can_do_without_a_model(run: Run) -> None:
    first = run("chat", input="").stdout.splitlines()[0]
    assert "quoting" in first
    assert "VERIDICAL_MODEL" in first


@pytest.mark.requirement("CHAT-OPENING")
def test_due_todos_are_shown_at_the_start_and_others_are_counted(run: Run) -> None:
    run("chat", input=lines("Remind me to water the ferns today.", "Remind me to renew the passport on 3 May 2099."))
    opening = run("chat", input="").stdout
    assert "water the ferns" in opening
    assert "renew the passport" not in opening


@pytest.mark.requirement("CHAT-COMMANDS")
def test_the_slash_commands_show_and_leave(run: Run) -> None:
    talk = lines(
        "/help", "/why", "My cat is called Pixel.", "What is my cat called?", "/why", "/state", "/todos", "/nonsense"
    )
    shown = run("chat", input=talk + lines("/quit", "This is never said."))
    assert shown.exit_code == 0
    for words in (
        "/todos",
        "no answer to explain",
        "Sentences chosen",
        "Memory of local",
        "No open todos",
        "no such command",
    ):
        assert words in shown.stdout
    assert "never said" not in run("memory", "list", "--json").stdout


@pytest.mark.requirement("CHAT-COMMANDS", "WHY-CHAIN")
def test_why_in_a_chat_explains_an_item_and_a_turn(run: Run) -> None:
    said = lines("My rent is 900 euros.", "No, it is 950 euros.", "/why f2", "/why t1", "/why f9", "/why nonsense")
    shown = run("chat", input=said)
    item, turn = (shown.stdout.partition(f"> /why {what}\n")[2].partition("\n> ")[0] for what in ("f2", "t1"))
    assert "950 euros" in item
    assert "corrected" in item
    assert "My rent is 900 euros." in turn
    assert "no item 'f9'" in shown.stderr
    assert "a7, f3 and t12" in shown.stderr


@pytest.mark.requirement("CHAT-COMMANDS", "STATE")
def test_the_state_shows_names_as_they_were_said(run: Run) -> None:
    said = lines("The budget of the Apollo project is 5,000.", "No, it is 6,000.", "Clara lives in Porto.", "/state")
    shown = run("chat", input=said).stdout
    assert re.search(r"Apollo budget +6,000", shown)
    assert re.search(r"Clara home +Porto", shown)
    assert "talking about: Clara" in shown


@pytest.mark.requirement("CHAT-COMMANDS")
def test_a_line_that_only_begins_with_a_slash_is_said(run: Run) -> None:
    run("chat", input=lines("/etc/hosts is the file that I always forget."))
    assert "/etc/hosts" in run("memory", "show", "t1").stdout


@pytest.mark.requirement("CHAT-STDIN")
def test_odd_bytes_and_blank_lines_do_no_harm(run_process: RunProcess) -> None:
    odd = b"\xff\xfe My \xed\xa0\x80 badge number is 7781.\x00\n\n   \nWhat is my badge number?\r\n"
    done = run_process("chat", input=odd)
    assert done.returncode == 0, done.stderr.decode()
    assert "7781" in answers(done.stdout.decode())[1]


@pytest.mark.requirement("PRINT-PLAIN")
def test_control_sequences_that_were_said_reach_no_terminal(run: Run) -> None:
    shown = run("chat", input=lines("My code word is \x1b[31mkestrel\x1b[0m [bold]x[/bold].", "What is my code word?"))
    assert "\x1b" not in shown.stdout
    assert "[bold]x[/bold]" in shown.stdout


def test_a_chat_for_programs_prints_one_answer_per_line(run: Run) -> None:
    shown = run("chat", "--json", input=lines("My locker is 12B.", "What is my locker?", "/quit"))
    documents = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [document["answer_id"] for document in documents] == ["a1", "a2"]
    assert "12B" in documents[1]["text"]


def test_a_session_of_somebody_else_is_refused(run: Run) -> None:
    run("chat", "--user", "ada", "--session", "shared", input=lines("My locker is 12B."))
    refused = run("chat", "--user", "bob", "--session", "shared", input=lines("What is my locker?"))
    assert refused.exit_code == 2
    assert "belongs to another user" in refused.stderr
    assert "12B" not in refused.stdout


@pytest.mark.requirement("C24")
def test_every_turn_is_in_the_log_however_long_the_chat(run: Run) -> None:
    said = [f"Locker {number} is for bicycle {number * 7}." for number in range(40)]
    run("chat", input=lines(*said))
    assert said[0] in run("memory", "show", "t1").stdout
    assert said[-1] in run("memory", "show", f"t{2 * len(said) - 1}").stdout
