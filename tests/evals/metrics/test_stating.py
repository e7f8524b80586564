"""Whether a text states an answer: the same value counts in any form, another value never."""

from datetime import UTC, datetime

import pytest

from veridical.evals.metrics.stating import Said, states, values_of

pytestmark = pytest.mark.requirement("EVAL-METRICS")
ASKED = datetime(2024, 6, 1, 12, tzinfo=UTC)
SAID = datetime(2024, 5, 8, 9, tzinfo=UTC)


def said(text, moment=SAID):
    return Said(text, moment, "UTC")


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("The budget is $48,500 now.", "48,500 dollars"),
        ("The budget is $48,500 now.", "48500"),
        ("我的预算是五万元。", "50000元"),
        ("I went there yesterday.", "7 May 2024"),
        ("We met on 8 May.", "May 2024"),
        ("We moved to New Harbour.", "new harbour"),
        ("她住在柏林附近。", "柏林"),
        ("I painted a big red barn.", "painting red barns"),
        ("The train leaves at 3 pm.", "15:00"),
    ],
)
def test_an_answer_counts_in_whatever_form_it_is_said(text, accepted):
    assert states([said(text)], said(accepted, ASKED))


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("The budget is $48,500 now.", "500"),
        ("It is on March 12.", "March 1"),
        ("I went there yesterday.", "8 May 2024"),
        ("We met in May.", "8 May 2024"),
        ("It weighs 5 km.", "5 kg"),
        ("I painted a red door.", "red barn"),
        ("I said nothing.", ""),
        ("It costs 3.50.", "3"),
    ],
)
def test_another_value_does_not_count(text, accepted):
    assert not states([said(text)], said(accepted, ASKED))


def test_a_day_is_the_same_day_after_the_clocks_have_changed():
    winter = Said("The inspector came yesterday.", datetime(2025, 3, 5, 15, tzinfo=UTC), "Etc/GMT+5")
    assert states([winter], Said("2025-03-04", datetime(2025, 4, 1, tzinfo=UTC), "Etc/GMT+4"))
    assert not states([winter], Said("2025-03-05", datetime(2025, 4, 1, tzinfo=UTC), "Etc/GMT+4"))


def test_several_texts_state_an_answer_together():
    parts = [said("I took pottery."), said("I went hiking.")]
    assert states(parts, said("pottery, hiking", ASKED))
    assert not states(parts[:1], said("pottery, hiking", ASKED))


def test_a_clock_time_is_a_value_and_a_day_is_a_period():
    found = values_of(said("The call is at 3 pm, the trip on 9 May 2024."))
    assert "15:00" in found.normals
    assert [(begin.date().isoformat(), end.date().isoformat()) for begin, end in found.periods] == [
        ("2024-05-09", "2024-05-10")
    ]
