"""Items and turns of the memory: as a list, one by one, and through their history."""

from collections.abc import Sequence
from datetime import tzinfo

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from ...memory.listing import spelled
from ...memory.records import Item, Turn
from ..output import one_line, styled
from .parts import BAD, DOUBT, FAINT, GOOD, ID, QUOTE, day_or_moment, external_id, joined, label, moment

_IN_WORDS = frozenset({"todo", "question"})
"""Kinds that are read as they were said; the others are a value of something."""


def item_list(items: Sequence[Item], zone: tzinfo) -> RenderableType:
    """One line per item, in the order given."""
    if not items:
        return Text("No items.")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(no_wrap=True)
    for item in items:
        table.add_row(styled(item.id, ID), styled(item.kind, FAINT), _meaning(item, zone), _since(item, zone))
    return table


def item_page(item: Item, turn: Turn | None, zone: tzinfo) -> Group:
    """One item: its meaning, its quotation within the turn, and its validity."""
    parts: list[RenderableType] = [
        joined((item.id, ID), (item.kind, "bold"), item.source, item.speaker),
        _meaning(item, zone),
        _validity(item, zone),
    ]
    if turn is not None:
        parts += [Text(), turn_page(turn, zone, quote=item)]
    return Group(*parts)


def turn_page(turn: Turn, zone: tzinfo, *, quote: Item | None = None, items: Sequence[Item] = ()) -> Group:
    """One turn, verbatim, with the quotation of an item marked in it, and what was noted from it."""
    head = joined(
        (turn.id, ID),
        (turn.speaker, "bold"),
        moment(turn.observed_at, zone),
        turn.source,
        turn.session_id,
        external_id({"external_id": turn.external_id}),
    )
    parts: list[RenderableType] = [head, _marked(turn, quote)]
    if items:
        parts += [Text(), label("Noted from it", len(items)), item_list(items, zone)]
    return Group(*parts)


def history_tree(items: Sequence[Item], zone: tzinfo) -> Tree:
    """The versions of one value, oldest first: when each was said, and what ended it."""
    first = items[0]
    tree = Tree(
        _subject(first).append(f"  {len(items)} versions" if len(items) > 1 else "", style=FAINT), guide_style=FAINT
    )
    for item in items:
        said = joined((f"t{item.turn}", ID), item.speaker, f"said {moment(item.observed_at, zone)}", item.source)
        tree.add(Group(joined((item.id, ID), (_value(item), "bold")), said, _validity(item, zone)))
    return tree


def _meaning(item: Item, zone: tzinfo) -> Text:
    if item.kind in _IN_WORDS:
        due = f"  due {day_or_moment(item.due_at, zone)}" if item.due_at else ""
        return styled(one_line(item.quote), "bold").append(due, style=DOUBT)
    shown = _subject(item)
    shown.append(" = ", style=FAINT).append_text(styled(one_line(_value(item)), "bold"))
    if item.normal and item.normal != item.value.casefold() and item.value_type != "text":
        unit = f" {item.unit}" if item.unit else ""
        shown.append_text(styled(f"  ({item.normal}{unit})", FAINT))
    if item.modality != "asserted":
        shown.append_text(styled(f"  {item.modality}", DOUBT))
    return shown


def _subject(item: Item) -> Text:
    return styled(one_line(f"{spelled(item)} {item.attribute.replace('_', ' ')}"))


def _value(item: Item) -> str:
    return f"not {item.value}" if item.polarity == "negative" else item.value


def _since(item: Item, zone: tzinfo) -> Text:
    if item.live:
        return styled(f"since {day_or_moment(item.valid_from, zone)}", GOOD)
    return styled(f"ended {day_or_moment(item.valid_to or item.closed_at, zone)}", BAD)


def _validity(item: Item, zone: tzinfo) -> Text:
    if item.live:
        until = f" until {moment(item.valid_to, zone)}" if item.valid_to else ""
        verb = "open" if item.kind in _IN_WORDS else "holds"
        return joined((f"{verb} since {moment(item.valid_from, zone)}{until}", GOOD))
    if item.closed_by == "correction":
        ended = f"corrected {moment(item.closed_at, zone)}: it never held"
    else:
        ended = f"held {moment(item.valid_from, zone)} to {moment(item.valid_to or item.closed_at, zone)}"
    by = (
        f"{item.closed_by or 'closed'} in favour of f{item.superseded_by}"
        if item.superseded_by
        else item.closed_by or ""
    )
    return joined((ended, BAD), by)


def _marked(turn: Turn, quote: Item | None) -> Text:
    if quote is None:
        return styled(turn.text)
    start, end = quote.quote_span
    before, marked, after = turn.text[:start], turn.text[start:end], turn.text[end:]
    return styled(before).append_text(styled(marked, f"{QUOTE} bold")).append_text(styled(after))
