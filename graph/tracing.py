"""Traces for LangSmith: which turn, items and prompts a step was about; what was said only where that is allowed.

LangSmith records the input and the output of every run, and in this graph both hold what the user said. ``traced`` puts
a tracer of our own in the place of LangSmith's for the runs of a turn, whoever brought it: the environment, the host's
callbacks, or the graph that this one is a part of. The runs stay where they belong in the host's tree.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from langchain_core.callbacks import BaseCallbackHandler, CallbackManager
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import (
    get_callback_manager_for_config,
    merge_configs,
    var_child_runnable_config,
)
from langchain_core.tracers.langchain import LangChainTracer
from langchain_core.tracers.schemas import Run

from .marks import Marks, marks_of

PREFIX = "veridical_"
"""Begins the names of our metadata in a trace."""
_OWN = f"{PREFIX}user"
"""Every run of a turn carries it, and no run of the host's."""
_marking = threading.Lock()


class MarkingTracer(LangChainTracer):
    """LangSmith's tracer, which adds to each run of a turn, and to the turn itself, what ``marks_of`` tells of it."""

    def _start_trace(self, run: Run) -> None:
        _mark(run, marks_of({"turn": (run.inputs or {}).get("turn")}))
        super()._start_trace(run)

    def _end_trace(self, run: Run) -> None:
        marks = marks_of(run.outputs or {})
        parent = self.run_map.get(str(run.parent_run_id))
        with _marking:
            _mark(run, marks)
            if parent is not None and _OWN in parent.metadata:
                _mark(parent, marks)
        super()._end_trace(run)


class DiscreetTracer(MarkingTracer):
    """The same, and nothing of what went into a run and came out: no text, no draft, no words of an error."""

    def _persist_run_single(self, run: Run) -> None:
        _strip(run)
        super()._persist_run_single(run)

    @staticmethod
    def _update_run_single(run: Run) -> None:
        _strip(run)
        LangChainTracer._update_run_single(run)


def traced(*configs: RunnableConfig | None, marks: Marks, text: bool) -> CallbackManager | None:
    """The callbacks of a turn with our tracer in the place of LangSmith's; ``None`` where nothing is traced.

    Args:
        configs: those of the graph and of the call; what the run around this one calls back is added.
        marks: what every run of the turn carries; ``user`` is one of them.
        text: whether traces may hold what was said and what was answered.
    """
    around = var_child_runnable_config.get()
    manager = get_callback_manager_for_config(merge_configs(around, *configs))
    if not any(isinstance(handler, LangChainTracer) for handler in manager.handlers):
        return None
    kind = MarkingTracer if text else DiscreetTracer
    manager.handlers = [_ours(handler, kind, marks) for handler in manager.handlers]
    manager.inheritable_handlers = [_ours(handler, kind, marks) for handler in manager.inheritable_handlers]
    return manager


@contextmanager
def called_back_alone() -> Iterator[None]:
    """Let a run that begins in here call back whom its own config names: LangGraph adds those of the run around it."""
    around = var_child_runnable_config.get()
    token = var_child_runnable_config.set({**(around or {}), "callbacks": None})
    try:
        yield
    finally:
        var_child_runnable_config.reset(token)


def _ours(handler: BaseCallbackHandler, kind: type[MarkingTracer], marks: Marks) -> BaseCallbackHandler:
    """Our tracer for theirs, going on with the same tree of runs; every other handler as it is."""
    if not isinstance(handler, LangChainTracer):
        return handler
    return kind(
        example_id=handler.example_id,
        project_name=handler.project_name,
        address=handler.address,
        client=handler.client,
        tags=handler.tags,
        metadata={**(handler.tracing_metadata or {}), **_named(marks)},
        run_map=handler.run_map,
        order_map=handler.order_map,
        _external_run_ids=handler._external_run_ids,
    )


def _mark(run: Run, marks: Marks) -> None:
    """Add to the metadata and the tags of a run; both may be shared with other runs, and are replaced."""
    if marks:
        run.extra["metadata"] = {**run.metadata, **_named(marks)}
        prompts = {f"prompt:{prompt.partition('@')[0]}" for prompt in marks.get("prompts", ())}
        run.tags = sorted({*(run.tags or ()), *prompts})


def _named(marks: Marks) -> Marks:
    return {f"{PREFIX}{name}": value for name, value in marks.items()}


def _strip(run: Run) -> None:
    run.inputs, run.outputs, run.serialized = {}, {}, {}
    run.events = [{name: event[name] for name in ("name", "time") if name in event} for event in run.events or ()]
    if run.error:
        # An error's words may repeat what was said: its kind stands before them.
        run.error = run.error.partition("(")[0][:100]
