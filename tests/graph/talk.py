"""Looking at what a conversation left in the memory."""

from typing import Any

from veridical.memory.records import Item
from veridical.memory.storage.items import list_items
from veridical.nodes.contract import Resources

ABSTAINS = ("can't confirm", "无法确认")


def items(resources: Resources, user: str = "ann", **conditions: Any) -> list[Item]:
    with resources.memory.database.read() as connection:
        return list_items(connection, user, **conditions)


def values(resources: Resources, user: str = "ann") -> set[tuple[str, str]]:
    return {(item.value, item.polarity) for item in items(resources, user) if item.kind != "question"}


def abstains(answer: str) -> bool:
    return any(words in answer for words in ABSTAINS)
