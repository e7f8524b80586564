"""Forgetting, from what is meant to a report on the raw files."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, select

from ..knowledge.rows import chunk_numbers
from ..records import Item, Turn
from ..retrieval import lexical
from ..storage.database import FILE_NAME
from ..storage.states import refresh_state
from ..storage.tables import threads, users
from ..store import Memory
from . import ledger, server, unfinished
from .cleaning import compact, empty_log, sqlite_files
from .documents import documents_meant, pieces_saying, take_documents
from .echoes import echoes, items_of
from .mentions import Mention, in_any
from .phrases import Phrase
from .removal import Removed, remove, remove_everything
from .report import Forgotten, Preview, Residue, Scanned
from .request import What
from .restated import restate
from .scan import scan_files, scan_terms
from .selection import all_turns, select_turns

_MOST_NAMED = 20


class Threads(Protocol):
    """Where the threads' checkpoints are: every LangGraph checkpointer is one."""

    def delete_thread(self, thread_id: str) -> None:
        """Delete the checkpoints of a thread."""


def preview(memory: Memory, user_id: str, what: What) -> Preview:
    """What ``forget`` would remove; nothing is changed.

    Raises:
        NotFound: a turn's id names no turn that there ever was.
    """
    with memory.database.read() as connection:
        turns = all_turns(connection, user_id)
        chosen = select_turns(connection, user_id, what)
        documents = documents_meant(connection, user_id, what)
        repeating = echoes(connection, user_id, turns, chosen, _pieces(connection, user_id, documents))
        items = items_of(connection, user_id, chosen | repeating)
    return Preview(
        what=what,
        documents=len(documents),
        chosen=tuple(turns[number] for number in sorted(chosen)),
        echoes=tuple(turns[number] for number in sorted(repeating)),
        items=len(items),
    )


def forget(
    memory: Memory, checkpoints: Threads | None, user_id: str, what: What, *, terminal: str = "", now: datetime
) -> Forgotten:
    """Remove what is meant from every layer, for good, and search the files for what is left of it.

    The turns and what repeats them are gone when the transaction ends, whatever happens then: a cleaning that was cut
    short is done at the next start (``finish``), and repeating the call repeats it. A forgotten turn's number is not
    given again, unless everything of the user is forgotten.

    Args:
        memory: the open memory.
        checkpoints: where the threads are kept; ``None`` where there are none.
        user_id: whose memory.
        what: what is to be forgotten.
        terminal: who asks for it, as the other terminals are told.
        now: the time of the forgetting.

    Raises:
        NotFound: a turn's id names no turn that there ever was.
        StoreBusy: another process keeps the database locked; nothing was changed.
    """
    with memory.database.write() as connection:
        turns = all_turns(connection, user_id)
        chosen = select_turns(connection, user_id, what)
        removed, report = _remove(connection, memory.folder, user_id, what, turns, chosen, terminal=terminal, now=now)
        report = replace(report, still_said=_still_said(connection, user_id, turns, removed, what))
        owned = _threads_of(connection, user_id)
        if what.kind == "all":
            remove_everything(connection, user_id)
        left = unfinished.note(connection, user_id, {*removed.threads, *owned})
    concerned = {*removed.threads, *owned} if what.kind == "all" else set(removed.threads)
    return _clean(memory, checkpoints, left, concerned, owned, removed.phrases, report)


def finish(memory: Memory, checkpoints: Threads | None, cut_short: Sequence[unfinished.Unfinished]) -> None:
    """Clean what forgettings that were cut short have left to clean.

    What they were to forget is not known any more, so that nothing is searched for: all threads of the user go.
    """
    for one in cut_short:
        _purge(memory, one.user_id)
        _delete_threads(checkpoints, one.threads)
    if cut_short and not _compact(memory)[0]:
        for one in cut_short:
            _strike(memory, one)


def replay(memory: Memory, checkpoints: Threads | None, *, now: datetime) -> int:
    """Forget again what a restored backup has brought back; returns how many turns.

    Costs one look at a file where nothing has ever been forgotten, or nothing since the database was last open.
    """
    entries = ledger.read_entries(memory.folder)
    if not entries:
        return 0
    with memory.database.read() as connection:
        missed = ledger.unseen(connection, entries)
        everyone = list(connection.execute(select(users.c.user_id)).scalars()) if missed else []
        back = {user: ledger.brought_back(connection, user, missed) for user in everyone}
    for user_id, what in back.items():
        if what.names or what.documents:
            forget(memory, checkpoints, user_id, what, now=now)
    if missed:
        with memory.database.write() as connection:
            ledger.mark_seen(connection, memory.folder)
    return sum(len(what.names) for what in back.values())


