"""One door to the models: deadlines, retries, and drafts that nobody overhears."""

import threading

import httpx
import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from tests.fakes import ScriptedModel, StatusError
from veridical.memory.models.client import Ledger, Model
from veridical.memory.models.failures import ModelFailure

ASKED = [HumanMessage("hello")]


class Wish(BaseModel):
    queries: list[str]


def model(*script: object, timeout: float = 5.0) -> tuple[Model, ScriptedModel, list[float]]:
    chat, waits = ScriptedModel(script=list(script)), []
    return Model(chat, "scripted", timeout=timeout, wait=waits.append), chat, waits


def test_a_draft_comes_piece_by_piece():
    door, _, _ = model(["one ", "two"])
    ledger = Ledger()
    assert list(door.stream(ASKED, "answer", ledger)) == ["one ", "two"]
    assert [(call.step, call.outcome) for call in ledger.calls] == [("answer", "ok")]
    assert ledger.calls[0].tokens == 3


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (StatusError(429, "3"), "rate_limited"),
        (StatusError(503), "unavailable"),
        (httpx.ConnectError("secret"), "unavailable"),
        (httpx.RemoteProtocolError("secret"), "unavailable"),
    ],
)
def test_a_passing_failure_is_tried_once_more(error: Exception, reason: str):
    door, chat, waits = model(error, "fine")
    ledger = Ledger()
    assert list(door.stream(ASKED, "answer", ledger)) == ["fine"]
    assert [call.outcome for call in ledger.calls] == [reason, "ok"]
    assert len(chat.calls) == 2
    assert waits == [3.0 if reason == "rate_limited" else 1.0]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (StatusError(401), "rejected"),
        (StatusError(400), "rejected"),
        (httpx.ReadTimeout("x"), "timeout"),
        (ValueError("x"), "rejected"),
    ],
)
def test_a_lasting_failure_is_not_tried_again(error: Exception, reason: str):
    door, chat, _ = model(error)
    with pytest.raises(ModelFailure) as failed:
        list(door.stream(ASKED, "answer", Ledger()))
    assert failed.value.reason == reason
    assert len(chat.calls) == 1


def test_a_failure_never_quotes_the_provider():
    door, _, _ = model(StatusError(400))
    with pytest.raises(ModelFailure) as failed:
        list(door.stream(ASKED, "answer", Ledger()))
    assert "secret" not in str(failed.value)


def test_a_stream_that_breaks_off_is_not_begun_again_behind_what_was_said():
    door, chat, _ = model(["said. ", ConnectionError()])
    heard = []
    with pytest.raises(ModelFailure, match="unavailable"):
        heard.extend(door.stream(ASKED, "answer", Ledger()))
    assert len(chat.calls) == 1


def test_a_model_that_hangs_is_given_up_at_the_deadline():
    release = threading.Event()
    door, _, _ = model([release], timeout=0.05)
    with pytest.raises(ModelFailure, match="timeout"):
        list(door.stream(ASKED, "answer", Ledger()))
    release.set()


def test_an_empty_answer_is_a_failure():
    door, _, _ = model("", "")
    with pytest.raises(ModelFailure, match="empty"):
        list(door.stream(ASKED, "answer", Ledger()))


def test_endless_repetition_is_cut_off_at_the_limit_of_its_step():
    door, chat, _ = model(["again " * 10] * 1000)
    said: list[str] = []
    ledger = Ledger()
    with pytest.raises(ModelFailure, match="overlong"):
        said.extend(door.stream(ASKED, "repair", ledger))
    assert 150 <= len("".join(said).split()) <= 210
    assert [call.outcome for call in ledger.calls] == ["overlong"]
    assert len(chat.calls) == 1


def test_an_object_that_is_cut_off_is_read_as_far_as_it_goes():
    endless = ['{"queries": ["a", "b", ', *(f'"{number} more words", ' for number in range(1000))]
    door, chat, _ = model(endless)
    found = door.structured(ASKED, Wish, "rewrite", Ledger())
    assert found.queries[:3] == ["a", "b", "0 more words"]
    assert len(found.queries) < 350
    assert len(chat.calls) == 1


def test_an_object_that_the_deadline_cuts_off_is_read_as_far_as_it_goes():
    release = threading.Event()
    door, _, _ = model(['{"queries": ["a", "b"', release], timeout=0.1)
    assert door.structured(ASKED, Wish, "rewrite", Ledger()) == Wish(queries=["a", "b"])
    release.set()


def test_what_ran_over_without_an_object_is_not_asked_for_again():
    door, chat, _ = model(["well, " * 10] * 1000)
    ledger = Ledger()
    with pytest.raises(ModelFailure, match="overlong"):
        door.structured(ASKED, Wish, "compress", ledger)
    assert [call.outcome for call in ledger.calls] == ["overlong"]
    assert len(chat.calls) == 1


def test_the_provider_is_told_the_limit_unless_the_model_thinks_in_it():
    plain, thinking = (ChatOpenAI(model=name, api_key="x") for name in ("gpt-4o-mini", "gpt-5-mini"))
    assert Model(plain, "plain").output_limit(200) == {"max_tokens": 200}
    assert Model(thinking, "thinking").output_limit(200) == {}
    assert Model(ScriptedModel(), "scripted").output_limit(200) == {}


def test_a_malformed_object_is_asked_for_once_more():
    door, chat, _ = model("no json here", '{"queries": ["a"]}')
    ledger = Ledger()
    assert door.structured(ASKED, Wish, "rewrite", ledger) == Wish(queries=["a"])
    assert [call.outcome for call in ledger.calls] == ["malformed", "ok"]
    assert len(chat.calls) == 2


def test_two_malformed_objects_are_a_failure():
    door, _, _ = model("{", "nothing")
    with pytest.raises(ModelFailure, match="malformed"):
        door.structured(ASKED, Wish, "rewrite", Ledger())


@pytest.mark.requirement("NO-DRAFT-LEAKS")
def test_a_host_that_listens_to_every_callback_hears_no_draft():
    heard: list[str] = []

    class Listener(BaseCallbackHandler):
        def on_chat_model_start(self, *args, **kwargs):
            heard.append("start")

        def on_llm_new_token(self, token, **kwargs):
            heard.append(token)

        def on_llm_end(self, *args, **kwargs):
            heard.append("end")

    door, _, _ = model("a secret draft")
    step = RunnableLambda(lambda _: "".join(door.stream(ASKED, "answer", Ledger())))
    assert step.invoke(1, {"callbacks": [Listener()]}) == "a secret draft"
    assert heard == []
