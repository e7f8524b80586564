"""Chroma as a derived index of large stores: a collection per user and namespace, ids and vectors, no text, no truth.

Embedded Chroma is not made for two processes: with two it answers stale and has lost vectors without an error. So one
process owns the folder, by a lock that the operating system releases when the process ends; any other searches the SQL
rows. Chroma's index files are read unchecked (a damaged one was seen to end the process, a missing one to lose results
silently): a manifest of their sizes and checksums is written after every change, and a folder that differs from its
manifest is thrown away and filled again from SQL.
"""

import fcntl
import json
import logging
import os
import shutil
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from .embedders import Matrix
from .matrices import Hits, Numbers

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from chromadb.api.models.Collection import Collection
    from langchain_chroma import Chroma

FOLDER = "chroma"
_LOCK = "chroma.lock"
_MANIFEST = "manifest.json"
APPLIED = "applied"
# Cosine over a wide search: Chroma's defaults miss exact neighbours even among 600 vectors.
HNSW: "CreateHNSWConfiguration" = {
    "space": "cosine",
    "ef_search": 400,
    "ef_construction": 200,
    "max_neighbors": 32,
}
_WRITE = 1000

logger = logging.getLogger(__name__)


class ChromaDamaged(Exception):
    """The index cannot be trusted; internal: the vector index answers it by building the index again."""


@dataclass(frozen=True, slots=True)
class Faults:
    """How a user's Chroma collection differs from SQL: turns that it lacks, and turns that it should not hold."""

    missing: frozenset[int]
    stray: frozenset[int]


