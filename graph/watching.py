"""A line in the log for each step of a turn: whose, which turn, how long, what failed; never what was said."""

import logging
from collections.abc import Callable, Mapping
from functools import update_wrapper
from time import perf_counter
from typing import Any

from langgraph.runtime import Runtime

from ..nodes.contract import Context, Resources
from .marks import Marks, context_marks, marks_of

logger = logging.getLogger(__name__)

Node = Callable[..., Any]
_ANSWERED = "record"
"""The step after which a turn has its answer."""
_WELL = {"ok", "closed"}
"""Outcomes of a model call that was not in vain."""


def watched(node: Node, *, name: str, resources: Resources) -> Node:
    """The node bound to its resources, telling the log what becomes of it.

    Each step is a line of level debug; ``record`` is one of level info that tells of the whole turn, of level warning
    where something in it failed. What a line tells is in the log record's ``fields``.
    """

    def run(state: Mapping[str, Any], runtime: Runtime[Context]) -> Any:
        start = perf_counter()
        try:
            update = node(state, runtime, resources=resources)
        except Exception as error:
            fields = _fields(name, start, state, {}, runtime.context)
            logger.warning("a step failed", extra={"fields": {**fields, "error": type(error).__name__}})
            raise
        fields = _fields(name, start, state, update, runtime.context)
        logger.log(_level(fields), _event(name), extra={"fields": fields})
        return update

    return update_wrapper(run, node, assigned=("__module__", "__name__", "__qualname__", "__doc__"))


def _fields(name: str, start: float, state: Mapping[str, Any], update: Mapping[str, Any], context: Context) -> Marks:
    known = {"turn": state.get("turn")} if name != _ANSWERED else state
    told = marks_of(known) | marks_of(update)
    return {"node": name, "ms": round((perf_counter() - start) * 1000, 1), **context_marks(context), **told}


def _event(name: str) -> str:
    return "answered" if name == _ANSWERED else "step"


def _level(fields: Marks) -> int:
    if fields["node"] != _ANSWERED:
        return logging.DEBUG
    outcomes = {call.partition(":")[2] for call in fields.get("model_calls", ())}
    return logging.WARNING if "failed" in fields or outcomes - _WELL else logging.INFO
