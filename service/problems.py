"""Errors as problem details (RFC 9457): one sentence that says what to do, and never a traceback."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ..memory.errors import (
    AlreadyClosed,
    EmbedderFailed,
    NotFound,
    SameValue,
    StoreBusy,
    StoreError,
    ThreadOwned,
    UnknownUser,
    UnknownZone,
    UsageError,
    VeridicalError,
)
from ..memory.handles.records import StaleVersion, handle_document
from ..memory.handles.repeating import KeyReused
from ..memory.language.folding import clean

MEDIA_TYPE = "application/problem+json"
FAULT = "A fault of the service; nothing that was recorded is lost: send the request again, or see its log."
TYPES = "urn:veridical:problem:"
Kind = Literal[
    "already-closed",
    "bad-request",
    "embedder-failed",
    "failed",
    "fault",
    "key-reused",
    "no-page",
    "no-token",
    "not-found",
    "not-served",
    "not-understood",
    "other-host",
    "same-value",
    "session-of-another",
    "stale-version",
    "store-busy",
    "store-unusable",
    "too-large",
    "too-often",
    "unknown-time-zone",
    "unknown-user",
]
"""What a client tells problems by, behind ``TYPES`` in `type`: these names are a contract."""
_KINDS: tuple[tuple[type[VeridicalError], int, Kind], ...] = (
    (StaleVersion, 409, "stale-version"),
    (KeyReused, 422, "key-reused"),
    (ThreadOwned, 403, "session-of-another"),
    (NotFound, 404, "not-found"),
    (UnknownUser, 404, "unknown-user"),
    (AlreadyClosed, 400, "already-closed"),
    (SameValue, 400, "same-value"),
    (UnknownZone, 400, "unknown-time-zone"),
    (UsageError, 400, "bad-request"),
    (EmbedderFailed, 500, "embedder-failed"),
    (StoreBusy, 503, "store-busy"),
    (StoreError, 500, "store-unusable"),
    (VeridicalError, 500, "failed"),
)
"""Each error with its status and its kind; the first that fits."""
_UNREADABLE = "The body is no JSON that can be read (not UTF-8, nested too deeply, or with a number too long): mend it."
_LONGEST_PLACE = 200
"""Characters of the path to what is wrong: keys are the client's, and may be as long as the body."""


_SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "examples": [f"{TYPES}not-found"], "description": "Which problem it is; stays."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "One sentence that says what to do."},
        "current": {"type": "object", "description": "Of a conflict: the handle as it stands."},
        "given": {"type": "string", "description": "Of what is not there: the id that was given."},
    },
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {"schema": _SCHEMA}}}
    for status in (400, 401, 403, 404, 409, 413, 421, 422, 429, 500, 503)
}
"""The problems that any route may answer with, for the description of the service."""


class Refused(Exception):
    """A request that is turned away before anything is done."""

    def __init__(self, status: int, kind: Kind, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail, self.headers = status, kind, detail, dict(headers or {})


def problem(status: int, kind: Kind, detail: str, **further: Any) -> dict[str, Any]:
    """The document of a problem.

    Args:
        status: of the response.
        kind: what is wrong, as clients tell it from other problems, whatever the sentence says.
        detail: one sentence that says what to do.
        further: members that this kind has beside these.
    """
    return {"type": TYPES + kind, "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **further}


def problem_of(error: VeridicalError) -> dict[str, Any]:
    """The document for an error of the memory; that of a stale version holds the current one."""
    status, kind = next((status, kind) for known, status, kind in _KINDS if isinstance(error, known))
    further: dict[str, Any] = {}
    if isinstance(error, StaleVersion):
        further["current"] = handle_document(error.current)
    if isinstance(error, NotFound):
        further["given"] = error.given
    return problem(status, kind, " ".join(str(error).split()), **further)


def fault() -> dict[str, Any]:
    """The document for what should not have happened: the log says more, and nobody else is told."""
    return problem(500, "fault", FAULT)


def answer_with_problems(app: FastAPI) -> None:
    """Let every error of the service end as a problem document."""

    async def expected(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, VeridicalError)  # noqa: S101 — registered for nothing else
        document = problem_of(error)
        return _response(document, {"Retry-After": "1"} if document["status"] == 503 else {})

    async def refused(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, Refused)  # noqa: S101
        return _response(problem(error.status, error.kind, error.detail), error.headers)

    async def invalid(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        return _response(problem(422, "not-understood", _first(error)), {})

    async def of_http(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)  # noqa: S101
        if error.status_code == HTTPStatus.BAD_REQUEST:
            return _response(problem(400, "not-understood", _UNREADABLE), {})
        document = problem(error.status_code, "not-served", f"{error.detail}: /openapi.json says what is served.")
        return _response(document, dict(error.headers or {}))

    async def unforeseen(_request: Request, _error: Exception) -> JSONResponse:
        return _response(fault(), {})

    app.add_exception_handler(Exception, unforeseen)
    app.add_exception_handler(VeridicalError, expected)
    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, of_http)


def _first(error: RequestValidationError) -> str:
    """What is wrong first, without the value that was sent: it may be a secret, and it may be large."""
    first = error.errors()[0]
    place = clean(".".join(str(part) for part in first["loc"]))[:_LONGEST_PLACE]
    return f"{place} is wrong ({first['msg']}): send it as /openapi.json describes it."


def _response(document: dict[str, Any], headers: Mapping[str, str]) -> JSONResponse:
    return JSONResponse(document, document["status"], dict(headers), media_type=MEDIA_TYPE)
