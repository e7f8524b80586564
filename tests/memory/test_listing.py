"""How items are shown: their subjects as they were written."""

import pytest

from veridical.memory.listing import item_document, spelled

from .extraction.conversation import said


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The budget of Mira is 5,000 dollars.", "Mira"),
        ("The budget of the Apollo project is 5,000 dollars.", "Apollo"),
        ("项目Apollo的预算是5万。", "Apollo"),
        ("My budget is 5,000 dollars.", "user"),
    ],
)
def test_the_subject_of_an_item_is_spelled_as_in_its_quotation(text, name):
    (item,) = said(text).items(attribute="budget")
    assert spelled(item) == name
    assert (item_document(item)["entity"], item_document(item)["entity_name"]) == (item.entity, name)
