"""Requests that may be sent again: with the same key the same request is done once, and answered alike."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, insert, select

from ..errors import UsageError
from ..storage.deltas import Document
from ..storage.stream_tables import requests


class KeyReused(UsageError):
    """An idempotency key came with another request than the first time."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The idempotency key {key!r} was used for another request: choose a new one.")


def once(
    connection: Connection,
    user_id: str,
    key: str | None,
    request: Document,
    do: Callable[[], Document],
    *,
    now: datetime,
) -> Document:
    """Do something, unless it was done under this key; both within the caller's write transaction.

    Args:
        connection: in a write transaction.
        user_id: who asks; keys of different users have nothing to do with each other.
        key: the request's key; ``None`` where it has none, and it is done each time.
        request: what is asked, to tell another request from the same.
        do: does it, and says what is to be answered.
        now: when.

    Raises:
        KeyReused: the key was used for something else.
    """
    if key is None:
        return do()
    digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
    known = connection.execute(
        select(requests.c.sha256, requests.c.document).where(requests.c.user_id == user_id, requests.c.key == key)
    ).first()
    if known is not None:
        if known.sha256 != digest:
            raise KeyReused(key)
        return dict(json.loads(known.document))
    answer = do()
    row = {"key": key, "sha256": digest, "document": json.dumps(answer), "created_at": now}
    connection.execute(insert(requests).values(user_id=user_id, **row))
    return answer
