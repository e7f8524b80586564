"""Requests that presuppose what is no longer so: "plan my weekend in Portland" after "I moved to Boston".

Only what the records settle by themselves is challenged: a value of an attribute that has one value at a time, which
another has replaced or which was denied, or which stands beside its attribute where the records hold another.
"""

import re
from collections.abc import Sequence

from ..calibration import parsing
from ..language import resources
from ..language.folding import fold
from ..language.lexicon import find_attributes
from ..language.values import find_values
from ..records import Answer, Item, Language, Turn
from .quoting import Quotation, Render, rendered, shown
from .verifier import verify

_USER = "user"
_PLACES = frozenset({"home", "address", "hometown"})


def _says(name: str, folded: str) -> bool:
    return re.search(str(resources.load("verifying")["premises"][name]), folded) is not None


def presupposes(text: str) -> bool:
    """Whether a text asks for something of the user's own as it is now, so that it may take something for granted."""
    folded = fold(text)
    return _says("request", folded) and _says("own", folded) and not _says("past", folded)


def refuting(text: str, items: Sequence[Item]) -> Item | None:
    """The item that shows that a request presupposes what is not so, if there is one.

    Args:
        text: A request or question.
        items: The user's items, closed ones included, the newest first.
    """
    if not presupposes(text):
        return None
    own = [item for item in items if item.entity == _USER and item.kind == "fact" and item.modality == "asserted"]
    live = [item for item in own if item.closed_at is None]
    found = (_replacing(text, item, live) for item in own if item.single_valued)
    denied = (item for item in live if item.polarity == "negative" and _names(text, item))
    return next(filter(None, found), None) or next(denied, None) or _beside(text, live)


def challenge(item: Item, turn: Turn, language: Language, *, render: Render) -> Answer:
    """The answer to a request that an item refutes: what the user said, quoted."""
    quoted = Quotation(turn, item.quote_span, (item.number,))
    text = rendered(render, "premise", quotes=[shown(quoted)])
    claims = verify(text, [quoted.evidence], {turn.number: turn}, language)
    return Answer(text, False, "floor", tuple(claims), (quoted.citation,))


def _replacing(text: str, item: Item, live: Sequence[Item]) -> Item | None:
    """What holds now instead of a closed value that a text names."""
    if item.closed_at is None or item.closed_by == "completion" or not _holds(text, item.value):
        return None
    if item.attribute in _PLACES and _says("travel", fold(text)):
        return None  # somebody may well visit where they used to live
    now = next((one for one in live if one.attribute == item.attribute and one.polarity == "positive"), None)
    same = now is None or now.normal == item.normal or _holds(text, now.value)
    return None if same else now


def _names(text: str, item: Item) -> bool:
    """Whether a text names what a denial is about: "I left Portland for good", "I don't work at Acme"."""
    if _says("travel", fold(text)):
        return False
    named = parsing.capitalised_names(f". {item.value}") | parsing.capitalised_names(f"the {item.value}")
    return any(_holds(text, name) for name in named or {item.value})


def _beside(text: str, live: Sequence[Item]) -> Item | None:
    """The live item whose attribute a text names as the user's own, with another name or number right behind it."""
    for mention in find_attributes(text):
        before, after = text[: mention.span.start], text[mention.span.end :]
        told = _value_after(after) if _says("owned", fold(before)) else ""
        for item in live if told else ():
            key = item.attribute.removesuffix("_name")
            if item.single_valued and item.polarity == "positive" and key == mention.key:
                return None if _agree(told, item) else item
    return None


def _value_after(after: str) -> str:
    """The name or the value that follows an attribute at once: "my boss Dana", "my budget of 2,000 euros"."""
    link = re.match(str(resources.load("verifying")["premises"]["link"]), fold(after))
    start = link.end() if link else 0
    value = next((value for value in find_values(after[start:]) if value.span.start == 0), None)
    name = re.match(r"[A-Z][\w-]+", after[start:])
    return value.text if value else name.group() if name else ""


def _agree(told: str, item: Item) -> bool:
    if fold(told) in fold(item.value) or fold(item.value) in fold(told):
        return True
    values = {value.normal for value in find_values(told)}
    return bool(values & {value.normal for value in find_values(item.value)})


def _holds(text: str, value: str) -> bool:
    """Whether a text holds a value, as a whole word or in another form of its number."""
    folded, wanted = fold(text), fold(value).strip()
    if not wanted.isascii():
        return len(wanted) > 1 and wanted in folded
    if re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", folded):
        return True
    values = {(one.normal, one.unit) for one in find_values(value)}
    return bool(values & {(one.normal, one.unit) for one in find_values(text)})
