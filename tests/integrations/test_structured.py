"""Answers in a form of the host's say nothing that is not borne out; choices between given words are no claims."""

from collections.abc import Callable
from datetime import date
from typing import Any, Literal

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain.agents.structured_output import ProviderStrategy
from pydantic import BaseModel

from tests.integrations.conftest import ANN, THREAD, Agent
from tests.integrations.speaking import calling

BUDGET = "My budget for Apollo is 48,500 dollars, due on 2026-04-01."
QUESTION = "What is my budget for Apollo, and when is it due?"
Agents = Callable[..., Agent]


class Budget(BaseModel):
    """A budget."""

    project: str
    amount: float | None
    due: date | None = None
    mood: Literal["good", "bad"] = "good"


def filled(amount: float | None = 48500.0, **values: Any) -> Any:
    return calling("Budget", **{"project": "Apollo", "amount": amount, "due": "2026-04-01", "mood": "bad"} | values)


@pytest.mark.requirement("PLUG-STRUCTURED")
def test_a_form_that_the_records_bear_out_is_given(agent: Agents):
    talk = agent(response_format=Budget)
    result = talk.says(filled()).run(BUDGET)
    assert result["structured_response"] == Budget(project="Apollo", amount=48500, due=date(2026, 4, 1), mood="bad")


@pytest.mark.requirement("PLUG-STRUCTURED")
@pytest.mark.parametrize("lie", [{"amount": 52000.0}, {"due": "2026-05-01"}, {"project": "Borealis"}])
def test_a_form_with_a_lie_is_given_back_once_and_leaves_no_trace(agent: Agents, lie: dict[str, Any]):
    talk = agent(response_format=Budget)
    talk.says(filled()).run(BUDGET)
    talk.says(filled(**lie), filled())
    seen = list(
        talk.graph.stream({"messages": [("user", QUESTION)]}, THREAD, context=ANN, stream_mode=["updates", "messages"])
    )
    assert str(next(iter(lie.values()))) not in str(seen)
    assert talk.graph.get_state(THREAD).values["structured_response"].amount == 48500
    assert "The form is not accepted" in talk.model.told()


class After(AgentMiddleware[Any, Any, Any]):
    """Middleware with a step of its own behind the model."""

    def after_model(self, state: Any, runtime: Any) -> None:
        """Do nothing."""


@pytest.mark.requirement("PLUG-STRUCTURED")
@pytest.mark.parametrize("before", [[], [After()]], ids=["alone", "beside another"])
def test_a_form_that_stays_false_is_not_given_and_the_turn_ends_with_what_is_true(agent: Agents, before: list[Any]):
    talk = agent(response_format=Budget, before=before)
    talk.says(filled()).run(BUDGET)
    result = talk.says(filled(52000.0), filled(52000.0)).run(QUESTION)
    assert result["structured_response"] is None
    assert "48,500 dollars" in result["messages"][-1].text
    assert "52000" not in str(result)


def test_what_is_no_form_at_all_is_given_back(agent: Agents):
    talk = agent(response_format=Budget)
    assert talk.says(calling("Budget", amount="much"), filled()).run(BUDGET)["structured_response"].amount == 48500


def test_a_form_of_the_providers_own_is_checked_alike(agent: Agents):
    talk = agent(response_format=ProviderStrategy(Budget))
    talk.says('{"project": "Apollo", "amount": 48500}').run(BUDGET)
    result = talk.says('{"project": "Apollo", "amount": 52000}', '{"project": "Apollo", "amount": null}').run(QUESTION)
    assert result["structured_response"].amount is None
    assert "52000" not in str(result)
