"""Inserting what may be there already, in the dialect of the database."""

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An ``INSERT`` that can say what happens ``on_conflict``."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
