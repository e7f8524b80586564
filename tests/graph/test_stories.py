"""Stories about orders, appointments and contracts told to the whole graph: the same holds as in the machine by itself."""

from pathlib import Path

import pytest

from veridical.evals.datasets import stories
from veridical.evals.following import holding_of
from veridical.evals.intents import differences
from veridical.evals.records import Source

FOLDER = Path(stories.__file__).parents[1] / "stories"
# To the graph, "when is the meeting?" is a question for the memory like any other, unless the meeting is under way.
LOOKED_UP = {"schedule_query", "contract_query"}
ALL = stories.load(Source(FOLDER))
# A story in which the assistant's words are given cannot be told to one that finds its own.
TOLD = [
    story
    for story in ALL
    if all(line.role == "user" and not LOOKED_UP & set(line.expected.states.values()) for line in story.lines)
][::3]


@pytest.mark.requirement("INTENT-STORIES")
@pytest.mark.parametrize("story", TOLD, ids=[story.id for story in TOLD])
def test_a_story_told_to_the_graph_leaves_each_state_and_todo_right(resources, say, clock, story):
    for line in story.lines:
        clock.advance(minutes=1)
        say(line.text, user="ann", session="told")
        # What was refused or asked is said in the answer; here it counts what holds.
        held = differences(line, holding_of(resources.memory, "ann"), ())
        assert [wrong for wrong in held if not wrong.startswith("not ")] == [], line.text
