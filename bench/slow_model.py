"""A server as providers of models have them, whose answers are always the same and take a given time.

python bench/slow_model.py SECONDS TEXT; prints the port that it took.
"""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

_PIECES = 20


def app(seconds: float, text: str) -> Starlette:
    """Requests for an object (the rewriting of a question) are answered at once, all others piece by piece."""

    async def complete(request: Request) -> StreamingResponse | JSONResponse:
        asked = await request.json()
        is_object = "response_format" in asked
        pieces = ['{"queries": []}'] if is_object else _cut(text)
        return StreamingResponse(_said(pieces, 0 if is_object else seconds), media_type="text/event-stream")

    return Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])


def _cut(text: str) -> list[str]:
    size = -(-len(text) // _PIECES)
    return [text[start : start + size] for start in range(0, len(text), size)]


async def _said(pieces: list[str], seconds: float) -> AsyncIterator[str]:
    for piece in pieces:
        await asyncio.sleep(seconds / len(pieces))
        yield _event({"delta": {"role": "assistant", "content": piece}, "finish_reason": None})
    yield _event({"delta": {}, "finish_reason": "stop"})
    yield "data: [DONE]\n\n"


def _event(choice: dict[str, object]) -> str:
    chunk = {"id": "slow", "object": "chat.completion.chunk", "created": 0, "model": "slow"}
    return f"data: {json.dumps(chunk | {'choices': [{'index': 0, **choice}]})}\n\n"


def main(seconds: float, text: str) -> None:
    """Serve until killed."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        uvicorn.Server(uvicorn.Config(app(seconds, text), log_level="error")).run(sockets=[listener])


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2])
