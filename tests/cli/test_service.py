"""`veridical serve` and `veridical token`: what an operator types, and what they are told."""

import json
import signal
import socket
import subprocess
import sys

import httpx
import pytest

pytestmark = [pytest.mark.requirement("SERVICE-COMMANDS"), pytest.mark.allow_hosts(["127.0.0.1"])]
LOOPBACK = "127.0.0.1"


def test_a_token_is_shown_once_and_then_only_known_by_its_id(run, data_dir):
    made = run("token", "create", "--user", "ann", "--terminal", "phone")
    token = made.stdout.strip()
    assert token.startswith("vrd_")
    assert token not in made.stderr
    (listed,) = json.loads(run("token", "list", "--json").stdout)["tokens"]
    assert (listed["user"], listed["terminal"], listed["revoked_at"]) == ("ann", "phone", None)
    secret = token.rpartition("_")[2].encode()
    assert all(secret not in path.read_bytes() for path in data_dir.rglob("*") if path.is_file())
    shown = run("token", "list", "--user", "ann").stdout
    assert "ann" in shown
    assert "valid" in shown
    assert token not in shown
    assert run("token", "list", "--user", "bob").stdout.startswith("No tokens")


def test_a_revoked_token_says_so(run):
    made = json.loads(run("token", "create", "--json").stdout)
    assert json.loads(run("token", "revoke", made["token_id"], "--json").stdout)["revoked_at"] is not None
    assert "revoked" in run("token", "list").stdout


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("serve", "--without-tokens", "--host", "192.0.2.1"), "leave it out"),
        (("serve", "--rate", "often"), "600/minute"),
        (("serve", "--host", "192.0.2.1"), "--host"),
        (("token", "revoke", "unknown"), "token list"),
    ],
)
def test_what_cannot_be_is_one_sentence_that_says_what_to_do(run, arguments, advice):
    run("token", "create")
    result = run(*arguments)
    assert result.exit_code == 2
    assert advice in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_a_port_that_is_taken_is_one_sentence(run):
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))
        taken.listen()
        result = run("serve", "--port", taken.getsockname()[1])
    assert result.exit_code == 2
    assert "--port" in result.stderr


def test_the_service_serves_until_it_is_interrupted(run, data_dir):
    token = run("token", "create", "--user", "ann").stdout.strip()
    command = [sys.executable, "-c", "from veridical.cli.app import main; main()", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url = process.stderr.readline().partition("http://")[2].split()[0]
        transport = httpx.HTTPTransport(retries=10)
        with httpx.Client(base_url=f"http://{url}", transport=transport, timeout=30) as http:
            assert http.get("/v1/memory/handles").status_code == 401
            answer = http.get("/v1/memory/handles", headers={"Authorization": f"Bearer {token}"})
            assert answer.json() == {"handles": [], "next": None}
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in {0, 130}
        assert "Traceback" not in process.stderr.read()
