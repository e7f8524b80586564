"""One conversation with the graph: a line in, the released sentences out."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver

from ..graph.guard import VeridicalGraph
from ..memory.forgetting import What
from ..memory.forgetting.dialogue import Reply, asked, settled
from ..memory.records import Language
from ..memory.storage.items import list_items
from ..memory.store import Memory
from ..memory.traces import Json
from ..nodes.contract import Context

_TERMINAL = "cli"


class Conversation:
    """A thread of the graph. Every line is one turn through it."""

    def __init__(self, graph: VeridicalGraph, *, user: str, session: str | None, time_zone: str) -> None:
        """Continue ``session``, or begin a new one.

        Args:
            graph: compiled, with or without a checkpointer.
            user: who speaks.
            session: id of the conversation to continue.
            time_zone: IANA name of the zone that the user is in.

        Raises:
            ThreadOwned: the session is somebody else's.
        """
        self.user = user
        self.session = session or f"chat-{graph.resources.clock():%Y%m%d-%H%M%S}-{uuid4().hex[:6]}"
        self.time_zone = time_zone
        self._graph = graph
        self.memory.admit(self.session, user)

    @property
    def memory(self) -> Memory:
        """The memory behind the graph."""
        return self._graph.resources.memory

    def say(self, text: str) -> Iterator[str]:
        """Send one line; yields the answer's sentences as they are released.

        Raises:
            VeridicalError: the line cannot be answered; the message says what to do.
        """
        context = Context(user_id=self.user, session_id=self.session, terminal=_TERMINAL, time_zone=self.time_zone)
        stream = self._graph.stream(
            {"messages": [HumanMessage(text)]},
            {"configurable": {"thread_id": self.session}},
            context=context,
            stream_mode="messages",
        )
        for chunk, _ in stream:
            yield chunk.text

    def answer(self, number: int | None) -> Json | None:
        """The trace of an answer, by default of the user's last; ``None`` when there is none."""
        return self.memory.answer(self.user, number)

    def ask_forgetting(self, line: str) -> Reply | None:
        """What to say to a line that asks to forget something; ``None`` to any other.

        Raises:
            NotFound: the line names a turn that there never was.
        """
        return asked(self.memory, self.user, self.session, line)

    def settle_forgetting(self, offered: What, line: str, language: Language) -> Reply | None:
        """Forget what was offered if the line says yes, in the memory and in the checkpoints of this chat."""
        saver = self._graph.checkpointer
        threads = saver if isinstance(saver, BaseCheckpointSaver) else None
        by: dict[str, Any] = {"language": language, "terminal": _TERMINAL, "now": self._graph.resources.clock()}
        return settled(self.memory, threads, self.user, offered, line, **by)

    def state(self) -> dict[str, Any]:
        """MEMORY_STATE as plain JSON."""
        return self.memory.state(self.user).model_dump(mode="json")

    def due_todos(self) -> list[Json]:
        """Todos that are due today or earlier, in the user's zone, the earliest first, as MEMORY_STATE shows them."""
        zone = ZoneInfo(self.time_zone)
        now = self._graph.resources.clock().astimezone(zone)
        tomorrow = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), tzinfo=zone)
        with self.memory.database.read() as connection:
            todos = list_items(connection, self.user, kind="todo")
        due = [(todo.due_at, todo) for todo in todos if todo.due_at is not None and todo.due_at < tomorrow]
        return [
            {"id": todo.id, "text": todo.quote, "due_at": moment.isoformat(), "turn_id": f"t{todo.turn}"}
            for moment, todo in sorted(due, key=lambda pair: (pair[0], pair[1].number))
        ]
