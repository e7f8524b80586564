"""The graph of one turn: which node follows which, and nothing else."""

from typing import Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START
from langgraph.types import Send

from ..nodes.answer import AnswerInput, answer
from ..nodes.calibrate import CalibrateInput, calibrate
from ..nodes.compress import CompressInput, compress
from ..nodes.contract import Input, Resources, State
from ..nodes.perceive import perceive
from ..nodes.record import RecordInput, record
from ..nodes.retrieve import RetrieveInput, retrieve
from ..nodes.rewrite import RewriteInput, rewrite
from ..nodes.route import RouteInput, route
from ..nodes.store import StoreInput, store
from ..nodes.summarize import SummarizeInput, summarize
from .guard import VeridicalBuilder, VeridicalGraph
from .reviving import revived
from .watching import Node, watched


def build_graph(resources: Resources, *, checkpointer: BaseCheckpointSaver[str] | bool | None = None) -> VeridicalGraph:
    """Compile the graph of one turn.

    Args:
        resources: what is built once, from ``open_resources`` or by hand.
        checkpointer: keeps threads between runs, ours or any; without one the turn log still remembers everything.

    Returns:
        A graph that takes ``{"messages": [...]}`` and a ``Context``, through ``invoke``, ``ainvoke``, ``stream`` and
        ``astream`` alike, and gives the conversation, the answer with its claims and citations, and its id.
    """
    return build_builder(resources).compile(checkpointer=checkpointer)


def build_builder(resources: Resources) -> VeridicalBuilder:
    """The uncompiled graph, for hosts that compile it themselves: with a store, a cache, interrupts, another name."""
    builder = VeridicalBuilder(resources)

    def add(node: Node, reads: type) -> None:
        name = node.__name__
        builder.add_node(name, watched(revived(node), name=name, resources=resources), input_schema=reads)

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
