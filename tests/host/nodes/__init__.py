"""A host's own nodes."""

from typing import Any

from langgraph.graph import MessagesState

from memory import keep


def shout(state: MessagesState) -> dict[str, Any]:
    """Say the last message louder."""
    keep(state["messages"][-1].text)
    return {"messages": [("ai", state["messages"][-1].text.upper())]}
