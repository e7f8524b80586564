"""A state to try a node on: a short conversation, run as far as the node that is to be tried."""

from uuid import uuid4

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from ..memory.errors import BadInput
from ..memory.records import Language
from ..nodes.contract import STATE_TYPES, Context, Resources, State
from .build import build_graph

USER = "sample"
"""Whose turns the sample is made of."""
_SAID: dict[Language, str] = {
    "en": "The final budget of Apollo is 48,500 dollars, and Mei signs the contract on 2026-05-04.",
    "zh": "阿波罗项目的最终预算是48,500元，合同由梅在2026年5月4日签。",
}
_ASKED: dict[Language, str] = {"en": "What was the cost of Apollo?", "zh": "阿波罗项目的费用是多少？"}


def sample_state(resources: Resources, before: str = "answer", *, language: Language = "en") -> State:
    """The state of a turn that asks for a budget which was told the turn before, as a node finds it.

    Both turns are recorded, of a user of their own, so that a node called with the state finds what it refers to.

    Args:
        resources: from ``open_resources``; best of a temporary folder.
        before: the node that is to be tried next.
        language: in which the two speak.

    Raises:
        BadInput: there is no node of that name, or the turn does not come by it.
    """
    allowed = [(kind.__module__, kind.__name__) for kind in STATE_TYPES]
    saver = InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=allowed))
    graph = build_graph(resources, checkpointer=saver)
    session = f"sample-{uuid4().hex[:6]}"
    context = Context(user_id=USER, session_id=session)
    config: RunnableConfig = {"configurable": {"thread_id": session}}
    graph.invoke({"messages": [HumanMessage(_SAID[language])]}, config, context=context)
    if before in graph.nodes:
        graph.invoke({"messages": [HumanMessage(_ASKED[language])]}, config, context=context, interrupt_before=[before])
        reached = graph.get_state(config)
        if reached.next:
            return reached.values  # type: ignore[return-value]
    names = ", ".join(name for name in graph.nodes if not name.startswith("__"))
    message = f"The turn does not come by {before!r}: name one that it does come by, of {names}."
    raise BadInput(message)
