"""The agent over HTTP: verified sentences as a stream, one turn at a time in a session."""

import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from httpx_sse import connect_sse

from .conftest import Service


def say(http: httpx.Client, message: str, **given: object) -> list[tuple[str, dict]]:
    with connect_sse(http, "POST", "/v1/chat", json={"message": message, **given}) as source:
        return [(one.event, one.json()) for one in source.iter_sse()]


@pytest.mark.requirement("SERVICE-STORY", "C31")
@pytest.mark.parametrize("question", ["我上次体检的血糖是多少", "What was my blood sugar at the last check-up?"])
def test_a_report_that_the_phone_registered_answers_on_the_web_with_source_and_date(
    shared: Service, user: str, question: str
) -> None:
    with shared.http(user, "phone") as phone, shared.http(user, "web") as web:
        report = {
            "source": "mobile_app",
            "type": "medical_report",
            "metadata": {"report_date": "2026-02-20"},
            "state": {"glucose": {"value": 12.3, "unit": "mmol/L"}, "blood_pressure": "158/96"},
        }
        phone.post("/v1/memory/register", json=report)
        told = say(web, question)
    kinds = [kind for kind, _ in told]
    assert (kinds[0], kinds[-1]) == ("start", "done")
    (sentence,) = [part for kind, part in told if kind == "sentence"]
    assert "12.3 mmol/L" in sentence["text"]
    (cited,) = sentence["citations"]
    assert (cited["speaker"], cited["source"], cited["observed_at"][:10]) == (
        "mobile_app",
        "external_knowledge",
        "2026-02-20",
    )
    assert all(claim["verdict"] == "supported" for claim in sentence["claims"])
    assert told[-1][1]["answered"]


@pytest.mark.requirement("C37")
def test_a_correction_in_one_terminal_is_the_next_answer_of_another(shared: Service, user: str) -> None:
    with shared.http(user, "a") as a, shared.http(user, "b") as b:
        say(a, "My budget is 48,500 dollars.")
        say(b, "That's wrong, my budget is 52,000 dollars.")
        (answer,) = [part for kind, part in say(a, "What is my budget?") if kind == "sentence"]
    assert "52,000" in answer["text"]
    assert "48,500" not in answer["text"]


@pytest.mark.requirement("THREAD-OWNER")
def test_anothers_session_is_an_error_in_the_stream_and_tells_nothing(shared: Service, user: str) -> None:
    session = f"s {user}"
    with shared.http(user) as mine, shared.http(f"{user} 2") as other:
        say(mine, "The password hint is violet anchor.", session=session)
        told = say(other, "What is the password hint?", session=session)
    assert [kind for kind, _ in told][-2:] == ["error", "done"]
    assert dict(told)["error"]["status"] == 403
    assert "violet" not in json.dumps(told)


@pytest.mark.requirement("SERVICE-TURNS")
def test_turns_of_one_session_wait_for_each_other_and_none_is_lost(shared: Service, user: str) -> None:
    session = f"s {user}"
    with shared.http(user) as http, ThreadPoolExecutor(8) as pool:
        said = [f"Note {place}: the shelf {place} holds {place} boxes." for place in range(8)]
        told = list(pool.map(lambda text: say(http, text, session=session), said))
    assert all(parts[-1][1]["answered"] for parts in told)
    turns = shared.resources.memory.recent(user, session, 100)
    assert sorted(turn.text for turn in turns if turn.role == "user") == sorted(said)
    assert [turn.role for turn in turns] == ["user", "assistant"] * 8


@pytest.mark.requirement("SERVICE-TURNS", "P3")
def test_a_client_that_leaves_in_mid_answer_loses_nothing(shared: Service, user: str) -> None:
    session = f"s {user}"
    with shared.http(user) as http:
        body = {"message": "My dentist is Dr. Wu.", "session": session, "message_id": "m1"}
        with connect_sse(http, "POST", "/v1/chat", json=body) as source:
            assert next(source.iter_sse()).event == "start"
        again = say(http, "Who is my dentist?", session=session)  # waits for the turn before it
    turns = shared.resources.memory.recent(user, session, 100)
    assert [turn.role for turn in turns] == ["user", "assistant", "user", "assistant"]
    assert "Wu" in again[-1][1]["text"]


