"""Requests that are too large, stopped before anything reads them."""

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .problems import MEDIA_TYPE, problem


class BodyLimit:
    """Answers 413 to a body beyond a size, whether the client says its length or only sends on."""

    def __init__(self, app: ASGIApp, *, largest: int) -> None:
        """Stand before ``app``; ``largest`` counts bytes."""
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or turn it away."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > self._largest:
            await self._refuse(scope, receive, send)
            return
        body = await self._read(receive)
        if body is None:
            await self._refuse(scope, receive, send)
            return
        await self._app(scope, _again(body, receive), send)

    async def _read(self, receive: Receive) -> list[Message] | None:
        """The messages of a whole body; ``None`` where it grows beyond the limit."""
        messages: list[Message] = []
        size = 0
        while True:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            if size > self._largest:
                return None
            if message["type"] != "http.request" or not message.get("more_body", False):
                return messages

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        text = f"The request is larger than {self._largest} bytes: send less at once."
        await JSONResponse(problem(413, "too-large", text), 413, media_type=MEDIA_TYPE)(scope, receive, send)


def _again(messages: list[Message], receive: Receive) -> Receive:
    """Give the messages that were read, then whatever comes."""
    left = iter(messages)

    async def give() -> Message:
        message = next(left, None)
        return await receive() if message is None else message

    return give
