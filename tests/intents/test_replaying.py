"""Any sequence of steps and undos: the state is the replay of what holds, history grows, an undo undone is nothing."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veridical.intents.outcomes import Outcome
from veridical.memory.storage.intents import IntentRow, StepRow, live_steps, standing, todos_by_step, undone

from .conftest import Talk

UNDO = ("Undo that.", "撤销上一步。")
REDO = ("Undo the undo.", "重做。")
RESTORE = ("Keep the original plan.", "按原计划来。")
STEPS = (
    "Cancel order 5.",
    "订单5改成顺丰。",
    "Ship order 5 by FedEx.",
    "Add a second charger to order 5.",
    "订单5我要退货。",
    "Where is order 5?",
)
LINES = st.lists(st.sampled_from([*STEPS, *UNDO, *REDO, *RESTORE]), min_size=1, max_size=6)
FEW = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
ORDER = "order:5"
USERS = count()


class User:
    """One of many users of a memory, who looks after an order."""

    def __init__(self, talk: Talk) -> None:
        self.talk, self.name = talk, f"user-{next(USERS)}"
        self.say("Where is order 5?")

    def say(self, *lines: str) -> tuple[Outcome, ...]:
        return [self.talk.say(line, user=self.name) for line in lines][-1]

    @property
    def intent(self) -> IntentRow:
        return self.talk.intent(ORDER, user=self.name)

    @property
    def rows(self) -> list[StepRow]:
        return self.talk.rows(ORDER, user=self.name)

    @property
    def todos(self) -> dict[int, str]:
        return {it.number: it.quote for it in self.talk.items(user=self.name) if it.kind == "todo"}

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Whatever is said of the order; that nothing is changed needs no fact."""
        told = [it for it in self.talk.items(user=self.name) if it.kind == "fact" and it.entity == ORDER]
        return sorted((it.attribute, it.value) for it in told if it.normal != "original")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    """One memory for all examples: each has a user of its own."""
    talk = Talk(Path(tmp_path_factory.mktemp("shared")))
    yield talk
    talk.memory.close()


@pytest.mark.requirement("INTENT-ROLLBACK", "INTENT-TODOS")
@FEW
@given(lines=LINES)
def test_the_intent_stands_as_the_steps_that_were_not_undone_say(shared: Talk, lines: list[str]):
    user = User(shared)
    seen = user.rows
    for line in lines:
        user.say(line)
        rows, intent = user.rows, user.intent
        assert rows[: len(seen)] == seen, "a row was changed or taken away"
        seen = rows
        stands = standing(rows, initial=intent.initial, defaults=intent.defaults)
        last = live_steps(rows)[-1:]
        assert intent.state == stands.state == (last[0].to_state if last else "none")
        assert dict(intent.slots) == {name: it.value for name, it in stands.slots.items()}
        items = todos_by_step(rows)
        assert set(intent.left.values()) == {items[step] for step in stands.wanted.values()} == set(user.todos)


@pytest.mark.requirement("INTENT-ROLLBACK")
@FEW
@given(lines=LINES, undo=st.sampled_from(UNDO), again=st.sampled_from([*UNDO, *REDO]))
def test_an_undo_that_is_undone_changes_nothing(shared: Talk, lines: list[str], undo: str, again: str):
    user = User(shared)
    user.say(*lines)
    before = (user.intent.state, user.intent.slots, sorted(user.todos.values()), user.facts)
    taken = {outcome.kind for outcome in user.say(undo)}
    # After a redo there is no undo that a further redo could mean.
    if taken and (again in UNDO or "undone" in taken):
        user.say(again)
        assert (user.intent.state, user.intent.slots, sorted(user.todos.values()), user.facts) == before


@pytest.mark.requirement("INTENT-ROLLBACK")
@FEW
@given(lines=LINES, restore=st.sampled_from(RESTORE))
def test_the_original_plan_has_no_changes_todos_or_wishes(shared: Talk, lines: list[str], restore: str):
    user = User(shared)
    user.say(*lines, restore)
    assert user.intent.state in {"none", "order_query"}
    assert (user.todos, [it for it in user.facts if it[0] == "shipping_preference"]) == ({}, [])
    assert user.intent.slots["shipping_preference"] == "original"
    gone = undone(user.rows)
    assert all(row.document["untouched"] for row in user.rows if row.kind == "step" and row.number not in gone)


@pytest.mark.requirement("INTENT-ROLLBACK")
def test_what_is_taken_up_again_holds_over_a_look_in_between(shared: Talk):
    user = User(shared)
    user.say("Cancel order 5.", "Undo that.", "Where is order 5?", "Undo that.")
    assert user.intent.state == "order_cancel"
    user.say("Keep the original plan.")
    assert (user.intent.state, user.todos) == ("order_query", {})


@pytest.mark.requirement("INTENT-ROLLBACK")
def test_what_was_said_twice_and_taken_back_once_is_still_said(shared: Talk):
    user = User(shared)
    user.say("订单5改成顺丰。", "Cancel order 5.", "订单5改成顺丰。", "Undo that.")
    assert user.facts == [("shipping_preference", "顺丰")]
    user.say("Undo that.")
    assert user.facts == [("shipping_preference", "顺丰")]
