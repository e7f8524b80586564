"""A handle, what is registered under it, and why a change of it is refused."""

from dataclasses import dataclass, field
from datetime import datetime

from ..errors import UsageError
from ..storage.deltas import Document


@dataclass(frozen=True, slots=True)
class Origin:
    """Who registers or changes something: the terminal, and the service or application that it speaks for."""

    terminal: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class NewHandle:
    """What is to be registered."""

    type: str
    """What it is: ``medical_report``, ``contract``."""
    metadata: Document = field(default_factory=dict)
    """What is known about it: ``report_date``, ``source_hash``, a name."""
    state: Document = field(default_factory=dict)
    """What it says: ``{"glucose": {"value": 12.3, "unit": "mmol/L"}}``. No value is ``null``."""
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Handle:
    """One registered document of a user's, as it stands."""

    user_id: str
    handle: str
    type: str
    source: str
    """The service or application that registered it. Where its text came from is another matter."""
    metadata: Document
    state: Document
    version: int
    """Counts its changes from 1."""
    created_at: datetime
    expires_at: datetime | None
    updated_at: datetime
    updated_by: str
    """The terminal that changed it last."""
    updated_source: str


def handle_document(handle: Handle) -> Document:
    """A handle as plain JSON: the field names are a contract with clients."""
    return {
        "handle": handle.handle,
        "type": handle.type,
        "source": handle.source,
        "metadata": handle.metadata,
        "state": handle.state,
        "version": handle.version,
        "created_at": handle.created_at.isoformat(),
        "expires_at": None if handle.expires_at is None else handle.expires_at.isoformat(),
        "last_updated": handle.updated_at.isoformat(),
        "last_updated_by": handle.updated_by,
        "last_updated_source": handle.updated_source,
    }


class StaleVersion(UsageError):
    """The handle was changed since the version that the caller knows."""

    def __init__(self, current: Handle, given: int) -> None:
        super().__init__(
            f"Handle {current.handle!r} is at version {current.version}, not {given}: "
            "read it, and send the change again with that version."
        )
        self.current = current
