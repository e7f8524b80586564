"""Domains that offer services: what is proposed is taken by a yes, an intent is carried on, and ends when no more is wanted."""

import pytest

from veridical.evals.datasets.sgd import Purpose, Service
from veridical.evals.following import Talk, talking
from veridical.evals.schema_domains import domain_document
from veridical.intents.domains import Domains
from veridical.intents.following import Intents
from veridical.intents.loading import domain_from
from veridical.intents.offering import accepts, declines_more, offers_more, refuses
from veridical.memory.retrieval.embedders import open_embedder

pytestmark = pytest.mark.requirement("INTENT-ACCURACY")


def service(name, *purposes):
    return Service(name, name, tuple(Purpose(it, it, does, (), ()) for it, does in purposes), {})


SERVICES = (
    service("Ferries", ("FindFerry", False), ("BuyFerryTicket", True)),
    service("Weather", ("GetWeather", False)),
)
DOMAINS = Domains({it.id: it for it in (domain_from(domain_document(service)) for service in SERVICES)})


@pytest.fixture
def talk():
    with talking(open_embedder("hashing:64")) as memory:
        yield Talk("ann", memory, Intents(DOMAINS, memory.embedder))


def after(talk, *lines):
    """Lines in turn, the user's first."""
    for place, line in enumerate(lines):
        talk.hear(line, assistant=place % 2 == 1)
    return talk.holding().states


def test_a_step_that_is_named_is_taken_and_carried_on(talk):
    assert after(talk, "Find me a ferry to Calais.", "At nine or at ten?", "At ten.") == {"ferries": "find_ferry"}
    assert after(talk, "Good, buy it.") == {"ferries": "buy_ferry_ticket"}


def test_a_step_that_the_assistant_proposes_is_taken_by_a_yes_and_by_nothing_else(talk):
    begun = ("Find me a ferry to Calais.", "There is one. Shall I buy a ticket for that ferry?")
    assert after(talk, *begun, "What does it cost?") == {"ferries": "find_ferry"}
    assert after(talk, *begun, "Not yet.") == {"ferries": "find_ferry"}
    assert after(talk, *begun, "Yes, for two.") == {"ferries": "buy_ferry_ticket"}


def test_a_no_to_what_is_to_be_confirmed_ends_nothing(talk):
    bought = ("Buy a ferry ticket to Calais.", "One ticket for nine, is that right?", "No, two tickets.")
    assert after(talk, *bought) == {"ferries": "buy_ferry_ticket"}


def test_an_intent_ends_when_more_is_offered_and_none_is_wanted(talk):
    assert after(talk, "Find me a ferry to Calais.", "There you are.", "Thanks, that's all.") == {
        "ferries": "find_ferry"
    }
    assert after(talk, "Great.", "Can I help you with anything else?", "No, thanks.") == {}


def test_another_service_is_named_while_one_is_going_on(talk):
    states = after(talk, "Find me a ferry to Calais.", "There you are.", "And the weather in Calais?")
    assert states == {"ferries": "find_ferry", "weather": "get_weather"}


@pytest.mark.parametrize(
    "said",
    [
        "Anything else?",
        "Done. What else can I do for you?",
        "Do you need any further help?",
        "还有什么可以帮您？",
        "还需要别的吗",
    ],
)
def test_the_assistant_offers_more(said):
    assert offers_more(said)


@pytest.mark.parametrize("said", ["Which one do you want?", "It costs 40 euros.", "要我现在取消吗？"])
def test_the_assistant_offers_no_more(said):
    assert not offers_more(said)


@pytest.mark.parametrize(
    "said", ["No.", "Nope, that's all", "I'm good, thanks", "Thank you, bye", "没有了", "不用了，谢谢", "就这些"]
)
def test_no_more_is_wanted(said):
    assert declines_more(said)


@pytest.mark.parametrize("said", ["Yes, find me a hotel.", "I need a cab.", "What about tomorrow?", "还要一个充电器"])
def test_more_is_wanted(said):
    assert not declines_more(said)


@pytest.mark.parametrize(
    ("said", "yes", "no"),
    [
        ("Yes, please do.", True, False),
        ("Sure, for two.", True, False),
        ("No, don't.", False, True),
        ("Let me sleep on it.", False, True),
        ("At ten.", False, False),
        ("好的，取消吧", True, False),
        ("先不用了，还是要的", False, True),
        ("我再想想", False, True),
    ],
)
def test_a_yes_and_a_no_are_heard_with_what_they_add(said, yes, no):
    assert (accepts(said), refuses(said)) == (yes, no)
