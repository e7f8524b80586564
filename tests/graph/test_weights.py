"""What the settings say of the ranking reaches it, and what they say of how sure an answer has to be."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from langgraph.runtime import Runtime
from pydantic import ValidationError

from veridical.graph import Context, Resources, Settings, build_graph, open_resources
from veridical.graph.ask import ask
from veridical.graph.recall import gather
from veridical.memory.errors import BadInput
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.retrieval.fusion import WEIGHTS
from veridical.nodes.calibrate import calibrate

from ..fakes import ScriptedModel

pytestmark = pytest.mark.requirement("EVAL-CALIBRATE")

ANN = Context(user_id="ann")
ASKING = Context(user_id="ann", record=False)


def test_weights_of_the_settings_take_the_place_of_the_defaults(data_dir: Path):
    with open_resources(Settings(data_dir=data_dir, embeddings="hashing:64", weights={"lexical": 1.25})) as resources:
        assert resources.weights == replace(WEIGHTS, lexical=1.25)


@pytest.mark.parametrize("name", ["loudness", "neighbours"])
def test_a_weight_that_does_not_exist_is_one_sentence(data_dir: Path, name: str):
    settings = Settings(data_dir=data_dir, embeddings="hashing:64", weights={name: 1.0})
    with (
        pytest.raises(BadInput, match=rf"no weight '{name}': the setting weights takes lexical, .*session"),
        open_resources(settings),
    ):
        pass


def test_a_question_is_declined_where_the_confidence_is_below_the_threshold(
    say: Callable[..., str], resources: Resources
):
    say("The budget of Apollo is 48,500 dollars.")
    sure = gather(resources, "What is the budget of Apollo?", ANN).judged["confidence"]
    assert 0 < sure < 1
    answers = {
        threshold: ask(build_graph(replace(resources, threshold=threshold)), "What is the budget of Apollo?", ASKING)
        for threshold in (None, sure, sure + 0.001)
    }
    assert {threshold: answer["abstained"] for threshold, answer in answers.items()} == {
        None: False,
        sure: False,
        sure + 0.001: True,
    }
    assert "48,500" in answers[sure]["text"]
    assert "48,500" not in answers[sure + 0.001]["text"]


def test_a_model_is_not_asked_what_the_memory_is_not_sure_of(say: Callable[..., str], resources: Resources):
    say("The budget of Apollo is 48,500 dollars.")
    model = ScriptedModel(script=['{"queries": []}'])
    models = Models(answer=Model(model, "scripted"), rewrite=Model(model, "scripted"))
    graph = build_graph(replace(resources, models=models, threshold=1.0))
    answer = ask(graph, "What is the budget of Apollo?", ASKING)
    assert (answer["abstained"], answer["mode"], len(model.calls)) == (True, "floor", 1)


@pytest.mark.parametrize("threshold", [-0.1, 1.5])
def test_a_threshold_is_a_probability(data_dir: Path, threshold: float):
    with pytest.raises(ValidationError, match="threshold"):
        Settings(data_dir=data_dir, threshold=threshold)


def test_what_was_gathered_is_ranked_anew_by_other_weights(say: Callable[..., str], resources: Resources):
    say("The harbour was full of sailing boats.")
    say("My sister sails a boat on the lake in June.")
    gathered = gather(resources, "Which boat does my sister sail?", ANN)
    again = calibrate(gathered.found, Runtime(context=ANN), resources=resources)
    assert again["kept"] == gathered.judged["kept"]
    assert again["enough"] or gathered.found["asked"] == len(gathered.found["queries"])
    heavier = replace(resources, weights=replace(WEIGHTS, lexical=40.0))
    scores = {one.turn: one.score for one in again["kept"]}
    raised = {one.turn: one.score for one in calibrate(gathered.found, Runtime(context=ANN), resources=heavier)["kept"]}
    assert raised.keys() == scores.keys()
    assert max(raised.values()) > 2 * max(scores.values())
