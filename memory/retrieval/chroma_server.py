"""A Chroma server as the derived index of large stores, which many processes use at once.

It holds what the folder holds: ids and vectors, no text, no truth. The names of its collections begin with a name of
the store, so that several stores can use one server. A server that is away or fails is not asked again for a while;
the exact search answers meanwhile.
"""

import base64
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

import numpy as np

from ..errors import BadInput
from .chroma import APPLIED, HNSW, ChromaDamaged, nearest
from .embedders import Matrix
from .matrices import Hits, Numbers

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

_WRITE = 500
_REST_SECONDS = 30.0

logger = logging.getLogger(__name__)


class ChromaServer:
    """The collections of one store on a server."""

    owner = True
    """Every process may read and write: what is written twice is the same."""

    def __init__(self, url: str, store: str) -> None:
        """Nothing is asked of the server yet.

        Args:
            url: such as ``http://host:8000``; a user and a password in it are sent along.
            store: begins the names of the collections.

        Raises:
            BadInput: it is no such URL.
        """
        self._url = parse_url(url)
        self._store = store
        self._client: ClientAPI | None = None
        self._collections: dict[str, Collection] = {}
        self._guard = threading.RLock()
        self._rests_until = 0.0

    def close(self) -> None:
        """Forget the connection."""
        with self._guard:
            self._collections.clear()
            self._client = None

    def applied(self, name: str) -> int:
        """The id of the last SQL vector in the collection, 0 when there is none."""
        with self._asking():
            collection = self._existing(name)
            return int((collection.metadata or {}).get(APPLIED) or 0) if collection is not None else 0

    def size(self, name: str) -> int:
        """How many vectors the collection holds."""
        with self._asking():
            collection = self._existing(name)
            return collection.count() if collection is not None else 0

    def turns(self, name: str) -> set[int]:
        """The turns in the collection."""
        with self._asking():
            collection = self._existing(name)
            return {int(one) for one in collection.get(include=[])["ids"]} if collection is not None else set()

    def add(self, name: str, turns: Numbers, rows: Matrix, applied: int) -> None:
        """Write vectors, and then the id up to which the collection is complete."""
        with self._asking():
            collection = self._made(name)
            for start in range(0, len(turns), _WRITE):
                batch = slice(start, start + _WRITE)
                identifiers = [str(turn) for turn in turns[batch].tolist()]
                vectors = np.ascontiguousarray(rows[batch], dtype=np.float32)
                collection.upsert(ids=identifiers, embeddings=vectors, documents=[""] * len(identifiers))
            collection.modify(metadata={APPLIED: applied})

    def search(self, name: str, queries: Matrix, k: int) -> list[Hits]:
        """The nearest turns of each query with their cosines, best first.

        Raises:
            ChromaDamaged: The server failed, or gave fewer results than it holds.
        """
        with self._asking():
            return nearest(self._made(name), queries, k)

    def drop(self, name: str) -> None:
        """Remove the collection."""
        with self._asking():
            if self._existing(name) is not None:
                self._collections.pop(name, None)
                self._opened().delete_collection(self._full(name))

    def discard(self) -> None:
        """Forget what is known of the server; what differs from SQL there is filled again, collection by collection."""
        self.close()

    def answers(self) -> bool:
        """Whether the server answers now."""
        try:
            with self._asking():
                self._opened().heartbeat()
        except ChromaDamaged:
            return False
        return True

    def _existing(self, name: str) -> "Collection | None":
        """The collection as the server has it now: others may have changed, dropped or made it."""
        from chromadb.errors import NotFoundError

        try:
            found = self._opened().get_collection(self._full(name), embedding_function=None)
        except NotFoundError:
            self._collections.pop(name, None)
            return None
        self._collections[name] = found
        return found

    def _made(self, name: str) -> "Collection":
        if name not in self._collections:
            self._collections[name] = self._opened().get_or_create_collection(
                self._full(name), configuration={"hnsw": HNSW}, embedding_function=None
            )
        return self._collections[name]

    def _full(self, name: str) -> str:
        return f"{self._store}-{name}"

    def _opened(self) -> "ClientAPI":
        if self._client is None:
            import chromadb
            from chromadb.config import Settings

            secure = self._url.scheme == "https"
            self._client = chromadb.HttpClient(
                host=self._url.hostname or "",
                port=self._url.port or (443 if secure else 8000),
                ssl=secure,
                headers=_credentials(self._url.username, self._url.password),
                settings=Settings(anonymized_telemetry=False),
            )
        return self._client

    @contextmanager
    def _asking(self) -> Iterator[None]:
        from chromadb.errors import ChromaError
        from httpx import HTTPError

        if time.monotonic() < self._rests_until:
            raise ChromaDamaged
        try:
            with self._guard:
                yield
        except ChromaDamaged:
            self.close()
            raise
        except (ChromaError, HTTPError, OSError, ValueError, KeyError) as error:
            self.close()
            self._rests_until = time.monotonic() + _REST_SECONDS
            logger.warning("the Chroma server failed (%s); the exact search answers", type(error).__name__)
            raise ChromaDamaged from None


def parse_url(url: str) -> SplitResult:
    """The parts of a Chroma server's URL.

    Raises:
        BadInput: it is none.
    """
    try:
        parts = urlsplit(url)
        is_server = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, is_server = SplitResult("", "", "", "", ""), False
    if not is_server:
        message = "The setting chroma_url is no URL of a Chroma server: write it like http://localhost:8000."
        raise BadInput(message)
    return parts


def _credentials(user: str | None, password: str | None) -> dict[str, str] | None:
    if not user and not password:
        return None
    pair = f"{unquote(user or '')}:{unquote(password or '')}".encode()
    return {"Authorization": f"Basic {base64.b64encode(pair).decode('ascii')}"}
