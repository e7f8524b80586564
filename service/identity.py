"""Who asks: the bearer of a token, or whoever is on this machine where the operator chose to do without."""

from dataclasses import dataclass

from fastapi import Request
from limits import RateLimitItem
from limits.strategies import MovingWindowRateLimiter

from ..memory.storage.tokens import bearer_of, is_use_worth_noting, note_use
from ..nodes.contract import Resources
from .options import ServiceOptions
from .problems import Refused

_DEFAULT_USER = "local"
_LONGEST = 256


@dataclass(frozen=True, slots=True)
class Caller:
    """A user, at a terminal."""

    user_id: str
    terminal: str


@dataclass(frozen=True, slots=True)
class Doorkeeper:
    """Tells callers from strangers, and lets nobody in more often than is allowed."""

    resources: Resources
    options: ServiceOptions
    limiter: MovingWindowRateLimiter
    rate: RateLimitItem

    def admit(self, request: Request) -> Caller:
        """The caller of a request.

        Raises:
            Refused: no token or a wrong one (401), a wrong host name (421), or too many requests (429).
        """
        caller = self._local(request) if self.options.without_tokens else self._bearer(request)
        if not self.limiter.hit(self.rate, caller.user_id, caller.terminal):
            raise Refused(429, "too-often", "Too many requests: wait a little and send it again.", {"Retry-After": "5"})
        return caller

    def _bearer(self, request: Request) -> Caller:
        scheme, _, shown = request.headers.get("Authorization", "").partition(" ")
        database, now = self.resources.memory.database, self.resources.clock()
        token = None
        if scheme.lower() == "bearer":
            with database.read() as connection:
                token = bearer_of(connection, shown.strip())
        if token is None:
            message = (
                "A valid token is needed: send it as `Authorization: Bearer …`; `veridical token create` makes one."
            )
            raise Refused(401, "no-token", message, {"WWW-Authenticate": "Bearer"})
        if is_use_worth_noting(token, now):
            with database.write(token.user_id) as connection:
                note_use(connection, token, now=now)
        return Caller(token.user_id, token.terminal)

    def _local(self, request: Request) -> Caller:
        # A page of any site can reach a port of this machine, but not under a name of this machine's.
        if request.url.hostname not in {host.strip("[]") for host in self.options.hosts}:
            names = ", ".join(self.options.hosts)
            raise Refused(421, "other-host", f"This service answers to {names} only: use one of these names.")
        user = request.headers.get("X-Veridical-User", _DEFAULT_USER).strip()
        terminal = request.headers.get("X-Veridical-Terminal", "local").strip()
        if not user or len(user) > 2 * _LONGEST or len(terminal) > _LONGEST:
            message = "X-Veridical-User or X-Veridical-Terminal is empty or too long: name a user."
            raise Refused(400, "bad-request", message)
        return Caller(user, terminal)


def caller_of(request: Request) -> Caller:
    """The caller, as a dependency of every route that knows users."""
    keeper: Doorkeeper = request.app.state.doorkeeper
    return keeper.admit(request)
