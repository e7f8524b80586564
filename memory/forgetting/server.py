"""Forgetting where the database is a server's: its tables are rewritten, and all that they hold is searched."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    LargeBinary,
    MetaData,
    Table,
    Text,
    cast,
    literal,
    select,
    text,
)

from ..errors import StoreBusy
from ..storage.database import Database
from ..storage.full_text import full_text
from ..storage.tables import metadata
from .phrases import Phrase
from .report import Residue, Scanned
from .scan import Search

REWRITTEN = 256 * 1024 * 1024
"""Bytes up to which a table is rewritten, which keeps everybody from it for some seconds at most."""
LOG = "the server's write-ahead log and its backups, which keep what was written until the server drops them"
VECTORS = "the Chroma server's own files; it is given numbers and vectors, and no text"
_CHECKPOINTS = "checkpoint"
_NUMBERS = "embedding"
"""A column of nothing but numbers."""


def rewrite(database: Database) -> tuple[list[str], list[str]]:
    """Give back the space of deleted rows, and rewrite what is not too large without it.

    Returns:
        What could not be done, because others were using a table; and what the free space of large tables may keep.
    """
    problems, kept = [], []
    with database.read() as connection:
        tables = _tables(connection)
        sizes = {table.name: _size(connection, table) for table in tables}
    for name, size in sizes.items():
        small = size <= REWRITTEN
        try:
            with database.alone() as connection:
                connection.execute(text(f'VACUUM ({"FULL, " if small else ""}ANALYZE) "{name}"'))
        except StoreBusy:
            problems.append(f"the table {name} could not be rewritten, because another program is using it")
        if not small:
            kept.append(
                f"free space of the table {name}, which is large: `VACUUM FULL {name}` at a quiet hour empties it"
            )
    return problems, kept


def scan_tables(database: Database, phrases: Sequence[Phrase]) -> tuple[list[Scanned], list[Residue]]:
    """Read every row of every table, and say where a phrase stands in any of its forms."""
    search = Search(phrases)
    scanned: list[Scanned] = []
    residue: list[Residue] = []
    with database.view() as connection:
        for table in _tables(connection):
            name, size = f"table {table.name}", 0
            for row in _rows(connection, table):
                size += len(row)
                residue += (place._replace(file=name, offset=-1) for place in search.within(row))
            scanned.append(Scanned(name, size))
    return scanned, residue


def _tables(connection: Connection) -> list[Table]:
    """The tables of the memory and of its checkpoints, as they are in the database."""
    there = MetaData()
    known = {*metadata.tables, full_text.name}
    there.reflect(connection, only=lambda name, _: name in known or name.startswith(_CHECKPOINTS))
    return there.sorted_tables


def _size(connection: Connection, table: Table) -> int:
    size = text("SELECT pg_total_relation_size(to_regclass(:name))")
    return int(connection.execute(size, {"name": f'"{table.name}"'}).scalar() or 0)


def _rows(connection: Connection, table: Table) -> Iterator[bytes]:
    """The texts of each row, and what it holds in binary, as bytes."""
    read = [_readable(column) for column in table.columns if column.name != _NUMBERS]
    for row in connection.execute(select(literal(0), *read), execution_options={"yield_per": 1000}):
        values = (value for value in row[1:] if value is not None)
        yield b"\x00".join(value if isinstance(value, bytes) else str(value).encode() for value in values)


def _readable(column: Column[Any]) -> ColumnElement[Any]:
    return column if isinstance(column.type, LargeBinary) else cast(column, Text)
