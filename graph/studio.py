"""The graph as a LangGraph server takes it: opened when it is first asked for, once per process, by the settings.

``langgraph.json`` names it as ``veridical.graph.studio:graph``. The server brings its own checkpointer, and threads
with it; whose memory a run is about stands in the run's context.
"""

import asyncio
import atexit
import threading
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

from ..memory.errors import VeridicalError
from .build import build_graph
from .guard import VeridicalGraph
from .resources import open_resources

_opening = threading.Lock()
_opened: list["ServedGraph"] = []
_open = ExitStack()


class ServedGraph(VeridicalGraph):
    """The graph behind a server, which tells its clients what a ``ValueError`` says and nothing of other errors."""

    async def astream(self, input: Any, *arguments: Any, **options: Any) -> AsyncIterator[Any]:
        """Stream a run; what goes wrong on purpose is an error whose sentence reaches the client."""
        try:
            async for part in super().astream(input, *arguments, **options):
                yield part
        except VeridicalError as error:
            raise ValueError(str(error)) from error


def opened() -> ServedGraph:
    """The graph of this process; its memory is closed when the process ends.

    Raises:
        StoreError: the data folder cannot be used; the message says what to do.
        BadInput: a setting names what does not exist.
    """
    with _opening:
        if not _opened:
            resources = _open.enter_context(open_resources())
            _opened.append(ServedGraph.guarding(build_graph(resources), resources))
            atexit.register(close)
        return _opened[0]


def close() -> None:
    """Close the memory; who asks for the graph after that opens it anew."""
    with _opening:
        _opened.clear()
        _open.close()


async def graph() -> ServedGraph:
    """The graph, as the server asks for it with every run: in its event loop, where nothing may block."""
    return _opened[0] if _opened else await asyncio.to_thread(opened)
