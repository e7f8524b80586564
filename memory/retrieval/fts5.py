"""Full text in SQLite: one FTS5 table per user, so that neither a row nor a term statistic of another user is seen."""

# ruff: noqa: S608 - the only thing spliced into a statement is a table name, made of a hash by `namespaces`

import json
from collections.abc import Collection, Iterator

import numpy as np
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from .full_text import Match, Numbers


class Fts5:
    """The table of one user and namespace."""

    def __init__(self, connection: Connection, table: str) -> None:
        """Use a table that may not exist yet."""
        self._connection = connection
        self.name = table

    def exists(self) -> bool:
        """Whether the table was made."""
        statement = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        return self._connection.exec_driver_sql(statement, (self.name,)).first() is not None

    def create(self) -> None:
        """Make the table, if it is not there."""
        # The text is in its final form already: the tokenizer has only spaces and punctuation to split at.
        self._connection.exec_driver_sql(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS {self.name} USING fts5(body, tokenize='unicode61 remove_diacritics 0')"
        )

    def insert(self, number: int, body: str) -> None:
        """Add a text in its indexed form."""
        self._connection.exec_driver_sql(f"INSERT INTO {self.name} (rowid, body) VALUES (?, ?)", (number, body))

    def delete(self, numbers: Collection[int]) -> int:
        """Remove texts; how many there were."""
        statement = f"DELETE FROM {self.name} WHERE rowid IN (SELECT value FROM json_each(?))"
        return self._connection.exec_driver_sql(statement, (json.dumps(sorted(numbers)),)).rowcount

    def tidy(self) -> None:
        """Have FTS5 drop the terms of removed texts from its segments."""
        self._connection.exec_driver_sql(f"INSERT INTO {self.name}({self.name}) VALUES ('optimize')")

    def drop(self) -> None:
        """Remove the table."""
        self._connection.exec_driver_sql(f"DROP TABLE IF EXISTS {self.name}")

    def count(self) -> int:
        """How many texts there are."""
        return int(self._connection.exec_driver_sql(f"SELECT count(*) FROM {self.name}").scalar_one())

    def last(self) -> int:
        """The highest number; 0 where there is none."""
        return int(self._connection.exec_driver_sql(f"SELECT coalesce(max(rowid), 0) FROM {self.name}").scalar_one())

    def numbers(self) -> list[int]:
        """The numbers of all texts."""
        return [int(row[0]) for row in self._connection.exec_driver_sql(f"SELECT rowid FROM {self.name}")]

    def bodies(self, numbers: Collection[int] | None = None) -> Iterator[tuple[int, str]]:
        """Texts in their indexed form, all or those of given numbers."""
        statement, given = f"SELECT rowid, body FROM {self.name}", tuple[str, ...]()
        if numbers is not None:
            statement += " WHERE rowid IN (SELECT value FROM json_each(?))"
            given = (json.dumps([int(number) for number in numbers]),)
        for number, body in self._connection.exec_driver_sql(statement, given):
            yield int(number), str(body)

    def newest(self, match: Match, before: int | None, most: int) -> Numbers:
        """The texts that match, newest first, at most so many; with a number below ``before``, where one is given."""
        # One string crosses from SQLite, because thousands of rows take longer to cross than to find.
        bound = "" if before is None else f"AND rowid < {before:d}"
        statement = (
            "SELECT group_concat(rowid) FROM "
            f"(SELECT rowid FROM {self.name} WHERE {self.name} MATCH ? {bound} ORDER BY rowid DESC LIMIT {most:d})"
        )
        found: str | None = self._connection.exec_driver_sql(statement, (_expression(match),)).scalar()
        return np.fromstring(found, dtype=np.int64, sep=",") if found else np.empty(0, dtype=np.int64)

    def matching(self, match: Match, most: int) -> int:
        """How many texts match; counted up to ``most``."""
        statement = f"SELECT count(*) FROM (SELECT 1 FROM {self.name} WHERE {self.name} MATCH ? LIMIT {most:d})"
        return int(self._connection.exec_driver_sql(statement, (_expression(match),)).scalar_one())

    def terms(self) -> set[str]:
        """Every term that FTS5 lists: they are stored compressed, so that a search of the file does not see them."""
        name = f"{self.name}_terms"
        try:
            self._connection.exec_driver_sql(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{name} USING fts5vocab(main, {self.name}, 'row')"
            )
            return {str(row[0]) for row in self._connection.exec_driver_sql(f"SELECT term FROM temp.{name}")}
        except OperationalError:  # the user has no index
            return set()
        finally:
            self._connection.exec_driver_sql(f"DROP TABLE IF EXISTS temp.{name}")


def _expression(match: Match) -> str:
    phrase = _quoted(match.phrase)
    return f"{phrase} AND ({' OR '.join(map(_quoted, match.company))})" if match.company else phrase


def _quoted(text: str) -> str:
    """An FTS5 string: a phrase of one word or several, in which nothing is syntax."""
    return '"' + text.replace('"', '""') + '"'
