"""A story says after each turn only what is different; what has to hold is accumulated."""

import pytest

from veridical.evals.datasets import stories
from veridical.evals.datasets.stories import Standing
from veridical.evals.records import Source
from veridical.memory.errors import BadFile

pytestmark = pytest.mark.requirement("INTENT-STORIES")
STORY = """
- id: kept
  kinds: [restore]
  turns:
    - say: "Cancel order #A1."
      state: {order:A1: order_cancel}
      todos: [order:A1 order_cancel]
    - assistant: Done?
    - say: No, keep it.
      state: {order:A1: none}
      todos: []
      slots: {order:A1: {shipping_preference: original}}
    - say: Thanks.
    - say: Cancel it after all.
      outcome: refused
"""


def written(tmp_path, text, name="some.en.yaml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return Source(path)


def test_what_has_to_hold_is_accumulated_over_the_turns(tmp_path):
    (story,) = stories.load(written(tmp_path, STORY))
    cancelled = Standing({"order:a1": "order_cancel"}, frozenset({("order:a1", "order_cancel")}))
    kept = Standing({}, frozenset(), {("order:a1", "shipping_preference"): "original"})
    assert [line.expected for line in story.lines] == [cancelled, cancelled, kept, kept, kept]
    assert [line.moves for line in story.lines] == [True, False, True, False, True]


def test_the_language_is_in_the_name_of_the_file(tmp_path):
    written(tmp_path, STORY)
    written(tmp_path, STORY, "some.zh.yaml")
    assert [story.language for story in stories.load(Source(tmp_path))] == ["en", "zh"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "line 1: not YAML"),
        ("a: b", "not of the form: a list of stories"),
        ("- id: x", "a story is not of the form"),
        ("- {id: x, turns: [{hear: no}]}", "turn 1 of story 'x'"),
        ("[]", "holds no stories"),
    ],
)
def test_what_is_no_story_is_one_sentence(tmp_path, text, said):
    with pytest.raises(BadFile, match=said):
        stories.load(written(tmp_path, text))