@pytest.mark.requirement("SERVICE-IDEMPOTENT")
def test_a_message_that_is_sent_again_is_the_same_turn(shared: Service, user: str) -> None:
    session = f"s {user}"
    with shared.http(user) as http:
        for _ in range(2):
            say(http, "My dentist is Dr. Wu.", session=session, message_id="m1")
    turns = shared.resources.memory.recent(user, session, 100)
    assert [turn.text for turn in turns if turn.role == "user"] == ["My dentist is Dr. Wu."]


def test_a_turn_that_is_not_to_be_recorded_leaves_the_memory_as_it_was(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        say(http, "My dentist is Dr. Wu.")
        before = shared.resources.memory.state(user)
        answer = say(http, "Who is my dentist?", record=False)[-1][1]
    assert "Wu" in answer["text"]
    assert shared.resources.memory.state(user) == before


@pytest.mark.requirement("FORGET-CHAT", "SERVICE-FORGET")
@pytest.mark.parametrize(
    ("told", "forget", "no", "yes", "question"),
    [
        ("My dentist is Dr. Wu.", "Forget that.", "No.", "Yes.", "Who is my dentist?"),
        ("我的牙医是吴医生。", "忘掉那个", "算了", "是的", "我的牙医是谁？"),
    ],
    ids=["en", "zh"],  # the name of the user must not hold what is to be forgotten
)
def test_forget_that_shows_what_would_go_and_forgets_when_the_offer_is_answered_with_yes(
    shared: Service, user: str, told: str, forget: str, no: str, yes: str, question: str
) -> None:
    session = f"s {user}"
    with shared.http(user) as http:
        say(http, told, session=session)
        asked = say(http, forget, session=session)
        offered = dict(asked)["forget"]
        chosen = {name: offered[name] for name in ("kind", "names")}
        kept = say(http, no, session=session, forgetting=chosen)
        known = http.get("/v1/memory/turns").json()["turns"]
        done = say(http, yes, session=session, forgetting=chosen)
        left = http.get("/v1/memory/turns").json()["turns"]
        answer = say(http, question, session=session)[-1][1]
    assert [kind for kind, _ in asked] == ["start", "forget", "sentence", "done"]
    assert [turn["text"] for turn in offered["turns"]] == [told]
    assert told in dict(asked)["sentence"]["text"]
    assert dict(asked)["done"]["answered"]
    assert [kind for kind, _ in kept] == ["start", "sentence", "done"]
    assert [turn["text"] for turn in known if turn["role"] == "user"] == [told]
    assert [kind for kind, _ in done] == ["start", "forgotten", "sentence", "done"]
    report = dict(done)["forgotten"]
    assert (report["residue"], report["problems"], left) == ([], [], [])
    assert answer["abstained"]


@pytest.mark.requirement("FORGET-CHAT")
def test_a_yes_without_an_offer_forgets_nothing_and_another_line_after_one_is_answered(
    shared: Service, user: str
) -> None:
    session = f"s {user}"
    with shared.http(user) as http:
        say(http, "My dentist is Dr. Wu.", session=session)
        offered = dict(say(http, "Forget that.", session=session))["forget"]
        chosen = {name: offered[name] for name in ("kind", "names")}
        other = say(http, "Who is my dentist?", session=session, forgetting=chosen)
        say(http, "yes", session=session)
        missing = dict(say(http, "forget t999", session=session))
        nothing = dict(say(http, "forget that"))
    assert "Wu" in other[-1][1]["text"]
    assert missing["error"]["status"] == 404
    assert "nothing here to forget" in nothing["sentence"]["text"]
    assert "Wu" in shared.resources.memory.recent(user, session, 20)[0].text
