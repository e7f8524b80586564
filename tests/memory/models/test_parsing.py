"""What models write is read leniently, and never silently lost."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from veridical.memory.models.failures import ModelFailure
from veridical.memory.models.parsing import parse


class Wish(BaseModel):
    queries: list[str]
    note: str = ""


@pytest.mark.requirement("C29")
@pytest.mark.parametrize(
    "text",
    [
        '{"queries": ["a", "b"]}',
        '```json\n{"queries": ["a", "b"]}\n```',
        'Sure! Here it is:\n```\n{"queries": ["a", "b"]}\n```\nAnything else?',
        'Of course: {"queries": ["a", "b"]} — done.',
        '{"queries": ["a", "b",],}',
        '{"queries": ["a", "b"], "note": "C:\\users\\x and \\u12"}',
        '{"queries": ["a", "b"], "note": "cut off in the mid',
        '{"queries": ["a", "b"',
        '{"queries": ["a", "b"], "no',
        '{"queries": ["a", "b"], "note": "two\nlines"}',
        'The set {x} is: {"queries": ["a", "b"]}',
    ],
)
def test_a_malformed_object_is_mended(text: str):
    assert parse(text, Wish).queries == ["a", "b"]


@pytest.mark.parametrize("text", ["", "no", "{", "[1]", '{"queries": 5}', "I cannot help with that.", '{"other": []}'])
def test_what_is_no_such_object_is_a_failure(text: str):
    with pytest.raises(ModelFailure, match="malformed"):
        parse(text, Wish)


@given(st.text(alphabet='{}[]",:\\u0041 a\n`', max_size=60))
def test_any_text_is_an_object_or_a_failure(text: str):
    with contextlib.suppress(ModelFailure):
        assert isinstance(parse(text, Wish), Wish)
