"""`/v1/memory`: what a person looks at and changes: turns, items, summaries, recalls, answers, export."""

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Query
from fastapi.responses import FileResponse
from pydantic import AfterValidator, AwareDatetime

from ..graph.recall import recall
from ..memory.bundles import export_bundle
from ..memory.correcting import correct, retract
from ..memory.errors import NotFound
from ..memory.forgetting import preview
from ..memory.ingestion.utterances import find_zone
from ..memory.language.folding import clean
from ..memory.listing import item_document
from ..memory.records import ItemKind
from ..memory.storage.answers import answers_to
from ..memory.storage.items import get_item, history_of, items_of_turns, list_items
from ..memory.storage.summaries import list_summaries
from ..memory.storage.turns import get_turns, list_sessions, recent_turns
from ..nodes.contract import Context
from .documents import Correction, Forgetting, Json, Question, turn_json
from .forgetting import preview_json, what_of
from .memory_routes import Has, Later, Who

router = APIRouter(prefix="/v1/memory", tags=["what is remembered"])
TurnName = Annotated[str, Query(pattern=r"^t[0-9]{1,17}$")]
Name = Annotated[str, Query(max_length=512), AfterValidator(clean)]
_Limit = Annotated[int, Query(ge=1, le=500)]
_ANSWER = ("answer_id", "text", "abstained", "mode", "claims", "citations")


@router.get("/caller")
def caller(who: Who) -> Json:
    """Whom the service takes the caller for."""
    return {"user": who.user_id, "terminal": who.terminal}


@router.get("/state")
def state(who: Who, has: Has) -> Json:
    """MEMORY_STATE as answers see it; among the handles it is `memory_state`."""
    return has.memory.state(who.user_id).model_dump(mode="json")


@router.get("/sessions")
def sessions(who: Who, has: Has, limit: _Limit = 30) -> Json:
    """The conversations, the latest first, each with its first words."""
    with has.memory.database.read() as connection:
        found = list_sessions(connection, who.user_id, limit=limit)
    return {
        "sessions": [
            {"session": one.session_id, "turns": one.turns, "last_at": one.last_at, "opening": one.opening[:200]}
            for one in found
        ]
    }


@router.get("/turns")
def turns(
    who: Who,
    has: Has,
    session: Name | None = None,
    before: TurnName | None = None,
    limit: _Limit = 50,
) -> Json:
    """The last turns, oldest first, each with what was noted from it; ``before`` gives the page before a turn."""
    number = None if before is None else int(before[1:])
    with has.memory.database.read() as connection:
        found = recent_turns(connection, who.user_id, limit + 1, session_id=session, before=number)
        page = found[-limit:]
        noted = items_of_turns(connection, who.user_id, [turn.number for turn in page])
        asked = [turn.id for turn in page if turn.role == "user"]
        answers = {} if session is None else answers_to(connection, who.user_id, session, asked)
    shown = [turn_json(turn, noted.get(turn.number, ())) for turn in page]
    for earlier, later in pairwise(shown):
        if later["role"] == "assistant" and (trace := answers.get(earlier["id"])):
            later["answer"] = {name: trace.get(name) for name in _ANSWER}
    return {"turns": shown, "before": page[0].id if len(found) > limit else None}


@router.get("/turns/{turn}")
def one_turn(turn: str, who: Who, has: Has) -> Json:
    """A turn with the items that quote it."""
    number = _number(turn, "t", "turn")
    with has.memory.database.read() as connection:
        found = get_turns(connection, who.user_id, [number])
        if number not in found:
            raise NotFound("turn", turn, "`GET /v1/memory/turns` lists those there are")
        return turn_json(found[number], items_of_turns(connection, who.user_id, [number]).get(number, ()))


@router.get("/items")
def items(
    who: Who,
    has: Has,
    kind: ItemKind | None = None,
    entity: Name | None = None,
    live_only: bool = False,
    as_of: AwareDatetime | None = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 300,
) -> Json:
    """The items with their validity, newest first; those that no longer hold as well, unless ``live_only``."""
    with has.memory.database.read() as connection:
        found = list_items(
            connection, who.user_id, kind=kind, entity=entity, live_only=live_only, as_of=as_of, limit=limit
        )
    return {"items": [item_document(item) for item in found]}


