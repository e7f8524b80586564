"""Talking about errands through the graph, and looking at what became of them."""

from collections.abc import Callable
from typing import Any

from veridical.memory.records import Answer
from veridical.memory.storage.intents import StepRow, list_intents, steps_of
from veridical.memory.storage.items import list_items
from veridical.memory.storage.states import Intent
from veridical.nodes.contract import Resources

Tell = Callable[..., Answer]

STORY = {
    "en": (
        "track my order (#12345)",
        "if it hasn't shipped, can I cancel?",
        "never mind, ship it by SF",
        "wait, keep the original plan",
        "no, do ship it by SF after all",
    ),
    "zh": (
        "查一下我的订单（#12345）",
        "要是还没发货，可以取消吗？",
        "算了，改成顺丰发吧",
        "等等，还是按原计划发吧",
        "不，还是改成顺丰发吧",
    ),
}


GYM = """
schema_version: 1
domain: gym
title: {en: membership, zh: 会员}
entity: {kind: membership, names: {en: [membership], zh: [会员卡]}}
states:
  none: {title: {en: nothing asked, zh: 尚未提及}, initial: true}
  frozen: {title: {en: to be frozen, zh: 暂停}, final: true, todo: {en: "Freeze {entity}", zh: "暂停{entity}"}}
transitions:
  freeze:
    title: {en: freeze it, zh: 暂停}
    from: any
    to: frozen
    triggers: {en: [freeze], zh: [暂停]}
    examples: {en: [Freeze my membership.], zh: [暂停我的会员卡。]}
restored: {en: "{entity} is as it was.", zh: "{entity}恢复原样。"}
"""
"""A domain of a user's own, as they write it."""


def errands(resources: Resources, user: str = "ann") -> dict[str, Intent]:
    """The open errands in the memory state, by what they are about."""
    return {intent.entity: intent for intent in resources.memory.state(user).intents}


def steps(resources: Resources, user: str = "ann") -> list[StepRow]:
    """Every row of the history, in order."""
    with resources.memory.database.read() as connection:
        numbers = [row.number for row in list_intents(connection, user)]
        found = steps_of(connection, user, numbers)
    return sorted((step for some in found.values() for step in some), key=lambda step: step.number)


def todos(resources: Resources, user: str = "ann", *, live: bool = True) -> list[str]:
    """The words of the todos, open or closed, in order."""
    with resources.memory.database.read() as connection:
        found = list_items(connection, user, kind="todo", live_only=live)
    return [item.quote for item in sorted(found, key=lambda item: item.number)]


def trace(resources: Resources, user: str = "ann") -> dict[str, Any]:
    """The trace of the user's last answer."""
    found = resources.memory.answer(user)
    assert found is not None
    return found
