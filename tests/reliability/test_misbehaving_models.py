"""A provider that fails, stalls, babbles or lies costs the phrasing of an answer and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from veridical.graph import Context, Settings, VeridicalGraph, ask, build_graph, open_resources
from veridical.service.app import create_app
from veridical.service.options import ServiceOptions

from .provider import Provider, serving

pytestmark = [pytest.mark.requirement("P3", "P5", "MODELS-MISBEHAVE"), pytest.mark.allow_hosts(["127.0.0.1"])]

TOLD = {"en": "The final budget of Apollo is 48,500 dollars.", "zh": "阿波罗项目的最终预算是四万八千元。"}
ASKED = {"en": "What is the budget of Apollo?", "zh": "阿波罗项目的预算是多少？"}
NEVER_TOLD = {"en": "Who is the project manager of Apollo?", "zh": "阿波罗项目的项目经理是谁？"}
VALUE = {"en": "48,500", "zh": "四万八千"}
WRONG = {
    "empty": "",
    "blank": " \n ",
    "refusal": "I'm sorry, but I can't help with that request.",
    "refusal in Chinese": "很抱歉，作为一个人工智能，我无法回答这个问题。",
    "wrong language": "Le budget d'Apollo est de 99 999 dollars, je crois.",
    "wrong schema": '{"answer": {"text": ["The budget is 99,999 dollars."]}}',
    "truncated JSON": '{"queries": ["Apollo budget is 99,999',
    "repetition": "The budget is 99,999 dollars. " * 40,
    "markup": "<script>alert(1)</script> ```json {} ``` The budget is 99,999 dollars.",
}
FAULTS = ["status 429", "status 500", "status 503", "status 401", "dropped", "tool call", *WRONG]
SLOW = ["stalled", "endless"]


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """A provider that the settings' model is asked of."""
    with serving(Provider()) as started:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-a-secret-key")
        monkeypatch.setenv("OPENAI_BASE_URL", started.url)
        yield started


@pytest.fixture
def graph(provider: Provider, data_dir: Path) -> Iterator[VeridicalGraph]:
    """A graph with that model, over a memory that was told of two budgets."""
    settings = Settings(data_dir=data_dir, embeddings="hashing:256", model="openai:any", model_timeout=1.0)
    with open_resources(settings) as resources:
        graph = build_graph(resources)
        for language, text in TOLD.items():
            graph.invoke(
                {"messages": [("user", text)]}, context=Context(user_id=language, session_id=f"told-{language}")
            )
        yield graph


def misbehave(provider: Provider, fault: str, *, step: str) -> None:
    """Let the provider fail in one step, or in both."""
    said = WRONG.get(fault, fault)
    if step in {"rewrite", "both"}:
        provider.structured = said
    if step in {"answer", "both"}:
        provider.draft = said
    else:
        provider.draft = "The budget of Apollo is 77,777 dollars."


def check(graph: VeridicalGraph, language: str, fault: str) -> None:
    """The answer is grounded, the question without one is declined, and what failed is in the trace."""
    context = Context(user_id=language, session_id="asked")
    trace = ask(graph, ASKED[language], context)
    assert VALUE[language] in trace["text"] or trace["abstained"], trace["text"]
    assert ask(graph, NEVER_TOLD[language], context)["abstained"]
    said = json.dumps([trace["text"], trace["calls"]])
    assert not any(words in said for words in ("99,999", "99 999", "77,777", "internal words", "sk-a-secret", "sorry"))
    turns = graph.resources.memory.opening(language, "asked", 10)
    assert [turn.text for turn in turns if turn.role == "user"] == [ASKED[language], NEVER_TOLD[language]]
    outcomes = {call["outcome"] for call in trace["calls"]}
    assert outcomes != {"ok"} or trace["mode"] == "floor", trace["calls"]


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_a_provider_does_the_answer_is_grounded_or_declined(graph, provider, fault):
    misbehave(provider, fault, step="both")
    check(graph, "zh" if FAULTS.index(fault) % 2 else "en", fault)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("step", ["rewrite", "answer", "both"])
@pytest.mark.parametrize("fault", [*FAULTS, *SLOW])
def test_whatever_a_provider_does_in_any_step_the_answer_is_grounded_or_declined(
    graph, provider, fault, step, language
):
    misbehave(provider, fault, step=step)
    check(graph, language, fault)


def test_a_provider_that_stalls_is_given_up_and_readyz_says_so(graph, provider):
    misbehave(provider, "stalled", step="both")
    client = TestClient(create_app(graph, ServiceOptions(without_tokens=True)), base_url="http://127.0.0.1")
    check(graph, "en", "stalled")
    assert client.get("/readyz").json()["legs"]["model"] == "the last call failed: timeout"
    misbehave(provider, "The final budget of Apollo is 48,500 dollars.", step="answer")
    provider.structured = '{"queries": ["Apollo budget amount"]}'
    answered: dict[str, Any] = ask(graph, ASKED["en"], Context(user_id="en", session_id="later"))
    assert (answered["mode"], client.get("/readyz").json()["legs"]["model"]) == ("model", "ok")