@router.get("/items/{item}")
def one_item(item: str, who: Who, has: Has) -> Json:
    """An item, the turn that it quotes, and its versions: what it replaced, and what replaced it."""
    number = _number(item, "f", "item")
    with has.memory.database.read() as connection:
        found = get_item(connection, who.user_id, number)
        versions = history_of(connection, who.user_id, number)
        said = get_turns(connection, who.user_id, [found.turn])[found.turn]
    return {
        "item": item_document(found),
        "turn": turn_json(said),
        "versions": [item_document(version) for version in versions],
    }


@router.post("/items/{item}/correct")
def correct_item(item: str, body: Correction, who: Who, has: Has, later: Later) -> Json:
    """Replace a value that was wrong; the old one stays in the history. Gives the item that holds now."""
    number = _number(item, "f", "item")
    zone = has.time_zone if body.time_zone is None else find_zone(body.time_zone).key
    with has.memory.database.write(who.user_id) as connection:
        made = correct(
            connection,
            who.user_id,
            number,
            body.value,
            time_zone=zone,
            terminal=who.terminal,
            now=has.clock(),
        )
    later.note(who.user_id)
    return item_document(made)


@router.post("/items/{item}/retract")
def retract_item(item: str, who: Who, has: Has) -> Json:
    """End an item that no longer holds and that nothing replaces; it stays in the history."""
    number = _number(item, "f", "item")
    with has.memory.database.write(who.user_id) as connection:
        return item_document(retract(connection, who.user_id, number, terminal=who.terminal, now=has.clock()))


@router.get("/summaries")
def summaries(who: Who, has: Has, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> Json:
    """The summaries, newest first: which turns each covers, why it was made, and its sections of quotations."""
    with has.memory.database.read() as connection:
        found = list_summaries(connection, who.user_id, limit=limit)
    return {
        "summaries": [
            {
                "id": f"s{row['number']}",
                "session": row["session_id"],
                "first_turn": f"t{row['first_turn']}",
                "last_turn": f"t{row['last_turn']}",
                "trigger": row["trigger"],
                "recorded_at": row["recorded_at"],
                "document": row["document"],
            }
            for row in found
        ]
    }


@router.post("/recall")
def search(body: Question, who: Who, has: Has) -> Json:
    """What the memory finds for a question, without an answer: queries, results, what was dropped by which rule."""
    has.memory.embed_waiting(who.user_id)
    context = Context(
        user_id=who.user_id,
        session_id="recall",
        terminal=who.terminal,
        time_zone=None if body.time_zone is None else find_zone(body.time_zone).key,
        record=False,
        limit=body.limit,
        as_of=body.as_of,
    )
    return recall(has, body.question, context)


@router.get("/answers/{answer}")
def answer_trace(answer: str, who: Who, has: Has) -> Json:
    """How an answer came about: its question, queries, what was kept and dropped, claims and quotations."""
    trace = has.memory.answer(who.user_id, _number(answer, "a", "answer"))
    if trace is None:
        raise NotFound("answer", answer, "the event `done` of `/v1/chat` names the answer's id")
    return trace


@router.post("/forget/preview")
def forget_preview(body: Forgetting, who: Who, has: Has) -> Json:
    """What forgetting this would take; nothing is changed."""
    return preview_json(preview(has.memory, who.user_id, what_of(body)))


@router.get("/export", responses={200: {"content": {"application/x-ndjson": {}}}}, response_class=FileResponse)
def export(who: Who, has: Has) -> FileResponse:
    """The whole memory as JSON lines, which `veridical memory import` takes."""
    folder = tempfile.TemporaryDirectory(prefix="veridical-export-")
    path = Path(folder.name) / "memory.jsonl"
    export_bundle(has.memory.database, who.user_id, path, now=has.clock())
    afterwards = BackgroundTasks()
    afterwards.add_task(folder.cleanup)
    return FileResponse(path, media_type="application/x-ndjson", filename="memory.jsonl", background=afterwards)


def _number(given: str, prefix: str, what: str) -> int:
    """The number in an id such as ``t12``."""
    digits = given.strip().lower().removeprefix(prefix)
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 17):
        raise NotFound(what, given, f"its ids look like {prefix}3")
    return int(digits)
