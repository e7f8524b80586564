"""A domain is written from a schema alone, and is of the form that a domain file has."""

from itertools import product

import pytest

from veridical.evals.datasets.sgd import Purpose, Service, Slot
from veridical.evals.schema_domains import domain_document, snake
from veridical.evals.schema_words import called
from veridical.intents.loading import domain_from
from veridical.intents.triggers import Vocabulary

pytestmark = pytest.mark.requirement("INTENT-ACCURACY")


def purpose(name, does=False, description=""):
    return Purpose(name, description or f"{name} for somebody", does, ("harbour",), ())


FERRIES = Service(
    "Ferries_1",
    "Find and book ferries",
    (
        purpose("FindOnewayFerry"),
        purpose("FindRoundtripFerries"),
        purpose("ReserveOnewayFerry", does=True),
        purpose("ReserveRoundtripFerries", does=True),
    ),
    {"harbour": Slot("harbour", "Where it leaves"), "deck": Slot("deck", "Which deck", ("upper", "lower"))},
)
DOMAIN = domain_from(domain_document(FERRIES))


def named(text):
    return {it.transition for it in Vocabulary(DOMAIN).named_in(text)}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("FindBus", "find_bus"), ("Hotels_4", "hotels_4"), ("GetTVShow", "get_tv_show"), ("book_it", "book_it")],
)
def test_a_name_of_a_schema_becomes_one_of_a_domain_file(name, expected):
    assert snake(name) == expected


@pytest.mark.parametrize(("name", "word"), [("FindMovies", "movie"), ("FindBuses", "bus"), ("FindFerries", "ferry")])
def test_a_thing_is_called_by_the_word_that_its_name_is_the_plural_of(name, word):
    assert word in called(purpose(name))


def test_every_intent_is_a_state_and_a_step_to_it_from_where_it_may_be_wanted():
    looking = {"none", "find_oneway_ferry", "find_roundtrip_ferries"}
    assert set(DOMAIN.states) == looking | {"reserve_oneway_ferry", "reserve_roundtrip_ferries"}
    assert DOMAIN.transitions["find_oneway_ferry"].sources == looking
    assert DOMAIN.transitions["reserve_oneway_ferry"].sources == set(DOMAIN.states)
    assert DOMAIN.offers
    assert DOMAIN.states["none"].closes


def test_what_two_intents_are_about_asks_for_neither_and_what_tells_them_apart_for_one():
    assert named("find me a ferry") == set()
    assert named("find me a round trip") == {"find_roundtrip_ferries"}
    assert "find_roundtrip_ferries_again" in named("find me another round trip")
    assert named("please reserve a one-way ferry") >= {"reserve_oneway_ferry"}


def test_that_it_be_booked_means_what_was_looked_for():
    assert DOMAIN.transitions["reserve_oneway_ferry_that"].sources == {"reserve_oneway_ferry", "find_oneway_ferry"}
    assert named("ok, reserve it") == {"reserve_oneway_ferry_that", "reserve_roundtrip_ferries_that"}


@pytest.mark.parametrize(
    ("first", "second"),
    list(product(("FindTrain", "GetTimes", "Check_Things", "X"), ("BuyTrain", "GetTimesForTrain", "Y2"))),
)
@pytest.mark.parametrize(("looks", "does"), [(False, True), (False, False), (True, True)])
def test_any_names_make_a_domain(first, second, looks, does):
    service = Service("S", "", (purpose(first, looks, "A (strange) [description], {x}?"), purpose(second, does)), {})
    assert {snake(first), snake(second)} < set(domain_from(domain_document(service)).states)
