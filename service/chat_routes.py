"""`/v1/chat`: a turn of the agent's, as a stream of verified sentences."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from typing import Annotated, Any
from uuid import uuid4
from weakref import WeakValueDictionary

from fastapi import APIRouter, Depends, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from langchain_core.messages import HumanMessage

from ..graph.configurations import Assignment
from ..memory.complaints import rates
from ..memory.errors import VeridicalError
from ..memory.ingestion.utterances import find_zone
from ..nodes.contract import Context, Resources
from .documents import Json, Message
from .forgetting import events_of, reply_about_forgetting
from .identity import Caller, caller_of
from .metrics import Metrics
from .problems import fault, problem_of

router = APIRouter(tags=["chat"])
Who = Annotated[Caller, Depends(caller_of)]
_Parts = asyncio.Queue[ServerSentEvent | None]


class Turns:
    """The turns that are being worked on: one at a time in a session, and each to its record."""

    def __init__(self, assignment: Assignment, metrics: Metrics, written: Callable[[], None]) -> None:
        """Run each user's turns on the graph that is assigned to them; ``written`` is called when one has written."""
        self._written = written
        self._assignment = assignment
        self._metrics = metrics
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._running: set[asyncio.Task[None]] = set()

    def begin(self, said: Message, who: Caller) -> _Parts:
        """Start a turn; its events come through the queue, ``None`` last. It ends whether anybody listens or not."""
        parts: _Parts = asyncio.Queue()
        task = asyncio.create_task(self._run(said, who, parts))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return parts

    async def finish(self) -> None:
        """Wait for the turns that are under way."""
        while self._running:
            await asyncio.wait(set(self._running))

    async def _run(self, said: Message, who: Caller, parts: _Parts) -> None:
        session = said.session or f"chat-{uuid4().hex[:12]}"
        lock = self._locks.setdefault(f"{who.user_id}\x00{session}", asyncio.Lock())
        done: Json = {"session": session, "answered": False}
        try:
            async with lock:
                await parts.put(ServerSentEvent(event="start", data={"session": session}))
                async for kind, part in self._replied(said, who, session):
                    self._written()
                    if kind == "done":
                        done |= {"answered": True, **part}
                    else:
                        await parts.put(ServerSentEvent(event=kind, data=part))
        except VeridicalError as error:
            await parts.put(ServerSentEvent(event="error", data=problem_of(error)))
        except Exception:
            await parts.put(ServerSentEvent(event="error", data=fault()))
            raise
        finally:
            await parts.put(ServerSentEvent(event="done", data=done))
            await parts.put(None)

    async def _replied(self, said: Message, who: Caller, session: str) -> AsyncIterator[tuple[str, Json]]:
        """What is said to a message, as events: about forgetting, else by the agent."""
        resources = self._assignment.of(who.user_id).resources
        reply = await asyncio.to_thread(reply_about_forgetting, resources, who, session, said)
        if reply is not None:
            for event in events_of(reply):
                yield event
            return
        async for event in self._turn(said, who, session):
            yield event

    async def _turn(self, said: Message, who: Caller, session: str) -> AsyncIterator[tuple[str, Json]]:
        """What the graph says in one turn: sentences, and at the end which answer it was."""
        zone = None if said.time_zone is None else find_zone(said.time_zone).key
        context = Context(
            user_id=who.user_id,
            session_id=session,
            terminal=who.terminal,
            language=said.language,
            time_zone=zone,
            record=said.record,
        )
        message = HumanMessage(said.message, id=said.message_id or uuid4().hex)
        config: Any = {"configurable": {"thread_id": session}}
        graph = self._assignment.of(who.user_id)
        # What was registered just now is found by its meaning too.
        await asyncio.to_thread(graph.resources.memory.embed_waiting, who.user_id)
        stream = graph.astream({"messages": [message]}, config, context=context, stream_mode=["custom", "values"])
        last: dict[str, Any] = {}
        async for mode, part in stream:
            if mode == "custom" and part.get("type") == "sentence":
                yield "sentence", {name: value for name, value in part.items() if name not in {"type", "message_id"}}
            elif mode == "values":
                last = part
        answer = last["answer"]
        self._metrics.answered(answer, graph.resources.configuration)
        said_last = {"text": answer.text, "abstained": answer.abstained, "mode": answer.mode}
        yield "done", {"answer_id": last["answer_id"], **said_last}


@router.get("/v1/configurations")
def configurations(request: Request, who: Who) -> Json:
    """The ways of answering that are compared: how many answers each gave, and against how many somebody complained."""
    resources: Resources = request.app.state.resources
    with resources.memory.database.read() as connection:
        found = rates(connection)
    return {"configurations": [{**asdict(one), "rate": one.rate} for one in found]}


@router.post("/v1/chat", response_class=EventSourceResponse)
async def chat(body: Message, request: Request, who: Who) -> AsyncIterator[ServerSentEvent]:
    """Say something to the agent.

    The stream holds ``start`` (the session), then each ``sentence`` with its claims and citations as soon as it is
    verified, ``error`` where something failed, and ``done`` last (the answer's id, for ``why``).

    "Forget that" is answered by ``forget``: what would go. Nothing is forgotten until a further message says yes and
    gives its ``kind`` and ``names`` in ``forgetting`` (or `/v1/memory/forget` is called with them); ``forgotten`` then
    is the report. None of these messages is recorded.
    """
    turns: Turns = request.app.state.turns
    parts = turns.begin(body, who)
    while (part := await parts.get()) is not None:
        yield part
