"""Who runs, and how: the context of a run, whichever way the host passes it."""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import RunnableConfig, ensure_config
from langgraph.runtime import Runtime, get_runtime

from ..memory.errors import BadInput, UserRequired
from ..nodes.contract import Context

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_TIMES = ("as_of", "recorded_as_of")
_FIELDS = tuple(field.name for field in fields(Context))


def context_of(given: Any, configurable: Mapping[str, Any]) -> Context:
    """The context of a run: what is given, else that of the run around it, else the user that the config names.

    A context of the host's own counts for its ``user_id`` alone: what else it holds may mean something else there. A
    host that wants to say more derives its context from ours.

    Args:
        given: a ``Context`` or its fields as a mapping, a context of the host's own, or ``None``.
        configurable: what the config of the run has under that key, from ``configurable_of``.

    Raises:
        UserRequired: none of them names a user.
        BadInput: a field is unknown, or its value is not understood.
    """
    found = _around() if given is None else given
    if isinstance(found, Context):
        context = replace(found, **_checked({name: getattr(found, name) for name in _FIELDS}))
    elif isinstance(given, Mapping):
        context = Context(**_checked(given))
    else:
        user = found.get("user_id") if isinstance(found, Mapping) else getattr(found, "user_id", None)
        context = Context(**_checked({"user_id": user or configurable.get("user_id") or ""}))
    context = _signed_in(context, configurable.get("langgraph_auth_user_id"))
    if not context.user_id:
        raise UserRequired
    return context


def _signed_in(context: Context, user: Any) -> Context:
    """The context of whom a LangGraph server knows to have signed in; ``None`` where its door asks nobody."""
    if not user or context.user_id == user:
        return context
    if context.user_id:
        message = f"The context speaks for {context.user_id!r} and {user!r} is signed in: leave user_id out."
        raise BadInput(message)
    return replace(context, user_id=str(user))


def configurable_of(*configs: RunnableConfig | None) -> dict[str, Any]:
    """What is configurable in a run: a later config goes before an earlier, each of them before the run around it."""
    merged: dict[str, Any] = {}
    for config in (ensure_config(), *configs):
        merged |= (config or {}).get("configurable", {})
    return merged


def _around() -> Any:
    """The context of the run that this one is part of; ``None`` where it is part of none."""
    try:
        runtime: Runtime[Any] | None = get_runtime()
    except RuntimeError:
        return None
    return runtime.context if runtime is not None else None


def _checked(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a context as they are typed: over a wire a time comes as a text.

    Raises:
        BadInput: a field is unknown, or its value is not understood.
    """
    from pydantic import ValidationError

    if unknown := [name for name in values if name not in _FIELDS]:
        message = f"The context has no field {unknown[0]!r}: its fields are {', '.join(_FIELDS)}."
        raise BadInput(message)
    try:
        read = _adapter().validate_python(
            {name: _moment(value) if name in _TIMES else value for name, value in values.items()}
        )
    except ValidationError as error:
        first = error.errors()[0]
        message = f"The context is not understood: {first['loc'][0]} {first['input']!r} will not do ({first['msg']})."
        raise BadInput(message) from error
    return {name: getattr(read, name) for name in values}


def _moment(value: Any) -> Any:
    """The time that a text in ISO 8601 gives; anything else as it is, to be refused."""
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return value


@lru_cache(maxsize=1)
def _adapter() -> "TypeAdapter[Context]":
    from pydantic import TypeAdapter

    return TypeAdapter(Context)
