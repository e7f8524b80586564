"""Bearer tokens: who may speak for a user, from which terminal. Of a secret only its hash is kept."""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, insert, select, update

from ..errors import NotFound
from .stream_tables import tokens
from .turns import ensure_user

_PREFIX = "vrd"
_ID_BYTES, _SECRET_BYTES = 6, 32
_FORM = re.compile(rf"{_PREFIX}_(?P<id>[0-9a-f]{{{2 * _ID_BYTES}}})_(?P<secret>[\w-]{{40,50}})", re.ASCII)
_USE_NOTED_EVERY = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is listed: everything but the secret."""

    token_id: str
    user_id: str
    terminal: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


def create_token(connection: Connection, user_id: str, terminal: str, *, now: datetime) -> tuple[Token, str]:
    """Make a token in a write transaction.

    Returns:
        The token, and the text that its bearer shows; that text is nowhere kept.
    """
    ensure_user(connection, user_id, now)
    token = Token(secrets.token_hex(_ID_BYTES), user_id, terminal, now, None, None)
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    row = {name: getattr(token, name) for name in Token.__slots__}
    connection.execute(insert(tokens).values(**row, sha256=_hash(secret)))
    return token, f"{_PREFIX}_{token.token_id}_{secret}"


def bearer_of(connection: Connection, shown: str) -> Token | None:
    """The valid token that a text shows; ``None`` for any other text. Takes as long whatever is wrong with it."""
    match = _FORM.fullmatch(shown)
    row = None
    if match is not None:
        row = connection.execute(_select(tokens.c.sha256).where(tokens.c.token_id == match["id"])).first()
    known = "" if row is None else row.sha256
    right = hmac.compare_digest(_hash(match["secret"] if match else shown), known)
    if row is None or not right or row.revoked_at is not None:
        return None
    return _token(dict(row._mapping))


def note_use(connection: Connection, token: Token, *, now: datetime) -> None:
    """Remember when a token was last used, to a few minutes, in a write transaction."""
    connection.execute(update(tokens).where(tokens.c.token_id == token.token_id).values(last_used_at=now))


def is_use_worth_noting(token: Token, now: datetime) -> bool:
    """Whether the last use that is known is some minutes ago: a write for every request would cost too much."""
    return token.last_used_at is None or now - token.last_used_at > _USE_NOTED_EVERY


def list_tokens(connection: Connection, user_id: str | None = None) -> list[Token]:
    """The tokens of a user, or of all, in the order in which they were made; revoked ones too."""
    statement = _select()
    if user_id is not None:
        statement = statement.where(tokens.c.user_id == user_id)
    return [_token(dict(row._mapping)) for row in connection.execute(statement.order_by(tokens.c.id))]


def revoke_token(connection: Connection, token_id: str, *, now: datetime) -> Token:
    """End a token at once, in a write transaction; one that was revoked stays as it is.

    Raises:
        NotFound: there is no such token.
    """
    alive = (tokens.c.token_id == token_id, tokens.c.revoked_at.is_(None))
    connection.execute(update(tokens).where(*alive).values(revoked_at=now))
    row = connection.execute(_select().where(tokens.c.token_id == token_id)).first()
    if row is None:
        raise NotFound("token", token_id, "`veridical token list` shows their ids")
    return _token(dict(row._mapping))


def _select(*further: Any) -> Select[Any]:
    return select(*(tokens.c[name] for name in Token.__slots__), *further)


def _token(row: dict[str, Any]) -> Token:
    return Token(**{name: row[name] for name in Token.__slots__})


def _hash(secret: str) -> str:
    # 256 random bits need no slow hash: there is nothing to guess.
    return hashlib.sha256(secret.encode()).hexdigest()
