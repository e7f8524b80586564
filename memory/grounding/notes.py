"""Answers to what is no question: what was noted, what it replaces, what is done, or a short fitting reply."""

from collections.abc import Mapping, Sequence

from ..records import Act, Answer, Item, Language, Turn
from .lists import own_span
from .naming import attribute_label, entity_label
from .quoting import Quotation, Render, rendered, shown
from .verifier import verify

_MOST_NOTES = 4
_QUIET = frozenset({"greeting", "leave", "small_talk", "acknowledgement"})
_NAMELESS = frozenset({"correction", "request"})


def acknowledge(
    act: Act,
    language: Language,
    recorded: Sequence[Item],
    closed: Sequence[Item],
    turns: Mapping[int, Turn],
    *,
    otherwise: Mapping[int, Quotation] | None = None,
    render: Render,
) -> Answer:
    """Say what was noted, what it replaces and what is done, or reply fittingly.

    Args:
        act: What the turn does.
        language: The language to answer in.
        recorded: The items stored from the turn.
        closed: The items that the turn replaced, corrected, retracted or completed.
        turns: The turns of those items, by number.
        otherwise: What reference documents have instead of an item's value, by the item's number.
        render: The template.
    """
    noted = [item for item in recorded if item.kind != "question"][:_MOST_NOTES]
    gone = [item for item in closed if item.superseded_by is None or item.closed_by == "completion"]
    if not noted and not gone:
        return Answer(rendered(render, _quiet(act)), False, "floor")
    against = otherwise or {}
    notes = [note for item in noted for note in _proposal_of(item, turns)]
    notes += [_note(item, noted, closed, turns, language) | _otherwise(against.get(item.number)) for item in noted]
    text = rendered(render, "noted", notes=notes, gone=[_ended(item) for item in gone])
    quoted = _quotations((*noted, *gone, *closed), turns)
    documented = list(against.values())
    known = {**turns, **{one.turn.number: one.turn for one in documented}}
    return _verified(text, [*quoted, *documented], known, language, ended=len(gone))


def tell_changes(
    language: Language, pairs: Sequence[tuple[Item, Item]], turns: Mapping[int, Turn], *, render: Render
) -> Answer:
    """Say what was changed: the words of each value that was replaced, and the words that replaced it.

    Args:
        language: The language to answer in.
        pairs: What was replaced and what replaced it, in the order of the changes.
        turns: The turns of those items, by number.
        render: The template.
    """
    quoted = [[Quotation(turns[item.turn], item.quote_span, (item.number,)) for item in pair] for pair in pairs]
    notes = [{"before": shown(before), "now": shown(now)} for before, now in quoted]
    text = rendered(render, "changed", notes=notes)
    return _verified(text, [one for pair in quoted for one in pair], turns, language, ended=0)


def _otherwise(one: Quotation | None) -> dict[str, object]:
    """What a document has instead of a noted value, as the template shows it."""
    return {"otherwise": [] if one is None else [{"value": one.text, "id": one.turn.mark}]}


def _verified(
    text: str, quoted: Sequence[Quotation], turns: Mapping[int, Turn], language: Language, *, ended: int
) -> Answer:
    """The answer with its claims, citing each turn once, in order; the last lines tell what ``ended``."""
    claims = verify(_without_headings(text, ended), [one.evidence for one in quoted], turns, language)
    cited: dict[int, Quotation] = {}
    for one in quoted:
        cited.setdefault(one.turn.number, one)
    return Answer(text, False, "floor", tuple(claims), tuple(one.citation for one in cited.values()))


def _without_headings(text: str, lines: int) -> str:
    """The text without what stands before the quotations of the last lines.

    That something is done or held no longer is what the store has just recorded of it: no turn that is quoted says so.
    """
    every = text.split("\n")
    kept = len(every) - lines
    return "\n".join([*every[:kept], *(line[max(0, line.find("“")) :] for line in every[kept:])])


def _quotations(items: Sequence[Item], turns: Mapping[int, Turn]) -> list[Quotation]:
    known = [item for item in items if item.turn in turns]
    quoted = [Quotation(turns[item.turn], item.quote_span, (item.number,)) for item in known]
    proposed = (item.accepted for item in items if item.accepted is not None)
    return [*quoted, *(Quotation(turns[one.turn], one.span) for one in proposed if one.turn in turns)]


def _quiet(act: Act) -> str:
    if act in _QUIET:
        return act
    return "command" if act in _NAMELESS else "nothing"


def _ended(item: Item) -> dict[str, object]:
    return {
        "value": item.value if item.kind == "todo" else item.quote,
        "id": f"t{item.turn}",
        "done": item.closed_by == "completion",
    }


def _proposal_of(item: Item, turns: Mapping[int, Turn]) -> list[dict[str, object]]:
    """Of an agreement, what the assistant proposed; it is shown before the yes."""
    if item.accepted is None or item.accepted.turn not in turns:
        return []
    proposal = item.accepted.span.cut(turns[item.accepted.turn].text)
    return [{"label": "", "value": proposal, "id": f"t{item.accepted.turn}", "replaces": [], "otherwise": []}]


def _note(
    item: Item, noted: Sequence[Item], closed: Sequence[Item], turns: Mapping[int, Turn], language: Language
) -> dict[str, object]:
    """What was noted: attribute and value of a plain fact, the words themselves of anything else."""
    plain = item.kind in {"fact", "choice"} and item.polarity == "positive" and item.modality == "asserted"
    names = (entity_label(item, turns.get(item.turn), language), attribute_label(item.attribute, language))
    replaced = [old for old in closed if old.superseded_by == item.number and old.closed_by != "completion"]
    return {
        "label": " ".join(filter(None, names)) if plain else "",
        "value": item.value if plain or own_span(item, noted) == item.value_span else item.quote,
        "id": f"t{item.turn}",
        "replaces": [{"value": old.value, "id": f"t{old.turn}"} for old in replaced],
    }
