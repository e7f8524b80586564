"""How a service is run: what an operator chooses, and the limits that protect it."""

from dataclasses import dataclass
from datetime import timedelta

from ..memory.handles.keeping import RETENTION


@dataclass(frozen=True, slots=True)
class ServiceOptions:
    """What ``veridical serve`` is told."""

    without_tokens: bool = False
    """Answer without a token. Only for a service on loopback; the user is then named in ``X-Veridical-User``."""
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    """The host names under which a service without tokens may be addressed: no page of another site gets through."""
    retention: timedelta = RETENTION
    """For how long changes can be replayed."""
    rate: str = "600/minute"
    """Requests of one token, in the notation of ``limits``."""
    largest_body: int = 1_048_576
    """Bytes of a request at most."""
    workers: int = 64
    """Turns and requests that are worked on at the same time."""
    poll_seconds: float = 0.25
    """How often the log is looked at for events of other instances."""
    keep_seconds: float = 300.0
    """How often what is due is done: ended handles, daily snapshots, the retention."""
