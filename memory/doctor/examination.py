"""Examining a store, and repairing what is derived in it."""

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.exc import DatabaseError

from ..storage.database import Database
from .checks import Check, Finding
from .derived import DERIVED_CHECKS
from .problems import Checked, Problem, Report
from .stored import STORED_CHECKS

CHECKS = (*STORED_CHECKS, *DERIVED_CHECKS)
_MOST_PAGES = 100


def examine(database: Database) -> Report:
    """Look at the whole store; nothing is changed."""
    return Report((_integrity(database), *(_run(database, check) for check in CHECKS)))


def repair(database: Database, *, now: datetime) -> tuple[str, ...]:
    """Make anew what is derived and wrong, one transaction per check.

    Args:
        database: the open store.
        now: recorded time of what is written.

    Returns:
        What was repaired, one sentence each. What cannot be repaired without inventing is left as it is.
    """
    return tuple(sentence for check in CHECKS for sentence in _mend(database, check, now))


def _run(database: Database, check: Check) -> Checked:
    with database.read() as connection:
        examined = connection.execute(select(func.count()).select_from(check.table)).scalar_one()
        problems = tuple(_problem(check, finding) for finding in check.find(connection))
    return Checked(check.name, check.promise, int(examined), problems)


def _mend(database: Database, check: Check, now: datetime) -> Iterator[str]:
    if check.repair is None:
        return
    with database.write() as connection:
        findings = list(check.find(connection))
        # A repair of one user's index makes all of it anew: once is enough.
        for finding in _once(check, findings):
            check.repair(connection, finding, now)
    for user_id in dict.fromkeys(finding.user_id for finding in findings):
        count = sum(finding.user_id == user_id for finding in findings)
        yield f"{check.name}: {count:,} of user {user_id!r} made anew"


def _once(check: Check, findings: list[Finding]) -> list[Finding]:
    if not check.whole_user:
        return findings
    return list({finding.user_id: finding for finding in findings}.values())


def _problem(check: Check, finding: Finding) -> Problem:
    return Problem(check.name, finding.user_id, finding.subject, finding.detail, repairable=check.repair is not None)


def _integrity(database: Database) -> Checked:
    name, promise = "file", "The database file is sound."
    with database.read() as connection:
        pages = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())
        try:
            rows = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_PAGES})")]
        except DatabaseError as error:
            rows = [str(error.orig)]
    problems = tuple(Problem(name, "", database.path.name, detail) for detail in rows if detail != "ok")
    return Checked(name, promise, pages, problems)
