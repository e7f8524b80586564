"""The machine: the states and steps of a domain, run by python-statemachine (docs/adr/0015)."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .domains import Domain, Transition
from .guards import Judged, judge

if TYPE_CHECKING:
    from statemachine import StateChart

_STATE, _EVENT = "in_", "do_"
"""The library makes attributes of the names: prefixes keep states, steps and its own methods apart."""


@dataclass(slots=True)
class _Plan:
    """What the library moves, and what the guards look at."""

    state: str
    slots: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Move:
    """What became of a step: the state it leads to, or the guard that refused it."""

    to: str | None
    """``None`` where it is refused, or not to be had from that state."""
    guard: Judged


class Machine:
    """The machine of one domain. It keeps no state: each question says where it stands."""

    def __init__(self, domain: Domain) -> None:
        """Take the domain; the library's class is made at the first question."""
        self.domain = domain

    @functools.cached_property
    def _chart(self) -> "type[StateChart[Any]]":
        # A third of a second to import, for those who speak of an intent only.
        from statemachine.io import create_machine_class_from_definition  # noqa: PLC0415

        domain = self.domain
        states: dict[str, Any] = {}
        for state in domain.states.values():
            leaving = {it.id: it for it in domain.transitions.values() if state.id in it.sources}
            events = {
                _EVENT + name: [{"target": _STATE + it.to, "cond": _condition(it)}] for name, it in leaving.items()
            }
            # To the library a final state is one that nothing leaves; a wish that is complete may be changed.
            final = not leaving and not state.initial
            states[_STATE + state.id] = {"value": state.id, "initial": state.initial, "final": final, "on": events}
        return create_machine_class_from_definition(
            domain.id, states=states, allow_event_without_transition=False, catch_errors_as_events=False
        )

    def allowed(self, state: str, slots: Mapping[str, str]) -> list[str]:
        """The steps that may be taken from a state."""
        events = self._at(state, slots).enabled_events()
        return [str(event).removeprefix(_EVENT) for event in events]

    def take(self, transition: str, state: str, slots: Mapping[str, str]) -> Move:
        """Take a step: where it leads, or why it does not."""
        from statemachine.exceptions import TransitionNotAllowed  # noqa: PLC0415

        machine = self._at(state, slots)
        guard = judge(self.domain.transitions[transition], slots)
        try:
            machine.send(_EVENT + transition)
        except TransitionNotAllowed:
            return Move(None, guard)
        return Move(machine.model.state, guard)

    def _at(self, state: str, slots: Mapping[str, str]) -> "StateChart[Any]":
        return self._chart(_Plan(state, slots))


def _condition(transition: Transition) -> Callable[[_Plan], bool]:
    def holds(model: _Plan) -> bool:
        return judge(transition, model.slots).holds != "no"

    return holds