class ChromaIndex:
    """The collections of one data folder, opened lazily; only the owner of the folder may use it."""

    def __init__(self, folder: Path) -> None:
        """Try to become the folder's owner; nothing of Chroma is loaded yet."""
        self._home = folder / FOLDER
        self._folder = _current(self._home)
        self._lock_file = _acquire(folder / _LOCK)
        self._client: Client | None = None
        self._stores: dict[str, tuple[Chroma, Collection]] = {}
        self._guard = threading.RLock()

    @property
    def owner(self) -> bool:
        """Whether this process may read and write the collections."""
        return self._lock_file is not None

    def close(self) -> None:
        """Close Chroma and give up the ownership."""
        with self._guard:
            self._close_client()
            if self._lock_file is not None:
                os.close(self._lock_file)
                self._lock_file = None

    def applied(self, name: str) -> int:
        """The id of the last SQL vector in the collection, 0 when there is none."""
        with self._guard, _damage_noticed():
            if not self._exists(name):
                return 0
            return int((self._collection(name).metadata or {}).get(APPLIED) or 0)

    def size(self, name: str) -> int:
        """How many vectors the collection holds."""
        with self._guard, _damage_noticed():
            return self._collection(name).count() if self._exists(name) else 0

    def turns(self, name: str) -> set[int]:
        """The turns in the collection."""
        with self._guard, _damage_noticed():
            if not self._exists(name):
                return set()
            return {int(identifier) for identifier in self._collection(name).get(include=[])["ids"]}

    def add(self, name: str, turns: Numbers, rows: Matrix, applied: int) -> None:
        """Write vectors, and then the id up to which the collection is complete."""
        with self._guard, _damage_noticed():
            collection = self._collection(name)
            for start in range(0, len(turns), _WRITE):
                batch = slice(start, start + _WRITE)
                identifiers = [str(turn) for turn in turns[batch].tolist()]
                # An empty document, because the stock search drops results that have none at all.
                collection.upsert(ids=identifiers, embeddings=rows[batch], documents=[""] * len(identifiers))
            collection.modify(metadata={APPLIED: applied})
            self._write_manifest()

    def search(self, name: str, queries: Matrix, k: int) -> list[Hits]:
        """The nearest turns of each query with their cosines, best first.

        Raises:
            ChromaDamaged: The index failed, or gave fewer results than it holds.
        """
        with self._guard, _damage_noticed():
            collection = self._collection(name)
        with _damage_noticed():
            return nearest(collection, queries, k)

    def drop(self, name: str) -> None:
        """Remove the collection, and what Chroma leaves of it in its files."""
        if not self._folder.is_dir():
            return
        with self._guard, _damage_noticed():
            if self._exists(name):
                self._stores.pop(name, None)
                self._opened().delete_collection(name)
                _compact(self._folder)
                self._write_manifest()

    def discard(self) -> None:
        """Throw the whole index away; it is filled again from SQL."""
        with self._guard:
            self._close_client()
            if self._home.is_dir():
                shutil.rmtree(self._home)
            else:
                self._home.unlink(missing_ok=True)
            self._folder = self._home / _new_name()

    def _exists(self, name: str) -> bool:
        if name in self._stores:
            return True
        if not self._folder.is_dir():
            return False
        return any(collection.name == name for collection in self._opened().list_collections())

    def _collection(self, name: str) -> "Collection":
        return self._store(name)[1]

    def _store(self, name: str) -> "tuple[Chroma, Collection]":
        """A collection as a LangChain vector store, which reads, and as Chroma's own, which writes vectors."""
        if name not in self._stores:
            from langchain_chroma import Chroma

            client = self._opened()
            store = Chroma(client=client, collection_name=name, collection_configuration={"hnsw": HNSW})
            self._stores[name] = store, client.get_collection(name, embedding_function=None)
        return self._stores[name]

    def _opened(self) -> "Client":
        if self._client is None:
            if not self.owner:
                raise ChromaDamaged
            from chromadb.api.client import Client
            from chromadb.config import Settings

            self._check_manifest()
            self._folder.mkdir(parents=True, exist_ok=True)
            settings = Settings(anonymized_telemetry=False, is_persistent=True, persist_directory=str(self._folder))
            self._client = Client(settings=settings)
        return self._client

    def _close_client(self) -> None:
        self._stores.clear()
        if self._client is not None:
            self._client.close()
            self._client = None

    def _write_manifest(self) -> None:
        content = json.dumps(dict(_segment_files(self._folder)))
        scratch = self._folder / f"{_MANIFEST}.new"
        scratch.write_text(content, encoding="utf-8")
        scratch.replace(self._folder / _MANIFEST)

    def _check_manifest(self) -> None:
        if not self._folder.is_dir():
            return
        try:
            expected = json.loads((self._folder / _MANIFEST).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            expected = None
        if expected != dict(_segment_files(self._folder)):
            raise ChromaDamaged


def nearest(collection: "Collection", queries: Matrix, k: int) -> list[Hits]:
    """The nearest turns of each query in a collection with their cosines, best first.

    Raises:
        ChromaDamaged: There are fewer results than the collection holds.
    """
    # Ids and distances alone: the store's own search reads document and metadata of each, at thrice the cost.
    found = collection.query(query_embeddings=queries, n_results=k, include=["distances"])
    ids, distances = found["ids"], found["distances"] or []
    shortest = min(map(len, ids), default=0)
    if shortest < k and shortest < collection.count() // 2:
        raise ChromaDamaged
    return [
        [(int(identifier), 1.0 - distance) for identifier, distance in zip(*columns, strict=True)]
        for columns in zip(ids, distances, strict=True)
    ]


@contextmanager
def _damage_noticed() -> Iterator[None]:
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, OSError, ValueError, sqlite3.Error) as error:
        logger.warning("the Chroma index failed and will be built again from SQL: %s", error)
        raise ChromaDamaged from error


def _segment_files(folder: Path) -> Iterator[tuple[str, list[int]]]:
    """Chroma's index files with their sizes and checksums; its own SQLite file checks itself."""
    for path in sorted(folder.glob("*/*")):
        checksum = 0
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                checksum = zlib.crc32(block, checksum)
        yield str(path.relative_to(folder)), [path.stat().st_size, checksum]


def _compact(folder: Path) -> None:
    """Remove index folders of no collection, and the deleted rows and queued vectors from Chroma's SQLite file."""
    with closing(sqlite3.connect(folder / "chroma.sqlite3", timeout=10, isolation_level=None)) as connection:
        named = {str(row[0]) for row in connection.execute("SELECT id FROM segments")}
        connection.execute("PRAGMA secure_delete=ON")
        connection.execute("VACUUM")
    for path in folder.iterdir():
        if path.is_dir() and path.name not in named:
            shutil.rmtree(path)


def _current(home: Path) -> Path:
    """The folder of the index within its home: a new name for each index, because Chroma keeps state by path."""
    existing = sorted(home.iterdir()) if home.is_dir() else []
    return existing[0] if existing else home / _new_name()


def _new_name() -> str:
    return f"index-{uuid4().hex[:8]}"


def _acquire(path: Path) -> int | None:
    """Take the exclusive lock of the file, or return ``None``: another owner holds it, or nobody can write there."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
