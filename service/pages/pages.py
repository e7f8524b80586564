"""Serving the pages: a fixed set of files of this package, each under its name."""

import functools
from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Response

from ..problems import Refused

router = APIRouter(include_in_schema=False)
_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@router.get("/")
def chat_page() -> Response:
    """The chat."""
    return _file("chat.html")


@router.get("/memory")
def memory_page() -> Response:
    """What is remembered."""
    return _file("memory.html")


@router.get("/console")
def console_page() -> Response:
    """Who changed what."""
    return _file("console.html")


@router.get("/assets/{name}")
def asset(name: str) -> Response:
    """A style sheet, a script or a drawing of the pages."""
    return _file(name)


def _file(name: str) -> Response:
    content = _contents().get(name)
    if content is None:
        message = f"There is no page or asset {name[:80]!r}: the pages are /, /memory and /console."
        raise Refused(404, "no-page", message)
    # The files change with the version of the service only, but a cache cannot know that: it asks.
    return Response(content, media_type=_TYPES[name.rpartition(".")[2]], headers={"Cache-Control": "no-cache"})


@functools.cache
def _contents() -> dict[str, bytes]:
    """Every file of the pages by its name: what a request asks for is looked up here, never in the file system."""
    found = (file for file in (files(__package__) / "static").iterdir() if file.name.rpartition(".")[2] in _TYPES)
    return {file.name: file.read_bytes() for file in found}
