"""Active intents and what has to be repeated, on examples that were worked out by hand."""

import pytest

from veridical.evals.metrics.intents import accuracy, agrees, carried_on, to_repeat

LABELS = [{"Buses": "Find"}, {"Buses": "Find"}, {"Buses": "Buy"}, {"Buses": "NONE"}]


@pytest.mark.requirement("INTENT-ACCURACY")
def test_a_turn_counts_if_the_intent_of_every_service_it_names_is_right():
    assert agrees({"Buses": "Find", "Hotels": "Book"}, {"Buses": "Find"})
    assert not agrees({"Buses": "Find"}, {"Buses": "Find", "Hotels": "Book"})
    assert agrees({}, {"Buses": "NONE"})


@pytest.mark.requirement("INTENT-ACCURACY")
def test_accuracy_is_the_share_of_turns_that_are_right():
    guesses = [{"Buses": "Find"}, {"Buses": "Buy"}, {"Buses": "Buy"}, {}]
    assert accuracy(guesses, LABELS) == 0.75
    assert accuracy([], []) == 0.0


@pytest.mark.requirement("INTENT-ACCURACY")
def test_the_most_recent_intent_is_wrong_wherever_the_intent_changes():
    assert carried_on(LABELS) == [{}, *LABELS[:3]]
    assert accuracy(carried_on(LABELS), LABELS) == 0.25
    assert carried_on([]) == []


@pytest.mark.requirement("INTENT-REPEATS")
def test_only_turns_that_were_to_get_something_done_count_as_repeated():
    assert to_repeat([True, True, False, True, True], [True, False, False, True, True]) == 0.25
    assert to_repeat([False], [False]) == 0.0
