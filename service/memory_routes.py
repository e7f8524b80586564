"""`/v1/memory`: handles, their events, snapshots, alignment, forgetting."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import AwareDatetime

from ..graph.threads import open_threads
from ..memory.errors import BadInput
from ..memory.forgetting import forget
from ..memory.handles import history, registry
from ..memory.handles.records import NewHandle, Origin, handle_document
from ..memory.handles.repeating import once
from ..memory.storage.events import events_after, first_number, last_number
from ..memory.storage.state_events import WORKING_MEMORY
from ..nodes.contract import Resources
from .bell import Bell
from .documents import (
    LARGEST,
    Change,
    Forgetting,
    HandleName,
    Held,
    Json,
    Registration,
    alignment_json,
    snapshot_json,
)
from .embedding import Embedding
from .forgetting import what_of
from .identity import Caller, caller_of
from .telling import Told, told_after

router = APIRouter(prefix="/v1/memory", tags=["memory"])
Who = Annotated[Caller, Depends(caller_of)]
Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=256)]
_BATCH = 200


async def resources_of(request: Request) -> Resources:
    """What the service was started with."""
    found: Resources = request.app.state.resources
    return found


async def embedding_of(request: Request) -> Embedding:
    """What makes turns findable by their meaning, when a change has been answered."""
    found: Embedding = request.app.state.embedding
    return found


Has = Annotated[Resources, Depends(resources_of)]
Later = Annotated[Embedding, Depends(embedding_of)]


@router.post("/register", status_code=201)
def register(body: Registration, who: Who, has: Has, later: Later, key: Key = None) -> Json:
    """Register a document: it gets a handle, can be recalled, and every terminal is told of it."""
    now = has.clock()
    new = NewHandle(body.type, body.metadata, body.state, body.expires_at)
    if new.expires_at is not None and new.expires_at <= now:
        message = "expires_at is in the past: give a later time, or none."
        raise BadInput(message)
    with has.memory.database.write(who.user_id) as connection:

        def do() -> Json:
            made = registry.register(connection, who.user_id, new, Origin(who.terminal, body.source), now=now)
            return {name: handle_document(made)[name] for name in ("handle", "version", "expires_at")}

        answer = once(connection, who.user_id, key, _request("register", body), do, now=now)
    later.note(who.user_id)
    return answer


@router.get("/handles")
def handles(
    who: Who,
    has: Has,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    after: Annotated[str, Query(max_length=64)] = "",
) -> Json:
    """The valid handles by name, a page at a time: ``after`` is the last name of the page before."""
    with has.memory.database.read() as connection:
        found = registry.list_handles(connection, who.user_id, now=has.clock(), after=after, limit=limit + 1)
    page = [handle_document(one) for one in found[:limit]]
    return {"handles": page, "next": page[-1]["handle"] if len(found) > limit else None}


@router.get("/snapshot")
def snapshot(who: Who, has: Has, as_of: AwareDatetime | None = None) -> Json:
    """Every valid handle with its state, now or at a moment within the retention."""
    with has.memory.database.read() as connection:
        if as_of is None:
            return snapshot_json(history.present(connection, who.user_id))
        return snapshot_json(history.snapshot(connection, who.user_id, as_of))


@router.post("/align")
def align(body: Held, who: Who, has: Has) -> Json:
    """What a client that holds these versions is to change; from ten differing handles on, everything."""
    with has.memory.database.read() as connection:
        return alignment_json(history.align(connection, who.user_id, body.handles))


@router.post("/forget")
def forget_(body: Forgetting, who: Who, has: Has) -> Json:
    """Forget something for good, in every layer; the report says what is left in the files, if anything is."""
    with open_threads(has.memory) as threads:
        report = forget(has.memory, threads, who.user_id, what_of(body), terminal=who.terminal, now=has.clock())
    return report.document()


@router.get("/history")
def events_page(
    who: Who,
    has: Has,
    after: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Json:
    """Events that were, a page at a time: what a stream would have sent."""
    with has.memory.database.read() as connection:
        found = events_after(connection, who.user_id, after, limit=limit)
        newest = last_number(connection, who.user_id)
    page = [history.event_json(event) for event in found]
    return {
        "events": page,
        "last": newest,
        "next": page[-1]["number"] if page and page[-1]["number"] < newest else None,
    }


@router.get("/events", response_class=EventSourceResponse)
async def events(
    request: Request, who: Who, has: Has, last_event_id: Annotated[str | None, Header(alias="Last-Event-ID")] = None
) -> AsyncIterator[ServerSentEvent]:
    """The events after the one of ``Last-Event-ID``, and then each as it happens.

    Where that one is no longer known, or was never there, ``reset`` says so: align, and go on from there.
    """
    bell: Bell = request.app.state.bell
    number = _number(last_event_id)
    with bell.listening(who.user_id, who.terminal) as listener:
        if number is None:
            number = await asyncio.to_thread(_newest, has, who)
        while True:
            if not await asyncio.to_thread(_can_replay, has, who, number):
                number = await asyncio.to_thread(_newest, has, who)
                yield ServerSentEvent(event="reset", data={"number": number}, id=str(number))
            listener.sent = number
            waiting = True
            while waiting:
                batch = bell.fresh(who.user_id, number)
                if batch is None:
                    batch = await asyncio.to_thread(_after, has, who, number)
                for told in batch:
                    number = told.number
                    yield told.event
                    listener.sent = number
                waiting = len(batch) == _BATCH or await bell.after(who.user_id, number)


@router.get("/{handle}")
def read(handle: HandleName, who: Who, has: Has) -> Json:
    """A handle as it stands; `memory_state` is the user's working memory."""
    with has.memory.database.read() as connection:
        if handle == WORKING_MEMORY:
            return {"handle": handle, **history.working_memory(connection, who.user_id)}
        return handle_document(registry.read(connection, who.user_id, handle, now=has.clock()))


@router.patch("/{handle}")
def change(handle: HandleName, body: Change, who: Who, has: Has, later: Later, key: Key = None) -> Json:
    """Change a handle; a version that is no longer the current one is answered 409 with the current one."""
    now = has.clock()
    with has.memory.database.write(who.user_id) as connection:

        def do() -> Json:
            known = registry.read(connection, who.user_id, handle, now=now)
            origin = Origin(who.terminal, body.source or known.source)
            given: dict[str, Any] = {"version": body.version, "expires_at": body.expires_at}
            made = registry.change(connection, who.user_id, handle, body.delta, origin=origin, now=now, **given)
            return handle_document(made)

        answer = once(connection, who.user_id, key, _request(handle, body), do, now=now)
    later.note(who.user_id)
    return answer


def _request(what: str, body: Registration | Change) -> Json:
    return {"what": what, **body.model_dump(mode="json")}


def _number(last_event_id: str | None) -> int | None:
    """The number that a client saw last; ``None`` where it saw none and wants what comes now."""
    if last_event_id is None or not (last_event_id.isascii() and last_event_id.isdecimal()):
        return None
    return int(last_event_id[:18])


def _can_replay(has: Resources, who: Caller, number: int) -> bool:
    with has.memory.database.read() as connection:
        oldest, newest = first_number(connection, who.user_id), last_number(connection, who.user_id)
    return oldest - 1 <= number <= newest


def _newest(has: Resources, who: Caller) -> int:
    with has.memory.database.read() as connection:
        return last_number(connection, who.user_id)


def _after(has: Resources, who: Caller, number: int) -> list[Told]:
    with has.memory.database.read() as connection:
        return told_after(connection, who.user_id, number, limit=_BATCH)
