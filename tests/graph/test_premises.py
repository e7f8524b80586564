"""Requests that take something for granted: what the records refute is challenged, and what they hold is not."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from langchain_core.messages import HumanMessage

from tests.fakes import ScriptedModel
from veridical.graph import Context, Resources, build_graph
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models

Say = Callable[..., str]
CHALLENGED = ("Our records say otherwise:", "这与对话记录不符：")


def asked(say: Say, said: list[str], request: str) -> tuple[bool, str]:
    for text in said:
        say(text)
    answer = say(request)
    return answer.startswith(CHALLENGED), answer


@pytest.mark.requirement("P4", "FALSE-PREMISE")
@pytest.mark.parametrize(
    ("said", "request_", "quoted"),
    [
        (["I live in Portland.", "I moved to Boston."], "Plan my weekend in Portland.", "moved to Boston"),
        (
            ["I live in Portland.", "I moved to Boston."],
            "Can you plan a weekend for me in Portland?",
            "moved to Boston",
        ),
        (["I left Portland."], "Plan my weekend in Portland", "left Portland"),
        (["I work at Acme.", "I work at Globex now."], "Draft an email to my boss at Acme.", "Globex"),
        (["My boss is Dana."], "Write a note to my boss Omar.", "Dana"),
        (["My budget is 3,000 euros."], "Find me a sofa within my budget of 5,000 euros.", "3,000 euros"),
        (["我住在波特兰。", "我搬到波士顿了。"], "帮我安排这周末在波特兰的活动", "波士顿"),
        (["我在宏图上班。", "我现在在青禾上班。"], "帮我写一封给宏图人事的邮件", "青禾"),
    ],
)
def test_what_the_records_refute_is_challenged(say: Say, said: list[str], request_: str, quoted: str):
    challenged, answer = asked(say, said, request_)
    assert challenged, answer
    assert quoted in answer


@pytest.mark.requirement("P4", "FALSE-PREMISE")
@pytest.mark.parametrize(
    ("said", "request_"),
    [
        (["I live in Boston."], "Plan my weekend in Boston."),
        (["I live in Portland.", "I moved to Boston."], "Plan my weekend in Boston."),
        (["I live in Portland.", "I moved to Boston."], "Plan a trip to Portland for me."),
        (["I live in Portland.", "I moved to Boston."], "Where did I live before Boston, was it Portland?"),
        (["I live in Portland."], "I moved to Boston."),
        (["I work at Globex now."], "Draft an email to my boss at Globex."),
        (["My boss is Dana."], "Write a note to my boss Dana."),
        (["My budget is 3,000 euros."], "Find me a sofa within my budget of 3000 euros."),
        (["我住在波士顿。"], "帮我安排这周末在波士顿的活动"),
        (["我住在波特兰。", "我搬到波士顿了。"], "帮我安排这周末在波士顿的活动"),
        (["我住在波特兰。", "我搬到波士顿了。"], "帮我订一张去波特兰的机票"),
        (["我现在在青禾上班。"], "帮我写一封给青禾人事的邮件"),
    ],
)
def test_what_holds_or_is_told_as_past_is_not(say: Say, said: list[str], request_: str):
    challenged, answer = asked(say, said, request_)
    assert not challenged, answer


@pytest.mark.requirement("P4", "FALSE-PREMISE")
def test_a_model_cannot_go_along_with_what_is_not_so(resources: Resources):
    context = Context(user_id="ann", session_id="s")
    floor = build_graph(resources)
    for text in ("I live in Portland.", "I moved to Boston."):
        floor.invoke({"messages": [HumanMessage(text)]}, context=context)
    draft = "On Saturday you could stay at home in Portland. [t1]"
    chat = ScriptedModel(script=[json.dumps({"queries": ["weekend"]}), draft, draft])
    model = Model(chat, "scripted", timeout=5, wait=lambda _: None)
    graph = build_graph(replace(resources, models=Models(answer=model, rewrite=model)))
    request = {"messages": [HumanMessage("Can you plan my weekend in Portland?")]}
    answer = graph.invoke(request, context=context)["answer"]
    assert answer.text.startswith(CHALLENGED)
    assert "moved to Boston" in answer.text
    assert {claim.verdict for claim in answer.claims} == {"supported"}
