"""Token counting works offline and takes any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.prompts.tokens import count_tokens

pytestmark = pytest.mark.requirement("TOKENS-OFFLINE")


def test_tokens_are_counted_without_a_network():
    assert count_tokens("hello world") == 2


def test_the_name_of_a_special_token_is_plain_text():
    assert count_tokens("<|endoftext|>") > 1


@settings(deadline=None)  # the first call loads the tables
@given(st.text())
def test_counting_takes_any_text(text: str):
    assert count_tokens(text) >= bool(text)


def test_a_lone_surrogate_is_counted_too():
    assert count_tokens("a\ud800b") > 0
