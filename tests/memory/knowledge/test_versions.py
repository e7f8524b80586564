"""When versions hold: one after another, whatever the order in which they came."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.memory.knowledge.versions import Placed, label_order, settled

START = datetime(2020, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def placed(number: int, label: str, since: int, *, dated: bool = True, until: int | None = None) -> Placed:
    return Placed(number, label, day(since), dated, None if until is None else day(until))


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_a_version_ends_where_the_next_begins():
    found = settled([placed(1, "v1", 0), placed(2, "v2", 10)])
    assert (found[1].valid_to, found[1].replaced) == (day(10), True)
    assert (found[2].valid_to, found[2].replaced) == (None, False)


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_of_two_versions_of_one_day_the_higher_label_holds():
    found = settled([placed(1, "v10", 5), placed(2, "v9", 5)])
    assert (found[2].valid_from, found[2].valid_to) == (day(5), day(5))
    assert found[1].valid_to is None


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_a_stated_end_ends_a_version_before_the_next_begins():
    found = settled([placed(1, "v1", 0, until=5), placed(2, "v2", 10, until=40), placed(3, "v3", 20)])
    assert (found[1].valid_to, found[2].valid_to) == (day(5), day(20))


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_a_version_without_a_day_stands_where_its_label_puts_it():
    found = settled(
        [placed(1, "v2.1", 30, dated=False), placed(2, "v1.0", 31, dated=False), placed(3, "v2.0", 32, dated=False)]
    )
    assert list(found) == [2, 3, 1]
    assert [found[number].valid_from for number in (2, 3, 1)] == [day(30)] * 3  # what holds keeps its day
    assert not found[1].replaced
    dated = settled([placed(1, "v3", 10), placed(2, "v2", 50, dated=False)])
    assert list(dated) == [2, 1]


@given(st.permutations(range(8)), st.lists(st.integers(0, 5), min_size=8, max_size=8))
def test_any_order_of_adding_gives_the_same_validity(order: list[int], days: list[int]):
    days.sort()
    expected = settled([placed(number, f"v{number}", days[number]) for number in range(8)])
    assert settled([placed(number, f"v{number}", days[number]) for number in order]) == expected
    for moment in range(6):
        held = [
            number
            for number, one in expected.items()
            if one.valid_from <= day(moment) and (one.valid_to is None or day(moment) < one.valid_to)
        ]
        latest = max((number for number in range(8) if days[number] <= moment), default=None)
        assert held == ([] if latest is None else [latest])


def test_the_numbers_of_a_label_order_versions_and_dates_do_not():
    assert [label_order(one) for one in ("v2.1", "V018", "2024-06-28", "")] == [(2, 1), (18,), (), ()]
