"""Who speaks, in which conversation: read from what the host gives a run, never from what a model says."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from ..graph.contexts import context_of
from ..memory.errors import BadInput, UserRequired
from ..nodes.contract import Context

_HOW = "give the agent context_schema=Context, and each call context=Context(user_id=...)"


def caller(given: Any, configurable: Mapping[str, Any] | None) -> Context:
    """The context of a host's run, with the conversation that it is part of.

    Args:
        given: the run's context: a ``Context``, its fields as a mapping, or a context of the host's with a ``user_id``.
        configurable: of the run's config; its thread id names the session where the context names none.

    Returns:
        A context with a session: without a thread, one of its own.

    Raises:
        UserRequired: no user is named.
        BadInput: session and thread are two, or the context is not understood.
    """
    named = configurable or {}
    try:
        context = context_of(given, named)
    except UserRequired:
        raise UserRequired(_HOW) from None
    thread = named.get("thread_id")
    if thread is not None and context.session_id not in {None, thread}:
        message = f"The session {context.session_id!r} is not the thread {thread!r}: name one, or the same in both."
        raise BadInput(message)
    return replace(context, session_id=thread or context.session_id or f"chat-{uuid4().hex[:12]}")
