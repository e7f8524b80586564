"""Taking back: the last step, a certain one, or all that changed the plan; and taking it up again."""

from collections.abc import Sequence

from .classifying import Wish
from .outcomes import Outcome, Quote
from .situation import View


def meant_by(view: View, wish: Wish) -> list[int]:
    """The rows of an intent that a wish takes back.

    "Keep the original plan" takes back every step that changed it, whatever only looked in between; "never mind" the
    last move, which may itself have taken something back.
    """
    if wish.kind == "restore":
        return [row.number for row in view.changes]
    last = view.last_move()
    if last is None or (wish.kind == "redo" and last.kind != "undone"):
        return []
    return [last.number]


def step_of(view: View, transition: str) -> list[int]:
    """The last step of that kind that holds."""
    return [row.number for row in view.changes if row.transition == transition][-1:]


def taken_back(view: View, numbers: Sequence[int], trigger: Quote, *, whole: bool = False) -> Outcome:
    """What it is to take those rows back; where they had taken something back themselves, that holds again."""
    after = view.without(numbers)
    again = view.takes_up(numbers)
    values = {name: it.value for name, it in after.slots.items()}
    untouched = not again and view.domain.states[after.state].untouched
    return Outcome(
        kind="redone" if again else "undone",
        domain=view.domain.id,
        entity=view.entity,
        from_state=view.state,
        to_state=after.state,
        trigger=trigger,
        tentative=after.tentative,
        steps=tuple(numbers),
        restored=values,
        whole=whole,
        reply=view.domain.rendered(view.domain.restored, view.entity, values) if whole or untouched else None,
    )
