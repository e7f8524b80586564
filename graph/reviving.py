"""What a checkpoint gives back: it knows no tuples, and a turn going on in its middle finds lists in their place."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache, wraps
from typing import Any

from langgraph.runtime import Runtime

from ..nodes.contract import Context, Resources
from .watching import Node


def revived(node: Node) -> Node:
    """The node, given every value of the state as another node left it, whether or not it was in a checkpoint since."""

    @wraps(node)
    def run(state: Mapping[str, Any], runtime: Runtime[Context], *, resources: Resources) -> Any:
        return node({name: revive(value) for name, value in state.items()}, runtime, resources=resources)

    return run


def revive(value: Any) -> Any:
    """A value with tuples again where the fields of its dataclasses and named tuples say so; itself if they are."""
    if type(value) is list:
        return [revive(one) for one in value] if value and _is_record(value[0]) else value
    if not _is_record(value):
        return value
    kind: Any = type(value)
    tupled = _tupled(kind)
    held = {name: getattr(value, name) for name in _names(kind)}
    read = {name: _as_tuple(one) if name in tupled else revive(one) for name, one in held.items()}
    changed = {name: one for name, one in read.items() if one is not held[name]}
    if not changed:
        return value
    return replace(value, **changed) if not isinstance(value, tuple) else kind._replace(value, **changed)


def _as_tuple(value: Any) -> Any:
    """A list, or a tuple of which something changes, as a tuple; anything else as it is."""
    if type(value) is not list and type(value) is not tuple:
        return value
    read = tuple(revive(one) for one in value)
    unchanged = type(value) is tuple and all(one is other for one, other in zip(read, value, strict=True))
    return value if unchanged else read


def _is_record(value: Any) -> bool:
    return (is_dataclass(value) and not isinstance(value, type)) or (
        isinstance(value, tuple) and hasattr(value, "_fields")
    )


@lru_cache(maxsize=256)
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.init) if is_dataclass(kind) else kind._fields


@lru_cache(maxsize=256)
def _tupled(kind: Any) -> frozenset[str]:
    """The fields of a type that hold tuples. A named tuple within a field is a record of its own."""
    kinds = {field.name: field.type for field in fields(kind)} if is_dataclass(kind) else dict(kind.__annotations__)
    return frozenset(name for name, declared in kinds.items() if "tuple[" in str(declared))
