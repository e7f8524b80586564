"""The graph of one turn: which node follows which, and nothing else."""

from typing import Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from ..nodes.answer import AnswerInput, answer
from ..nodes.calibrate import CalibrateInput, calibrate
from ..nodes.compress import CompressInput, compress
from ..nodes.contract import Context, Input, Output, Resources, State
from ..nodes.perceive import perceive
from ..nodes.record import RecordInput, record
from ..nodes.retrieve import RetrieveInput, retrieve
from ..nodes.rewrite import RewriteInput, rewrite
from ..nodes.route import RouteInput, route
from ..nodes.store import StoreInput, store
from ..nodes.summarize import SummarizeInput, summarize
from .guard import VeridicalGraph
from .watching import Node, watched

# A turn with one further hop takes 13 steps; anything near this bound is a loop.
_RECURSION_LIMIT = 30


def build_graph(resources: Resources, *, checkpointer: BaseCheckpointSaver[str] | bool | None = None) -> VeridicalGraph:
    """Compile the graph of one turn.

    Args:
        resources: what is built once, from ``open_resources`` or by hand.
        checkpointer: keeps threads between runs; without one the turn log still remembers everything.

    Returns:
        A graph that takes ``{"messages": [...]}`` and a ``Context``, through ``invoke``, ``ainvoke``, ``stream`` and
        ``astream`` alike, and gives the conversation, the answer with its claims and citations, and its id.
    """
    compiled = build_builder(resources).compile(checkpointer=checkpointer, name="veridical")
    compiled.config = {"recursion_limit": _RECURSION_LIMIT}
    return VeridicalGraph.guarding(compiled, resources)


def build_builder(resources: Resources) -> StateGraph[State, Context, Input, Output]:
    """The uncompiled graph, for hosts that compile it themselves (and then admit users to threads themselves)."""
    builder = StateGraph(State, context_schema=Context, input_schema=Input, output_schema=Output)

    def add(node: Node, reads: type) -> None:
        name = node.__name__
        builder.add_node(name, watched(node, name=name, resources=resources), input_schema=reads)

    add(perceive, Input)
    add(route, RouteInput)
    add(rewrite, RewriteInput)
    add(retrieve, RetrieveInput)
    add(calibrate, CalibrateInput)
    add(compress, CompressInput)
    add(answer, AnswerInput)
    add(record, RecordInput)
    add(summarize, SummarizeInput)
    add(store, StoreInput)

    builder.add_edge(START, "perceive")
    builder.add_edge("perceive", "route")
    builder.add_conditional_edges("route", _whether_to_rewrite)
    builder.add_conditional_edges("rewrite", _to_every_query, ["retrieve", "answer"])
    builder.add_edge("retrieve", "calibrate")
    builder.add_conditional_edges("calibrate", _whether_enough, ["retrieve", "compress"])
    builder.add_edge("compress", "answer")
    builder.add_edge("answer", "record")
    builder.add_conditional_edges("record", _whether_to_summarize)
    builder.add_edge("summarize", "store")
    builder.add_edge("store", END)
    return builder


def _whether_to_rewrite(state: State) -> Literal["rewrite", "answer"]:
    return "rewrite" if state["recall"] or state["settles"] else "answer"


def _to_every_query(state: State) -> list[Send] | Literal["answer"]:
    return _sends(state, range(len(state["queries"]))) if state["recall"] else "answer"


def _whether_enough(state: State) -> list[Send] | Literal["compress"]:
    return "compress" if state["enough"] else _sends(state, range(state["asked"], len(state["queries"])))


def _sends(state: State, indexes: range) -> list[Send]:
    return [
        Send(
            "retrieve",
            RetrieveInput(
                turn=state["turn"],
                index=index,
                query=state["queries"][index],
                filter=state["filter"],
                clauses=state["question"].clauses,
            ),
        )
        for index in indexes
    ]


def _whether_to_summarize(state: State) -> Literal["summarize", "__end__"]:
    return "summarize" if state["trigger"] else "__end__"
