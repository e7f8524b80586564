"""What can go wrong with a model, told apart by what is to be done about it."""

from typing import Literal

from ..errors import VeridicalError

Reason = Literal["timeout", "rate_limited", "unavailable", "rejected", "empty", "malformed", "broken_off", "overlong"]

_TOO_MANY = 429
_PASSING = frozenset({408, 409, 425, _TOO_MANY, 500, 502, 503, 504, 529})


class ModelFailure(VeridicalError):
    """A model call that yielded nothing usable. The floor takes over; the failure is shown, never its text answered."""

    def __init__(self, reason: Reason, detail: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(f"The model call failed ({reason}){': ' + detail if detail else ''}.")
        self.reason: Reason = reason
        self.detail = detail
        """The kind of error or the status, without its text."""
        self.retry_after = retry_after
        """Seconds that the server asked to wait, if it did."""

    @property
    def passing(self) -> bool:
        """Whether the same call may succeed when it is made again."""
        return self.reason in {"rate_limited", "unavailable", "broken_off", "empty", "malformed"}


def failure_of(error: Exception) -> ModelFailure:
    """Read a provider's exception. Providers share no base class, but their status codes and headers.

    Only the kind of the error is kept: its text may hold the prompt or a key.
    """
    if isinstance(error, ModelFailure):
        return error
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return ModelFailure(_reason_of(status), f"status {status}", retry_after=_retry_after(error))
    kind = type(error).__name__
    if isinstance(error, TimeoutError) or "timeout" in kind.lower():
        return ModelFailure("timeout", kind)
    if isinstance(error, ConnectionError) or "connect" in kind.lower() or "protocol" in kind.lower():
        return ModelFailure("unavailable", kind)
    return ModelFailure("rejected", kind)


def _reason_of(status: int) -> Reason:
    if status == _TOO_MANY:
        return "rate_limited"
    return "unavailable" if status in _PASSING else "rejected"


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None
