"""The library runs the machine; the domain only describes it."""

import pytest

from veridical.intents.loading import domain_from, shipped
from veridical.intents.machine import Machine

TEXT = {"en": "x", "zh": "某"}
DOMAIN = {
    "schema_version": 1,
    "domain": "names",
    "title": TEXT,
    "entity": {"kind": "thing", "names": {"en": ["thing"], "zh": ["东西"]}},
    "states": {
        # Names that the library uses itself, or that are those of steps, must do no harm.
        "send": {"title": TEXT, "initial": True},
        "states": {"title": TEXT, "final": True},
        "name": {"title": TEXT, "final": True},
    },
    "transitions": {
        "states": {"title": TEXT, "from": ["send"], "to": "states"},
        "send": {"title": TEXT, "from": ["states"], "to": "name"},
    },
    "restored": TEXT,
}


@pytest.mark.requirement("INTENT-STEPS")
def test_names_of_the_library_may_be_names_of_states_and_steps():
    machine = Machine(domain_from(DOMAIN))
    assert machine.allowed("send", {}) == ["states"]
    assert machine.take("states", "send", {}).to == "states"
    assert machine.take("send", "states", {}).to == "name"
    assert machine.take("send", "send", {}).to is None


@pytest.mark.requirement("INTENT-GUARDS")
@pytest.mark.parametrize(
    ("known", "holds", "to"),
    [(None, "unknown", "order_cancel"), ("unshipped", "yes", "order_cancel"), ("shipped", "no", None)],
)
def test_a_guard_decides_by_what_is_known(known: str | None, holds: str, to: str | None):
    machine = Machine(shipped().by_id["orders"])
    slots = {"shipping_state": known} if known else {}
    move = machine.take("cancel", "order_query", slots)
    assert (move.to, move.guard.holds) == (to, holds)
    assert ("cancel" in machine.allowed("order_query", slots)) == (to is not None)


@pytest.mark.requirement("INTENT-STEPS")
@pytest.mark.parametrize("domain", list(shipped()), ids=lambda domain: domain.id)
def test_every_shipped_step_can_be_taken_from_each_of_its_states(domain):
    machine = Machine(domain)
    for step in domain.transitions.values():
        for source in step.sources:
            assert machine.take(step.id, source, {}).to == step.to
