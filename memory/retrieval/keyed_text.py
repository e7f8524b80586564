"""Full text in PostgreSQL: rows of indexed texts, found by the keys of their words and of pairs of neighbours.

Not ``tsvector``: it keeps 256 places of a word and the first 16,383 places of a text, and says of a longer one that a
phrase does not occur in it. A key is 64 bits of a hash of namespace, user and term. So one index serves all users, and
a look-up costs what the user's own texts cost, however common the word is among those of others; and the index holds
nothing that could be read.
"""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

import numpy as np
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    Text,
    and_,
    any_,
    cast,
    delete,
    false,
    func,
    insert,
    literal,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY

from ..storage.full_text import full_text
from .full_text import Match, Numbers

# As FTS5's tokenizer: letters, digits and characters of private use make words, all else parts them.
_WORD = re.compile("(?:[^\\W_]|[\ue000-\uf8ff])+")


class KeyedText:
    """The rows of one user and namespace."""

    def __init__(self, connection: Connection, namespace: str, user_id: str) -> None:
        """Use what there is; nothing has to be made first."""
        self._connection = connection
        self._owner = {"namespace": namespace, "user_id": user_id}
        self._salt = hashlib.sha256(f"{namespace}\n{user_id}".encode("utf-8", "surrogatepass"))
        self.name = self._salt.hexdigest()
        self._own = and_(full_text.c.namespace == namespace, full_text.c.user_id == user_id)
        # The same, in a form that no index is chosen by: that of the keys finds less than the user's texts.
        self._among_all = and_(full_text.c.namespace + "" == namespace, full_text.c.user_id + "" == user_id)

    def exists(self) -> bool:
        """There is nothing to be made."""
        return True

    def create(self) -> None:
        """There is nothing to be made."""

    def insert(self, number: int, body: str) -> None:
        """Add a text in its indexed form."""
        words = _WORD.findall(body)
        keys = sorted({self._key(term) for term in (*words, *map(" ".join, pairwise(words)))})
        self._connection.execute(insert(full_text).values(**self._owner, number=number, body=body, keys=keys))

    def delete(self, numbers: Collection[int]) -> int:
        """Remove texts; how many there were."""
        return self._connection.execute(delete(full_text).where(self._own, _among(numbers))).rowcount

    def tidy(self) -> None:
        """Nothing: what the index keeps until it is vacuumed are hashes."""

    def drop(self) -> None:
        """Remove everything."""
        self._connection.execute(delete(full_text).where(self._own))

    def count(self) -> int:
        """How many texts there are."""
        return int(self._connection.execute(select(func.count()).where(self._own)).scalar_one())

    def last(self) -> int:
        """The highest number; 0 where there is none."""
        return int(self._connection.execute(select(func.max(full_text.c.number)).where(self._own)).scalar() or 0)

    def numbers(self) -> Sequence[int]:
        """The numbers of all texts."""
        return self._connection.execute(select(full_text.c.number).where(self._own)).scalars().all()

    def bodies(self, numbers: Collection[int] | None = None) -> Iterator[tuple[int, str]]:
        """Texts in their indexed form, all or those of given numbers."""
        statement = select(full_text.c.number, full_text.c.body).where(self._own)
        if numbers is not None:
            statement = statement.where(_among(numbers))
        for number, body in self._connection.execute(statement):
            yield int(number), str(body)

    def newest(self, match: Match, before: int | None, most: int) -> Numbers:
        """The texts that match, newest first, at most so many; with a number below ``before``, where one is given."""
        found = self._found(match)
        if before is not None:
            found = found.where(full_text.c.number < before)
        # The offset keeps the planner from reading the user's texts in order until enough of them match.
        held = found.offset(0).subquery()
        newest = select(held.c.number).order_by(held.c.number.desc()).limit(most).subquery()
        # One string crosses, because thousands of rows take longer to cross than to find.
        joined = self._connection.execute(select(func.string_agg(cast(newest.c.number, Text), ","))).scalar()
        numbers = np.fromstring(joined, dtype=np.int64, sep=",") if joined else np.empty(0, dtype=np.int64)
        return np.sort(numbers)[::-1]

    def matching(self, match: Match, most: int) -> int:
        """How many texts match; counted up to ``most``."""
        held = self._found(match).limit(most).subquery()
        return int(self._connection.execute(select(func.count()).select_from(held)).scalar_one())

    def terms(self) -> set[str]:
        """None: the index lists hashes."""
        return set()

    def _found(self, match: Match) -> Select[int]:
        statement = select(full_text.c.number).where(self._among_all, self._holds(match.phrase))
        return statement.where(or_(*map(self._holds, match.company))) if match.company else statement

    def _holds(self, phrase: str) -> ColumnElement[bool]:
        words = _WORD.findall(phrase)
        if not words:
            return false()
        terms = [" ".join(pair) for pair in pairwise(words)] or words
        holds = full_text.c["keys"].contains([self._key(term) for term in terms])
        if len(words) < 3:
            return holds
        # Its pairs may stand apart from each other.
        return and_(holds, func.strpos(func.concat(" ", full_text.c.body, " "), f" {phrase} ") > 0)

    def _key(self, term: str) -> int:
        salted = self._salt.copy()
        salted.update(term.encode("utf-8", "surrogatepass"))
        return int.from_bytes(salted.digest()[:8], "big", signed=True)


def _among(numbers: Collection[int]) -> ColumnElement[bool]:
    return full_text.c.number == any_(literal([int(number) for number in numbers], ARRAY(BigInteger)))
