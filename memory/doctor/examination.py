"""Examining a store, and repairing what is derived in it."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import func, select, text
from sqlalchemy.exc import DatabaseError

from ..errors import StoreError
from ..retrieval.vectors import VectorIndex, bump_epoch
from ..storage.database import FILE_NAME, Database
from ..storage.full_text import full_text
from ..storage.tables import metadata
from .checks import Check, Finding
from .derived import DERIVED_CHECKS
from .index import check_embedder, check_index, repair_index
from .intents import INTENT_CHECKS
from .problems import Checked, Problem, Report
from .stored import STORED_CHECKS

_CHECKS = (*STORED_CHECKS, *INTENT_CHECKS, *DERIVED_CHECKS)
_MOST_FAULTS = 100


def examine(
    database: Database, *, embedder: str, index: VectorIndex | None = None, user_id: str | None = None
) -> Report:
    """Hold a store to the promises; nothing is changed.

    Args:
        database: the open store.
        embedder: name of the configured embedder.
        index: the store's vector index, if it can be opened with that embedder.
        user_id: report only what concerns this user or the store as a whole.
    """
    checks = [_integrity(database), *(_run(database, check, user_id) for check in _CHECKS)]
    checks.append(check_embedder(database, embedder))
    if index is not None:
        checks.append(check_index(database, index, user_id))
    return Report(tuple(checks))


def repair(
    database: Database, *, now: datetime, index: VectorIndex | None = None, user_id: str | None = None
) -> tuple[str, ...]:
    """Make anew what is derived and wrong, one transaction per check.

    Args:
        database: the open store.
        now: recorded time of what is written.
        index: the store's vector index, if it can be opened.
        user_id: repair only what is this user's.

    Returns:
        What was repaired, one sentence each. What cannot be repaired without inventing is left as it is.
    """
    mended = [sentence for check in _CHECKS for sentence in _mend(database, check, user_id, now)]
    if index is not None:
        mended += repair_index(database, index, user_id)
    return tuple(mended)


def _run(database: Database, check: Check, user_id: str | None) -> Checked:
    rows = select(func.count()).select_from(check.table)
    if user_id is not None:
        rows = rows.where(check.table.c.user_id == user_id)
    with database.view() as connection:
        examined = int(connection.execute(rows).scalar_one())
        found = _concerning(check.find(connection), user_id)
    repairable = check.repair is not None
    problems = (Problem(check.name, finding.user_id, finding.subject, finding.detail, repairable) for finding in found)
    return Checked(check.name, check.promise, examined, tuple(problems))


def _mend(database: Database, check: Check, user_id: str | None, now: datetime) -> Iterator[str]:
    if check.repair is None:
        return
    with database.write() as connection:
        found = _concerning(check.find(connection), user_id)
        for finding in _once(check, found):
            check.repair(connection, finding, now)
        if found:
            bump_epoch(connection)
    for owner in dict.fromkeys(finding.user_id for finding in found):
        count = sum(finding.user_id == owner for finding in found)
        yield f"{check.name}: {count:,} of user {owner!r} put right"


def _once(check: Check, found: Sequence[Finding]) -> list[Finding]:
    return list({finding.user_id: finding for finding in found}.values()) if check.whole_user else list(found)


def _concerning(found: Iterator[Finding], user_id: str | None) -> list[Finding]:
    return [finding for finding in found if user_id is None or finding.user_id == user_id]


def _integrity(database: Database) -> Checked:
    return _readable(database) if database.on_server else _sound(database)


def _sound(database: Database) -> Checked:
    """SQLite's own examination of its file."""
    name = "file"
    with database.read() as connection:
        pages = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        try:
            rows = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_FAULTS})")]
        except DatabaseError as error:
            rows = [str(error.orig)]
    problems = tuple(Problem(name, "", FILE_NAME, detail) for detail in rows if detail != "ok")
    return Checked(name, "The database file is sound.", pages, problems)


def _readable(database: Database) -> Checked:
    """A server keeps its files to itself, and checks each page that it reads: every row is read whole."""
    name, count, problems = "tables", 0, []
    for table in (*metadata.sorted_tables, full_text):
        whole = text(f'SELECT count(*), max(length(CAST(whole AS text))) FROM "{table.name}" AS whole')  # noqa: S608
        try:
            with database.read() as connection:
                count += int(connection.execute(whole).one()[0])
        except (DatabaseError, StoreError) as error:
            detail = str(getattr(error, "orig", error))
            problems.append(Problem(name, "", table.name, detail))
    return Checked(name, "Every row of every table can be read.", count, tuple(problems))
