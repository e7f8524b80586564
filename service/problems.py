"""Errors as problem details (RFC 9457): one sentence that says what to do, and never a traceback."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ..memory.errors import NotFound, StoreBusy, StoreError, ThreadOwned, UnknownUser, UsageError, VeridicalError
from ..memory.handles.records import StaleVersion
from ..memory.handles.repeating import KeyReused
from .documents import handle_json

MEDIA_TYPE = "application/problem+json"
FAULT = "A fault of the service; nothing that was recorded is lost: send the request again, or see its log."
_STATUS: tuple[tuple[type[VeridicalError], int], ...] = (
    (StaleVersion, 409),
    (KeyReused, 422),
    (ThreadOwned, 403),
    (NotFound, 404),
    (UnknownUser, 404),
    (UsageError, 400),
    (StoreBusy, 503),
    (StoreError, 500),
)


_SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "One sentence that says what to do."},
        "current": {"type": "object", "description": "Of a conflict: the handle as it stands."},
    },
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {"schema": _SCHEMA}}}
    for status in (400, 401, 403, 404, 409, 413, 421, 422, 429, 500, 503)
}
"""The problems that any route may answer with, for the description of the service."""


class Refused(Exception):
    """A request that is turned away before anything is done."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, dict(headers or {})


def problem(status: int, detail: str, **further: Any) -> dict[str, Any]:
    """The document of a problem."""
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **further}


def problem_of(error: VeridicalError) -> dict[str, Any]:
    """The document for an error of the memory; that of a stale version holds the current one."""
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), 500)
    further = {"current": handle_json(error.current)} if isinstance(error, StaleVersion) else {}
    return problem(status, " ".join(str(error).split()), **further)


def answer_with_problems(app: FastAPI) -> None:
    """Let every error of the service end as a problem document."""

    async def expected(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, VeridicalError)  # noqa: S101 — registered for nothing else
        document = problem_of(error)
        return _response(document, {"Retry-After": "1"} if document["status"] == 503 else {})

    async def refused(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, Refused)  # noqa: S101
        return _response(problem(error.status, error.detail), error.headers)

    async def invalid(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        return _response(problem(422, _first(error)), {})

    async def of_http(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)  # noqa: S101
        return _response(problem(error.status_code, str(error.detail)), dict(error.headers or {}))

    async def fault(_request: Request, _error: Exception) -> JSONResponse:
        # The server logs it; nobody else is told more.
        return _response(problem(500, FAULT), {})

    app.add_exception_handler(Exception, fault)
    app.add_exception_handler(VeridicalError, expected)
    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, of_http)


def _first(error: RequestValidationError) -> str:
    """What is wrong first, without the value that was sent: it may be a secret, and it may be large."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place} is wrong ({first['msg']}): send it as /openapi.json describes it."


def _response(document: dict[str, Any], headers: Mapping[str, str]) -> JSONResponse:
    return JSONResponse(document, document["status"], dict(headers), media_type=MEDIA_TYPE)
