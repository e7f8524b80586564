"""What no phrase names is told by the nearest example, and by nothing that is as near to everyday talk."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from veridical.intents.loading import shipped
from veridical.intents.nearest import Examples
from veridical.intents.triggers import Vocabulary
from veridical.memory.errors import EmbedderFailed
from veridical.memory.language.talk import commonplaces

from .conftest import Talk

WISH = "My parcel, how is it doing?"


class Scripted:
    """Puts texts where a script says; all others are far from everything."""

    name = "scripted"
    dimensions = 4

    def __init__(self, places: dict[str, Sequence[float]], *, away: bool = False) -> None:
        self.places, self.away, self.asked = places, away, []

    def embed_query(self, texts: Sequence[str]) -> np.ndarray:
        if self.away:
            raise EmbedderFailed(self.name, "it is away")
        self.asked += texts
        rows = np.array([self.places.get(text, (0.0, 0.0, 0.0, 1.0)) for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    embed_documents = embed_query


EXAMPLE = shipped().by_id["orders"].transitions["query"].examples["en"][0]
OTHER = shipped().by_id["orders"].transitions["cancel"].examples["en"][0]


@pytest.mark.requirement("INTENT-STEPS")
def test_the_nearest_example_tells_the_step(open_talk: Callable[..., Talk]):
    embedder = Scripted({WISH: (1, 0.1, 0, 0), EXAMPLE: (1, 0, 0, 0), OTHER: (0, 1, 0, 0)})
    talk = open_talk(embedder=embedder)
    (step,) = talk.say(WISH)
    assert (step.transition, step.to_state, step.trigger.text) == ("query", "order_query", WISH)


@pytest.mark.requirement("INTENT-NO-WISH")
def test_everyday_talk_that_is_as_near_outweighs_it(open_talk: Callable[..., Talk]):
    line = commonplaces("en")[0]
    embedder = Scripted({WISH: (1, 0.1, 0, 0), EXAMPLE: (1, 0, 0, 0), line: (1, 0.1, 0, 0)})
    assert open_talk(embedder=embedder).say(WISH) == ()


@pytest.mark.requirement("INTENT-UNCLEAR")
def test_two_steps_that_are_as_near_are_both_candidates():
    embedder = Scripted({WISH: (1, 1, 0, 0), EXAMPLE: (1, 0.9, 0, 0), OTHER: (0.9, 1, 0, 0)})
    near = Examples({"orders": Vocabulary(shipped().by_id["orders"])}, embedder).near(WISH)
    assert set(near.steps) == {("orders", "query"), ("orders", "cancel")}


@pytest.mark.requirement("INTENT-NO-WISH")
def test_words_that_deny_a_step_are_not_likened_to_it(open_talk: Callable[..., Talk]):
    words = "I do not want my order cancelled, thanks."
    embedder = Scripted({words: (1, 0, 0, 0), OTHER: (1, 0, 0, 0)})
    assert open_talk(embedder=embedder).say(words) == ()


@pytest.mark.requirement("EMBEDDER-AWAY")
def test_an_embedder_that_is_away_leaves_the_trigger_phrases(open_talk: Callable[..., Talk]):
    talk = open_talk(embedder=Scripted({}, away=True))
    assert talk.say(WISH) == ()
    assert talk.say("Cancel order 5.")[0].to_state == "order_cancel"


@pytest.mark.requirement("INTENT-STEPS")
def test_a_turn_about_no_domain_costs_no_embedding(open_talk: Callable[..., Talk]):
    embedder = Scripted({})
    open_talk(embedder=embedder).say("I like green tea.")
    assert embedder.asked == []
