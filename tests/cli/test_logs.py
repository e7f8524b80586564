"""What a command logs where the settings ask for it: ids and times on stderr, no words and no password."""

import io
import json

import pytest

from ..graph.test_logs import log  # noqa: F401 - a fixture
from .conftest import Run, lines

pytestmark = pytest.mark.requirement("LOGS-WITHOUT-TEXT")


def test_a_chat_logs_its_turns_and_not_their_words(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    log: io.StringIO,  # noqa: F811
) -> None:
    said = ("The budget of Apollo is 48,500 dollars.", "阿波罗的预算是多少？", "forget t99")
    quiet = run("chat", "--user", "ann", input=lines(said[0]))
    monkeypatch.setenv("VERIDICAL_LOG", "debug")
    told = run("chat", "--user", "ann", input=lines(*said))
    written = [json.loads(line) for line in told.stderr.splitlines() if line.startswith("{")]
    assert [line["turn"] for line in written if line["event"] == "answered"] == ["t3", "t5"]
    assert '"event"' not in quiet.stderr
    assert '"event"' not in told.stdout
    assert [word for word in ("Apollo", "48,500", "阿波罗", "预算", '"ann"') if word in told.stderr] == []


def test_the_password_of_a_database_is_in_no_log_and_no_message(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    log: io.StringIO,  # noqa: F811
) -> None:
    monkeypatch.setenv("VERIDICAL_LOG", "debug")
    monkeypatch.setenv(
        "VERIDICAL_DATABASE_URL", "postgresql+psycopg://ann:hunter2@127.0.0.1:1/nowhere?connect_timeout=2"
    )
    result = run("recall", "Apollo")
    assert result.exit_code == 2
    assert "hunter2" not in result.output + log.getvalue()
