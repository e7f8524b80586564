"""PostgreSQL's full-text rows: every text in its indexed form, with the keys of its words and pairs of words.

SQLite has a virtual table per user instead (``retrieval/fts5.py``). Both are derived, so neither is in the metadata of
what is true.
"""

from sqlalchemy import BigInteger, Column, Index, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import ARRAY

metadata = MetaData()

full_text = Table(
    "full_text",
    metadata,
    Column("namespace", Text(collation="C"), primary_key=True),
    Column("user_id", Text(collation="C"), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("body", Text(collation="C"), nullable=False),
    Column("keys", ARRAY(BigInteger), nullable=False),
    # Without the list of pending entries, which every search would have to read through.
    Index("full_text_by_key", "keys", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
)
"""A key is a hash of user and term: the index entries of one user are apart from those of all others."""
