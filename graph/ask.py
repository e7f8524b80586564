"""Asking without telling: the graph of a turn, run so that the memory stays as it was."""

from langchain_core.messages import HumanMessage

from ..memory.traces import Json
from ..nodes.contract import Context
from .guard import VeridicalGraph


def ask(graph: VeridicalGraph, question: str, context: Context) -> Json:
    """Answer a question and return the stored trace of the answer.

    Args:
        graph: from ``build_graph``.
        question: in either language.
        context: who asks; with ``record=False`` the memory is left as it was.

    Raises:
        VeridicalError: the question cannot be asked as given; the message says what to do.
    """
    result = graph.invoke({"messages": [HumanMessage(question)]}, context=context)
    trace = graph.resources.memory.answer(context.user_id, int(result["answer_id"][1:]))
    return trace or {}
