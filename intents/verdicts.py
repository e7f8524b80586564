"""What a guard said, in the domain's words."""

from collections.abc import Mapping, Sequence

from .domains import Condition, Text
from .guards import Judged
from .outcomes import Verdict
from .situation import View


def verdict_of(view: View, judged: Judged, values: Mapping[str, str], instead: Sequence[str]) -> Verdict | None:
    """The verdict of a guard on a step of an intent; ``None`` where the step has no guard.

    Args:
        view: the intent.
        judged: what decided.
        values: the slots as they are known.
        instead: the steps that may be taken instead of a refused one.
    """
    condition = judged.condition
    if condition is None:
        return None
    said = {"no": condition.refusal, "unknown": condition.caveat, "yes": None}[judged.holds]
    why = None if said is None else worded(view, said, values, condition, judged.value)
    return Verdict(judged.holds, condition.slot, judged.value, why, tuple(instead) if judged.holds == "no" else ())


def worded(view: View, text: Text, values: Mapping[str, str], condition: Condition, value: str | None) -> Text:
    """A sentence of a guard, in which ``{value}`` stands for what is known of its slot."""
    slot = view.domain.slots[condition.slot]
    english, chinese = (slot.word(value, "en"), slot.word(value, "zh")) if value else ("…", "…")
    marked = Text(text.en.replace("{value}", english), text.zh.replace("{value}", chinese))
    return view.domain.rendered(marked, view.entity, values)
