"""MEMORY_STATE as a page: what is talked about, what holds, what is open, what contradicts itself."""

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...memory.grounding.naming import attribute_label
from ..output import one_line, styled
from ..wording import machine_language, state_words
from .parts import DOUBT, FAINT, ID, Document, day_or_moment, joined, label, moment

_SHORT = 24
Row = Callable[[Document], tuple[Text, ...]]


def state_page(document: Document, user_id: str, zone: tzinfo, names: Mapping[str, str] | None = None) -> Group:
    """Show the document that ``state --json`` prints, in the language of the machine.

    Args:
        document: MEMORY_STATE as plain JSON.
        user_id: whose it is.
        zone: in which times are shown.
        names: how the entities were spelled.
    """
    words, called = state_words(), names or {}
    updated = document.get("last_updated")
    parts: list[RenderableType] = [
        joined(
            (words["memory"].format(user_id), "bold"),
            words["version"].format(document["version"]),
            words["updated"].format(moment(updated, zone)) if updated else words["empty"],
        )
    ]
    if document.get("topic"):
        topic = _called(str(document["topic"]), called)
        parts.append(joined(f"{words['topic']}:", (topic, "bold"), separator=" "))
    _add(parts, words["facts"], document["current_facts"], lambda fact: _fact(fact, zone, called))
    _add(parts, words["agreements"], document["agreements"], _agreement)
    _add(parts, words["todos"], with_errands(document), lambda todo: _todo(todo, zone))
    # Stored before errands were followed, a state has none.
    _add(parts, words["errands"], document.get("intents", ()), lambda intent: _intent(intent, zone))
    _add(parts, words["questions"], document["open_questions"], _question)
    _add(parts, words["conflicts"], document["conflicts"], _conflict)
    _add(parts, words["anchors"], document["anchors"], _anchor)
    _add(parts, words["documents"], document.get("documents", ()), _spoken)
    return Group(*parts)


def todos_page(todos: Sequence[Document], zone: tzinfo) -> RenderableType:
    """What is still to be done, each in the user's words with when it is due."""
    return _table([_todo(todo, zone) for todo in todos]) if todos else Text(state_words()["no_todos"])


def _called(entity: str, names: Mapping[str, str]) -> str:
    """Whom or what an item is about as it was said, the user in the language of the machine."""
    return state_words()["user"] if entity == "user" else names.get(entity, entity.replace(":", " "))


def _field(attribute: str) -> str:
    """What an attribute is called in the language of the machine; what happens is no attribute of the lexicon."""
    label = attribute_label(attribute, machine_language())
    return label.replace("event", state_words()["event"]) if attribute.endswith("event") else label


def _todo(todo: Document, zone: tzinfo) -> tuple[Text, ...]:
    """A todo: its id, the user's words, the errand that left it or when it is due, and the turn."""
    due = day_or_moment(todo.get("due_at"), zone)
    shown = state_words()["due"].format(due) if due else ""
    beside = joined((shown, DOUBT), (str(todo.get("about", "")), FAINT), separator="  ")
    return _id(todo["id"]), _text(todo["text"]), beside, _id(todo["turn_id"])


def with_errands(document: Document) -> list[Document]:
    """The open todos of a state, each with the errand that left it."""
    left = {number: intent["entity"] for intent in document.get("intents", ()) for number in intent["todo_ids"]}
    return [
        {**todo, "about": str(left[todo["id"]]).replace(":", " ")} if todo["id"] in left else todo
        for todo in document["open_todos"]
    ]


def _fact(fact: Document, zone: tzinfo, names: Mapping[str, str]) -> tuple[Text, ...]:
    """A fact: what it is about, its value with what qualifies it, since when, and the turn."""
    words, value = state_words(), str(fact["value"])
    if fact["polarity"] == "negative":
        value = words["not"].format(value)
    if fact.get("hedge"):
        value = words[fact["hedge"]].format(value)
    return (
        _id(fact["id"]),
        _text(f"{_called(str(fact['entity']), names)} {_field(str(fact['attribute']))}"),
        _text(value),
        styled(words["since"].format(day_or_moment(fact["since"], zone)), FAINT),
        _id(fact["turn_id"]),
    )


def _agreement(agreement: Document) -> tuple[Text, ...]:
    """An agreement: what the assistant proposed, and the user's yes."""
    return _id(agreement["id"]), _text(agreement["proposal"]), _text(agreement["text"]), _id(agreement["turn_id"])


def _intent(intent: Document, zone: tzinfo) -> tuple[Text, ...]:
    """An errand: what it is about, the step that it is at, what is known, and the turn that made it so."""
    words, step = state_words(), str(intent["state"]).replace("_", " ")
    known = ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in intent["slots"].items())
    return (
        _text(str(intent["entity"]).replace(":", " ")),
        _text(words["only_asked"].format(step) if intent["tentative"] else step),
        _text(known),
        styled(words["since"].format(day_or_moment(intent["since"], zone)), FAINT),
        _id(intent["turn_id"] or ""),
    )


def _question(question: Document) -> tuple[Text, ...]:
    return _id(question["id"]), _text(question["text"]), Text(), _id(question["turn_id"])


def _conflict(conflict: Document) -> tuple[Text, ...]:
    words, rule = state_words(), str(conflict["rule"])
    against = words["contradicted" if rule == "knowledge" else "preferred"]
    verdict = Text(f"{against} ", style=FAINT).append_text(_id(conflict["other"]))
    return _id(conflict["preferred"]), verdict, styled(words["by"].format(words.get(rule, rule)), DOUBT)


def _spoken(one: Document) -> tuple[Text, ...]:
    """A document spoken of: its handle, what it was called, its kind and what it is in the knowledge base."""
    beside = joined((str(one["kind"]), FAINT), (str(one["document"] or ""), FAINT))
    return _id(one["handle"]), _text(", ".join(map(str, one["names"]))), beside, _id(one["turn_id"])


def _anchor(anchor: Document) -> tuple[Text, ...]:
    return _text(anchor["key"]), _text(anchor["value"]), Text(), _id(anchor["turn_id"])


def _add(parts: list[RenderableType], name: str, entries: Sequence[Document], row: Row) -> None:
    if entries:
        parts.extend((Text(), label(name, len(entries)), _table([row(entry) for entry in entries])))


def _table(rows: Sequence[tuple[Text, ...]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for cells in zip(*rows, strict=True):
        # What is short in every row stays in one piece; the others share the rest of the line.
        table.add_column(overflow="fold", no_wrap=max(cell.cell_len for cell in cells) <= _SHORT)
    for cells in rows:
        table.add_row(*cells)
    return table


def _id(value: object) -> Text:
    return styled(str(value), ID)


def _text(value: object) -> Text:
    return styled(one_line(str(value)))
