"""What the settings say of the ranking reaches it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from langgraph.runtime import Runtime

from veridical.graph import Context, Resources, Settings, open_resources
from veridical.graph.recall import gather
from veridical.memory.errors import BadInput
from veridical.memory.retrieval.fusion import WEIGHTS
from veridical.nodes.calibrate import calibrate

pytestmark = pytest.mark.requirement("EVAL-CALIBRATE")

ANN = Context(user_id="ann")


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
