"""A model provider on loopback that speaks OpenAI's protocol and does what it is told to, right or wrong."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Provider:
    """What it says: for each step, told apart by whether a schema is asked for, a fault by name or a text."""

    structured: str = '{"queries": ["Apollo budget amount"]}'
    draft: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    released: threading.Event = field(default_factory=threading.Event)

    def says(self, request: dict[str, Any]) -> str:
        """What it answers a request with."""
        self.requests.append(request)
        return self.structured if "response_format" in request else self.draft


@contextmanager
def serving(provider: Provider) -> Iterator[Provider]:
    """Serve it on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = provider.says(body)
            FAULTS.get(said, _streamed)(self, provider, said)

        def log_message(self, *_arguments: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    provider.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield provider
    finally:
        provider.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _refused(status: int, **headers: str) -> Any:
    def refuse(handler: BaseHTTPRequestHandler, _provider: Provider, _said: str) -> None:
        body = b'{"error": {"message": "internal words of the provider", "type": "x"}}'
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return refuse


def _event(handler: BaseHTTPRequestHandler, delta: dict[str, Any], finish: str | None = None) -> None:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
    handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
    handler.wfile.flush()


def _begin(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()


def _streamed(handler: BaseHTTPRequestHandler, _provider: Provider, said: str) -> None:
    _begin(handler)
    for start in range(0, len(said), 16):
        _event(handler, {"content": said[start : start + 16]})
    _event(handler, {}, "stop")
    handler.wfile.write(b"data: [DONE]\n\n")


def _dropped(handler: BaseHTTPRequestHandler, _provider: Provider, _said: str) -> None:
    _begin(handler)
    _event(handler, {"content": "Apollo's budget is "})
    handler.connection.close()


def _stalled(handler: BaseHTTPRequestHandler, provider: Provider, _said: str) -> None:
    _begin(handler)
    _event(handler, {"content": "Well, "})
    provider.released.wait(30)


def _endless(handler: BaseHTTPRequestHandler, provider: Provider, _said: str) -> None:
    _begin(handler)
    try:
        while not provider.released.is_set():
            _event(handler, {"content": "and so on " * 20})
    except OSError:  # nobody listens any more, which is what is wanted
        return


def _tool_call(handler: BaseHTTPRequestHandler, _provider: Provider, _said: str) -> None:
    _begin(handler)
    call = {"index": 0, "id": "t", "type": "function", "function": {"name": "delete_everything", "arguments": "{}"}}
    _event(handler, {"tool_calls": [call]})
    _event(handler, {}, "tool_calls")
    handler.wfile.write(b"data: [DONE]\n\n")


FAULTS: dict[str, Any] = {
    "status 429": _refused(429, Retry_After="0"),
    "status 500": _refused(500),
    "status 503": _refused(503, Retry_After="0"),
    "status 401": _refused(401),
    "dropped": _dropped,
    "stalled": _stalled,
    "endless": _endless,
    "tool call": _tool_call,
}
