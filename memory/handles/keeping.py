"""What is due from time to time: ended handles, the day's snapshots, and what is older than the retention."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select

from ..storage.stream_tables import events, requests
from .history import keep_daily, prune
from .registry import expire

RETENTION = timedelta(days=7)
"""For how long changes can be replayed, at least."""
_REQUESTS_KEPT = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Kept:
    """What one round did."""

    expired: int
    snapshots: int
    dropped: int


def keep(connection: Connection, *, now: datetime, retention: timedelta = RETENTION) -> Kept:
    """Do what is due, in a write transaction; doing it again at once changes nothing."""
    expired = len(expire(connection, now=now))
    users = connection.execute(select(events.c.user_id).distinct()).scalars().all()
    made = sum(keep_daily(connection, user, now=now) for user in users)
    connection.execute(delete(requests).where(requests.c.created_at < now - _REQUESTS_KEPT))
    return Kept(expired, made, prune(connection, before=now - retention))
