"""Merge patches: what changed between two documents, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.storage.deltas import merge_patch, patched, without_nulls

LEAVES = st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4)
VALUES = st.recursive(
    LEAVES | st.lists(LEAVES, max_size=3),
    lambda inner: st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(st.text(max_size=2), VALUES, max_size=4)
PATCHES = st.dictionaries(st.text(max_size=2), VALUES | st.none(), max_size=4)


@pytest.mark.requirement("EVENT-DELTA")
@given(DOCUMENTS, DOCUMENTS)
def test_a_patch_turns_the_one_document_into_the_other(before, after):
    assert patched(before, merge_patch(before, after)) == after


@pytest.mark.requirement("EVENT-DELTA")
@given(DOCUMENTS)
def test_nothing_changed_is_an_empty_patch(document):
    assert merge_patch(document, document) == {}


@pytest.mark.requirement("EVENT-DELTA")
@given(DOCUMENTS, PATCHES)
def test_applying_a_patch_twice_is_applying_it_once(document, patch):
    once = patched(document, patch)
    assert patched(once, patch) == once


@given(PATCHES)
def test_no_document_holds_null(patch):
    def nulls(value):
        return value is None or (isinstance(value, dict) and any(map(nulls, value.values())))

    assert not nulls(without_nulls(patch))


def test_a_patch_carries_only_what_changed():
    before = {"glucose": {"value": 12.3, "unit": "mmol/L"}, "pulse": 70, "old": 1}
    after = {"glucose": {"value": 11.9, "unit": "mmol/L"}, "pulse": 70}
    assert merge_patch(before, after) == {"glucose": {"value": 11.9}, "old": None}


def test_true_one_and_one_point_zero_are_three_values():
    assert merge_patch({"a": 1, "b": [1], "c": 1}, {"a": True, "b": [True], "c": 1.0}) == {
        "a": True,
        "b": [True],
        "c": 1.0,
    }
