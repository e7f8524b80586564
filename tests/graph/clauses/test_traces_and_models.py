"""What a question about clauses was read as is in every trace, and a model is held to the clauses that it sees."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.graph.papers import PAYMENT_A
from veridical.graph.build import build_graph
from veridical.graph.guard import VeridicalGraph
from veridical.graph.recall import recall
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.nodes.contract import Context, Resources

from ...fakes import ScriptedModel

Say = Callable[..., str]


@pytest.mark.requirement("CLAUSES-TRACE", "CLI-RECALL-JSON")
def test_condition_results_and_rules_are_in_the_recall(resources: Resources, shelf: None):
    found = recall(resources, "clause 5 of contract A", Context(user_id="ann"))
    condition = found["filter"]["clauses"]
    assert (condition["wants"], condition["keys"]) == ("text", ["SERVICE_CONTRACT_A"])
    assert condition["numbers"] == [{"number": "5", "parts": [5], "inserted": 0, "said": "clause 5"}]
    assert [result["channels"] for result in found["results"]] == [{"clause": 1.0}]
    rules = {drop["rule"] for drop in found["dropped"]}
    assert {"identity", "validity"} <= rules <= {"identity", "validity", "number"}
    assert json.loads(json.dumps(found))["filter"]["clauses"] == condition


@pytest.mark.requirement("CLAUSES-TRACE", "WHY-CHAIN")
def test_condition_and_rules_are_in_the_stored_trace_and_in_the_stream(
    graph: VeridicalGraph, resources: Resources, shelf: None
):
    asked = {"messages": [("user", "clause 5 of contract A in 2024")]}
    context = Context(user_id="ann", session_id="s")
    parts = list(graph.stream(asked, context=context, stream_mode=["updates", "custom"]))
    calibrated = next(data["calibrate"] for mode, data in parts if mode == "updates" and "calibrate" in data)
    event = next(data for mode, data in parts if mode == "custom" and data["type"] == "calibration")
    trace = resources.memory.answer("ann")
    assert event["clauses"] == trace["filter"]["clauses"]
    assert event["clauses"]["versions"][0]["said"] == "in 2024"
    assert event["kept"] == [result["id"] for result in trace["results"]] == [one.id for one in calibrated["kept"]]
    assert event["dropped"] == [{"id": one["id"], "rule": one["rule"]} for one in trace["dropped"]]
    assert {one.rule for one in calibrated["dropped"]} >= {"validity", "identity"}


def with_model(resources: Resources, *script: str) -> tuple[VeridicalGraph, ScriptedModel]:
    fake = ScriptedModel(script=list(script))
    client = Model(fake, "scripted", timeout=5, wait=lambda _: None)
    return build_graph(replace(resources, models=Models(answer=client, rewrite=client))), fake


@pytest.mark.requirement("CLAUSES-QUOTED", "P4")
@pytest.mark.parametrize(
    ("question", "draft", "released"),
    [
        (
            "Does clause 8 of contract A allow termination with 30 days' notice?",
            "Under clause 8.1 of contract A either party may terminate with 90 days' notice [{id}].",
            True,
        ),
        (
            "Does clause 8 of contract A allow termination with 30 days' notice?",
            "Under clause 8.1 of contract A either party may terminate with 30 days' notice [{id}].",
            False,
        ),
        (
            "Does clause 8 of contract A allow termination with 30 days' notice?",
            "Clause 9.1 says that either party may terminate with 90 days' notice [{id}].",
            False,
        ),
        (
            "Does clause 8 of contract A allow termination with 30 days' notice?",
            "Under contract C either party may terminate with 90 days' notice [{id}].",
            False,
        ),
        ("租赁合同第三条规定押金多少", "根据租赁合同第三条，押金为13000元 [{id}]。", True),
        ("租赁合同第三条规定押金多少", "根据租赁合同第三条，押金为12000元 [{id}]。", False),
    ],
)
def test_a_model_sees_clauses_in_readable_form_and_is_held_to_them(
    resources: Resources, shelf: None, question: str, draft: str, released: bool
):
    found = recall(resources, question, Context(user_id="ann"))["results"][0]["id"]
    said = draft.format(id=found)
    graph, fake = with_model(resources, said, "NONE")
    answer = graph.invoke({"messages": [("user", question)]}, context=Context(user_id="ann"))["answer"]
    assert (answer.text == said) == released
    assert answer.mode == ("model" if released else "floor")
    asked = fake.calls[0][-1].text
    line = next(line for line in asked.splitlines() if line.startswith("- ["))
    assert line.startswith(
        ("- [SERVICE_CONTRACT_A_v2.1] CONTRACT_TERMINATION_8 (termination_clause): ", "- [房屋租赁合同_")
    )
    assert f"[{found}]" in line


@pytest.mark.requirement("CLAUSES-QUOTED")
def test_who_asks_for_nothing_but_the_clause_gets_its_wording_and_no_draft(resources: Resources, shelf: None):
    graph, fake = with_model(resources)
    answer = graph.invoke({"messages": [("user", "clause 5 of contract A")]}, context=Context(user_id="ann"))["answer"]
    assert PAYMENT_A in answer.text
    assert answer.mode == "floor"
    assert fake.calls == []
