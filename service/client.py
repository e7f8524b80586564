"""A terminal's side of the service: a replica that keeps itself in step, and changes that wait for a connection.

::

    with MemoryClient("http://127.0.0.1:8080", token="vrd_…", source="web_app", on_change=print) as client:
        client.wait_until_aligned()
        client.state("mem_…")["glucose"]
        client.update("mem_…", {"glucose": {"value": 11.9}})
"""

import json
import logging
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx
from httpx_sse import SSEError, connect_sse

from ..memory.errors import UsageError
from ..memory.handles.replica import Replica, replayed
from ..memory.storage.deltas import Document, patched

_LOG = logging.getLogger(__name__)
_PROVISIONAL = "local_"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 10.0
_TIMEOUT = httpx.Timeout(10.0, read=40.0)
"""The service sends a sign of life every 15 seconds."""


class Refused(UsageError):
    """The service turned a change away: it would not become right by sending it again."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A change that came too late: somebody else had changed the handle. It is dropped, what holds is ``current``."""

    handle: str
    delta: Document
    current: Document


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A change that is to be sent, under a key that makes sending it twice harmless."""

    key: str
    handle: str
    body: Document
    registers: bool = False


class MemoryClient:
    """The handles of one user as this terminal holds them. Safe to share between threads."""

    def __init__(
        self,
        base_url: str,
        *,
        token: str | None = None,
        source: str = "client",
        headers: Mapping[str, str] | None = None,
        store: Path | None = None,
        on_change: Callable[[Mapping[str, Any]], None] | None = None,
        on_conflict: Callable[[Conflict], None] | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Prepare a client; ``with`` or ``start`` connects it.

        Args:
            base_url: where the service is.
            token: the bearer token; ``None`` for a service on this machine that needs none.
            source: the service or application that this terminal speaks for.
            headers: further headers of every request.
            store: a file that keeps the replica and the changes that wait, over restarts.
            on_change: called with each event that changed the replica, once, in order, in the client's thread.
            on_conflict: called with each change that waited and came too late.
            transport: takes the place of the network.
        """
        given = {**(headers or {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        self._http = httpx.Client(base_url=base_url, headers=given, timeout=_TIMEOUT, transport=transport)
        self._source = source
        self._store = store
        self._on_change = on_change or (lambda _event: None)
        self._on_conflict = on_conflict or (lambda _conflict: None)
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._stopped = threading.Event()
        self._worker = threading.Thread(target=self._run, name="veridical-client", daemon=True)
        self._replica, self._waiting, self._names = self._load()
        self._own: dict[str, int] = {}
        self._line: Any = None
        self._aligned = False
        self.connected = False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Connect, and stay connected until ``close``."""
        self._worker.start()

    def close(self) -> None:
        """Disconnect; changes that wait are kept if there is a ``store``."""
        self._stopped.set()
        self._hang_up()
        self._worker.join(timeout=_LONGEST_PAUSE)
        self._http.close()

    @property
    def replica(self) -> Replica:
        """What the service has told: every valid handle, after the event of ``number``."""
        with self._changed:
            return self._replica

    @property
    def waiting(self) -> int:
        """How many changes wait to be sent."""
        with self._changed:
            return len(self._waiting)

    def state(self, handle: str) -> Document:
        """A handle's state as this terminal sees it: what the service told, and what waits here on top."""
        with self._changed:
            name = self._names.get(handle, handle)
            state = dict(self._replica.handles.get(name, {}).get("state", {}))
            for change in self._waiting:
                if change.handle in {handle, name}:
                    state = patched(state, change.body["state" if change.registers else "delta"])
            return state

    def register(self, type: str, *, metadata: Document | None = None, state: Document | None = None) -> str:
        """Register a document, now or when the connection is back; its handle, or a name that stands for it here."""
        body = {"source": self._source, "type": type, "metadata": metadata or {}, "state": state or {}}
        name = f"{_PROVISIONAL}{uuid4().hex}"
        self._send_or_keep(_Waiting(uuid4().hex, name, body, registers=True))
        with self._changed:
            return self._names.get(name, name)

    def update(self, handle: str, delta: Document) -> None:
        """Change a handle: seen here at once, sent now or when the connection is back.

        Raises:
            Refused: the service refuses the change.
        """
        with self._changed:
            known = self._replica.handles.get(self._names.get(handle, handle), {})
        body = {"delta": delta, "version": known.get("version", 1), "source": self._source}
        self._send_or_keep(_Waiting(uuid4().hex, handle, body))

    def wait_until(self, holds: Callable[[Replica], bool], *, timeout: float = 10.0) -> bool:
        """Wait until the replica meets a condition; whether it did."""
        with self._changed:
            return self._changed.wait_for(lambda: holds(self._replica), timeout)

    def wait_until_aligned(self, *, timeout: float = 10.0) -> bool:
        """Wait until the replica has once been brought in line; whether it was."""
        with self._changed:
            return self._changed.wait_for(lambda: self._aligned, timeout)

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while not self._stopped.is_set():
            try:
                self._align()
                self._send_all()
                pause = _FIRST_PAUSE
                self._listen()
            except Refused as error:
                _LOG.warning("a change was refused: %s", error)
            except (httpx.HTTPError, SSEError) as error:
                if not self._stopped.is_set():
                    _LOG.info("connection lost, trying again in %.1f s: %s", pause, type(error).__name__)
            self.connected = False
            self._stopped.wait(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _align(self) -> None:
        with self._changed:
            held = {name: one["version"] for name, one in self._replica.handles.items()}
        told = self._http.post("/v1/memory/align", json={"handles": held}).raise_for_status().json()
        with self._changed:
            known = {} if told["full"] else {k: v for k, v in self._replica.handles.items() if k not in told["gone"]}
            self._replica = Replica(told["number"], {**known, **told["handles"]})
            self._aligned = self.connected = True
            self._save()
            self._changed.notify_all()

    def _listen(self) -> None:
        headers = {"Last-Event-ID": str(self.replica.number)}
        with connect_sse(self._http, "GET", "/v1/memory/events", headers=headers) as source:
            source.response.raise_for_status()
            self._line = source.response.extensions.get("network_stream")
            for sent in source.iter_sse():
                if self._stopped.is_set() or sent.event == "reset":
                    return
                if sent.data:  # a sign of life has none
                    self._take(sent.json())

    def _hang_up(self) -> None:
        """End the stream that the worker reads, which would otherwise wait for the service's next sign of life."""
        line = self._line.get_extra_info("socket") if self._line is not None else None
        if line is not None:
            with suppress(OSError):  # the other side was first
                line.shutdown(socket.SHUT_RDWR)

    def _take(self, event: Mapping[str, Any]) -> None:
        with self._changed:
            new = event["number"] > self._replica.number
            if new:
                self._replica = replayed(self._replica, [event])
                self._save()
                self._changed.notify_all()
        if new:
            self._on_change(event)

    def _send_or_keep(self, change: _Waiting) -> None:
        with self._changed:
            self._waiting.append(change)
            self._save()
            self._changed.notify_all()
        if self.connected or not self._worker.is_alive():
            try:
                self._send_all()
            except httpx.HTTPError:
                _LOG.info("a change waits for the connection")

    def _send_all(self) -> None:
        with self._sending:
            while (change := self._first()) is not None:
                self._send(change)
                self._settle(change)

    def _first(self) -> _Waiting | None:
        with self._changed:
            return self._waiting[0] if self._waiting else None

    def _send(self, change: _Waiting) -> None:
        """Send one change, whose handle may have got its name in the meantime.

        Raises:
            httpx.HTTPError: it could not be sent, or the service could not take it now; it waits.
            Refused: the service will never take it.
        """
        headers = {"Idempotency-Key": change.key}
        with self._changed:
            handle = self._names.get(change.handle, change.handle)
            version = max(change.body.get("version", 0), self._own.get(handle, 0))
        if change.registers:
            response = self._http.post("/v1/memory/register", json=change.body, headers=headers)
        else:
            body = {**change.body, "version": version}
            response = self._http.patch(f"/v1/memory/{handle}", json=body, headers=headers)
        if response.status_code == httpx.codes.CONFLICT:
            self._on_conflict(Conflict(handle, change.body["delta"], response.json()["current"]))
            return
        if response.is_client_error and response.status_code not in _LATER:
            self._settle(change)
            raise Refused(str(response.json().get("detail", response.status_code)))
        told = response.raise_for_status().json()
        with self._changed:
            self._own[told["handle"]] = told["version"]
            if change.registers:
                self._names[change.handle] = told["handle"]

    def _settle(self, change: _Waiting) -> None:
        with self._changed:
            if change in self._waiting:
                self._waiting.remove(change)
            self._save()
            self._changed.notify_all()

    def _load(self) -> tuple[Replica, list[_Waiting], dict[str, str]]:
        if self._store is None or not self._store.is_file():
            return Replica(), [], {}
        kept = json.loads(self._store.read_text(encoding="utf-8"))
        waiting = [_Waiting(**change) for change in kept["waiting"]]
        return Replica(kept["number"], kept["handles"]), waiting, kept["names"]

    def _save(self) -> None:
        if self._store is None:
            return
        kept = {
            "number": self._replica.number,
            "handles": dict(self._replica.handles),
            "waiting": [asdict(change) for change in self._waiting],
            "names": self._names,
        }
        beside = self._store.with_suffix(".new")
        beside.write_text(json.dumps(kept), encoding="utf-8")
        beside.replace(self._store)


_LATER = {httpx.codes.REQUEST_TIMEOUT, httpx.codes.TOO_MANY_REQUESTS, httpx.codes.UNAUTHORIZED}
