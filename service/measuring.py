"""Around every request: its figures, and the headers that keep a browser from doing harm."""

import time
from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .metrics import Metrics

_HEADERS = {
    # The pages that the service serves load nothing from elsewhere, and run nothing that stands in them.
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Measured:
    """Counts each response when it begins, wakes those who wait for changes, adds what every response carries."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, written: Callable[[], None]) -> None:
        """Stand around ``app``; ``written`` is called when a request may have changed something."""
        self._app = app
        self._metrics = metrics
        self._written = written

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                route = getattr(scope.get("route"), "path", "unknown")
                if scope["method"] != "GET":
                    self._written()
                self._metrics.requested(scope["method"], route, message["status"], time.perf_counter() - begun)
            await send(message)

        await self._app(scope, receive, answer)
