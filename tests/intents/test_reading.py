"""A model's reading in the place of the floor's: taken as far as it is allowed, named and quoted."""

import pytest

from veridical.intents.outcomes import Outcome
from veridical.memory.proposed_intent import ProposedIntent, ProposedSlot, checked
from veridical.memory.records import Turn

from .conftest import BEFORE, NOW, Talk


def read(talk: Talk, text: str, proposed: ProposedIntent) -> tuple[Turn, tuple[Outcome, ...]]:
    """What a turn does by a model's reading."""
    turn = talk.record(text)
    before = talk.memory.recent("ann", "s", BEFORE, before=turn.number)
    with talk.memory.database.write() as connection:
        allowed = {it.id for it in talk.intents.allowed(connection, turn, before)} | {"undo", "redo", "restore"}
        reading = checked(proposed, allowed=allowed, said=[*before, turn])
        outcomes = talk.intents.propose(connection, turn, before=before, reading=reading)
        return turn, talk.intents.settle(connection, turn, outcomes, now=talk.time)


@pytest.mark.requirement("INTENT-MODEL")
def test_a_step_that_no_phrase_names_is_taken_with_its_quotations(talk: Talk):
    talk.say("Where is order 5?")
    slot = ProposedSlot(name="shipping_preference", value="sf", quote="顺丰")
    proposed = ProposedIntent(transition="orders.change_shipping", entity="order:5", slots=[slot])
    turn, (step,) = read(talk, "还是那家蓝色标志的顺丰稳妥些", proposed)
    assert (step.kind, step.to_state) == ("step", "shipping_update")
    filled = next(it for it in step.slots if it.slot == "shipping_preference")
    assert (filled.value, turn.text[filled.start : filled.end]) == ("sf", "顺丰")
    assert turn.text[step.trigger.start : step.trigger.end] == step.trigger.text


@pytest.mark.requirement("INTENT-MODEL", "INTENT-GUARDS")
def test_a_guard_holds_against_a_model(talk: Talk):
    talk.say("Order 5 has already been shipped.")
    _, (refused,) = read(
        talk, "Do away with it, will you?", ProposedIntent(transition="orders.cancel", entity="order:5")
    )
    assert refused.kind == "refused"
    assert talk.states() == {}


@pytest.mark.requirement("INTENT-MODEL")
@pytest.mark.parametrize(
    "proposed",
    [
        ProposedIntent(transition="unclear"),
        ProposedIntent(transition="orders.launch", entity="order:5"),
        ProposedIntent(transition="weddings.cancel"),
    ],
)
def test_what_is_not_allowed_leaves_the_turn_to_the_floor(talk: Talk, proposed: ProposedIntent):
    talk.say("Where is order 5?")
    _, (step,) = read(talk, "Cancel it.", proposed)
    assert (step.transition, step.entity) == ("cancel", "order:5")


@pytest.mark.requirement("INTENT-MODEL")
def test_an_entity_that_only_the_model_names_is_none(talk: Talk):
    talk.say("Where is order 5?")
    _, (step,) = read(talk, "Get rid of it.", ProposedIntent(transition="orders.cancel", entity="order:999"))
    assert step.entity == "order:5"


@pytest.mark.requirement("INTENT-MODEL")
def test_a_slot_that_nobody_said_is_left_out(talk: Talk):
    slot = ProposedSlot(name="shipping_preference", value="ups", quote="by UPS")
    _, (step,) = read(
        talk, "Ship order 5 by SF.", ProposedIntent(transition="orders.change_shipping", entity="order:5", slots=[slot])
    )
    assert [it.value for it in step.slots] == ["sf"]


@pytest.mark.requirement("INTENT-MODEL", "INTENT-ROLLBACK")
def test_a_model_may_take_back(talk: Talk):
    talk.say("Ship order 5 by SF.")
    _, (back,) = read(talk, "Let it be the way we had it in the beginning.", ProposedIntent(transition="restore"))
    assert (back.kind, back.whole, talk.todos()) == ("undone", True, [])


@pytest.mark.requirement("INTENT-MODEL")
def test_what_may_be_chosen_follows_the_open_intents(talk: Talk):
    talk.say("Order 5 has already been shipped. Where is it?")
    turn = talk.record("Hm.")
    with talk.memory.database.read() as connection:
        allowed = talk.intents.allowed(connection, turn)
    of_order = {it.id for it in allowed if it.entity == "order:5"}
    assert "orders.query" in of_order
    assert "orders.cancel" not in of_order
    assert all(it.label for it in allowed)
    assert turn.observed_at > NOW
