"""A domain is written from a schema alone, and is of the form that a domain file has."""

import pytest

from veridical.evals.datasets.sgd import Purpose, Service, Slot
from veridical.evals.schema_domains import domain_document, snake
from veridical.intents.loading import domain_from

pytestmark = pytest.mark.requirement("INTENT-ACCURACY")
FERRIES = Service(
    "Ferries_1",
    "Find and book ferries",
    (
        Purpose("FindOnewayFerry", "Find a one-way ferry", False, ("harbour",), ("deck",)),
        Purpose("FindRoundtripFerries", "Find a ferry there and back", False, ("harbour",), ()),
        Purpose("BookFerry", "Book a ferry", True, ("harbour", "deck"), ()),
    ),
    {"harbour": Slot("harbour", "Where it leaves"), "deck": Slot("deck", "Which deck", ("upper", "lower"))},
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("FindBus", "find_bus"), ("Hotels_4", "hotels_4"), ("GetTVShow", "get_tv_show"), ("book_it", "book_it")],
)
def test_a_name_of_a_schema_becomes_one_of_a_domain_file(name, expected):
    assert snake(name) == expected


def test_every_intent_is_a_state_and_a_step_to_it_from_where_it_may_be_wanted():
    domain = domain_from(domain_document(FERRIES))
    looking = {"none", "find_oneway_ferry", "find_roundtrip_ferries"}
    assert set(domain.states) == looking | {"book_ferry"}
    assert domain.transitions["find_oneway_ferry"].sources == looking
    assert domain.transitions["book_ferry"].sources == looking | {"book_ferry"}
    assert domain.offers
    assert domain.states["none"].closes


def test_what_two_intents_are_about_asks_for_neither_unless_their_verbs_differ():
    steps = domain_document(FERRIES)["transitions"]
    assert "ferry" not in " ".join(steps["find_oneway_ferry"]["triggers"]["en"])
    assert "one way" in " ".join(steps["find_oneway_ferry"]["triggers"]["en"])
    assert "ferry" in " ".join(steps["book_ferry"]["triggers"]["en"])