def _remove(
    connection: Connection,
    folder: Path,
    user_id: str,
    what: What,
    turns: Mapping[int, Turn],
    chosen: Collection[int],
    *,
    terminal: str,
    now: datetime,
) -> tuple[Removed, Forgotten]:
    documents = documents_meant(connection, user_id, what)
    repeating = echoes(connection, user_id, turns, chosen, _pieces(connection, user_id, documents))
    numbers = sorted({*chosen, *repeating})
    if numbers or documents:
        ledger.write_entry(connection, folder, user_id, numbers, documents=documents, at=now)
    gone, items = [turns[number] for number in numbers], items_of(connection, user_id, numbers)
    # What was named is looked for even where no turn holds it any more: a forgetting may be repeated.
    names = what.names if what.kind == "value" else ()
    taken = take_documents(connection, user_id, documents, now=now)
    removed = remove(connection, user_id, gone, items, documents=taken, names=names, terminal=terminal, now=now)
    restated = restate(connection, _without(turns, removed), removed.items)
    if restated:
        refresh_state(connection, user_id, (), terminal=terminal, now=now)
    return removed, Forgotten(
        turns=_ids(removed.turns),
        echoes=_ids([turns[number] for number in sorted(repeating)]),
        items=_ids(removed.items),
        restated=_ids(restated),
        documents=len(documents),
        summaries=removed.summaries,
        answers=removed.answers,
        conflicts=removed.conflicts,
    )


def _ids(things: Iterable[Turn | Item]) -> tuple[str, ...]:
    return tuple(thing.id for thing in things)


def _pieces(connection: Connection, user_id: str, documents: Sequence[int]) -> list[str]:
    return [f"c{number}" for number in chunk_numbers(connection, user_id, documents)]


def _still_said(
    connection: Connection, user_id: str, turns: Mapping[int, Turn], removed: Removed, what: What
) -> tuple[str, ...]:
    """The turns and pieces of documents that stay and say a value of a forgotten item by themselves."""
    if what.kind == "all":
        return ()
    named = what.names if what.kind == "value" else {item.value for item in removed.items[:_MOST_NAMED]}
    mentions = [Mention(value) for value in named]
    # Of the turns that contain a value none stays.
    staying = [] if what.kind == "value" else _spoken(_without(turns, removed))
    saying = [turn.id for turn in staying if in_any(mentions, turn.text)]
    return (*saying[:_MOST_NAMED], *pieces_saying(connection, user_id, mentions)[:_MOST_NAMED])


def _without(turns: Mapping[int, Turn], removed: Removed) -> dict[int, Turn]:
    gone = {turn.number for turn in removed.turns}
    return {number: turn for number, turn in sorted(turns.items()) if number not in gone}


def _spoken(turns: Mapping[int, Turn]) -> list[Turn]:
    return [turn for turn in turns.values() if turn.role != "assistant"]


def _threads_of(connection: Connection, user_id: str) -> list[str]:
    return list(connection.execute(select(threads.c.thread_id).where(threads.c.user_id == user_id)).scalars())


def _clean(
    memory: Memory,
    checkpoints: Threads | None,
    left: unfinished.Unfinished,
    concerned: Collection[str],
    owned: Sequence[str],
    phrases: Sequence[Phrase],
    report: Forgotten,
) -> Forgotten:
    """Empty what the files keep of deleted rows, and search them."""
    user_id = left.user_id
    _purge(memory, user_id, documents=bool(report.documents), summaries=bool(report.summaries))
    deleted = _delete_threads(checkpoints, concerned)
    problems, beyond = _compact(memory)
    if not problems:
        _strike(memory, left)
    scanned, residue = _scan(memory, phrases)
    if residue and checkpoints is not None and set(owned) - set(deleted):
        # A thread may hold a quotation that no turn and no trace of it has kept.
        deleted += _delete_threads(checkpoints, set(owned) - set(deleted))
        problems, beyond = _compact(memory)
        scanned, residue = _scan(memory, phrases)
    if scan_terms(memory.database, user_id, phrases):
        with memory.database.write() as connection:
            lexical.rebuild(connection, user_id)
        problems, beyond = _compact(memory)
    residue += scan_terms(memory.database, user_id, phrases)
    return replace(
        report,
        threads=tuple(deleted),
        phrases=len(phrases),
        scanned=tuple(scanned),
        residue=tuple(residue),
        problems=tuple(problems),
        beyond=tuple(beyond),
    )


def _purge(memory: Memory, user_id: str, *, documents: bool = True, summaries: bool = True) -> None:
    memory.vectors.purge(user_id)
    if documents:
        memory.knowledge.vectors.purge(user_id)
    if summaries:
        memory.digests.vectors.purge(user_id)


def _strike(memory: Memory, finished: unfinished.Unfinished) -> None:
    with memory.database.write() as connection:
        unfinished.strike(connection, finished)
    # The note is in it still, and names a user and threads.
    empty_log(memory.folder / FILE_NAME)


def _delete_threads(checkpoints: Threads | None, threads_concerned: Collection[str]) -> list[str]:
    if checkpoints is None:
        return []
    for thread in sorted(threads_concerned):
        checkpoints.delete_thread(thread)
    return sorted(threads_concerned)


def _compact(memory: Memory) -> tuple[list[str], list[str]]:
    """Empty free space; what could not be done, and what cannot be searched."""
    problems = [problem for path in sqlite_files(memory.folder) if (problem := compact(path)) is not None]
    beyond = [server.VECTORS] if memory.on_chroma_server else []
    if memory.database.on_server:
        left, kept = server.rewrite(memory.database)
        problems += left
        beyond += [*kept, server.LOG]
    return problems, beyond


def _scan(memory: Memory, phrases: Sequence[Phrase]) -> tuple[list[Scanned], list[Residue]]:
    """Search what is in the folder, and in the tables of a server."""
    scanned, residue = scan_files(memory.folder, phrases)
    if memory.database.on_server:
        tables, rows = server.scan_tables(memory.database, phrases)
        scanned, residue = scanned + tables, residue + rows
    return scanned, residue
