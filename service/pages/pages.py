"""Serving the pages: a fixed set of files of this package, each under its name, the pages within their layout."""

import functools
from importlib.resources import files
from string import Template
from typing import Final

from fastapi import APIRouter, Response

from ..problems import Refused

router = APIRouter(include_in_schema=False)
_PAGES: Final = ("chat", "memory", "console")
_HTML: Final = "text/html; charset=utf-8"
_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@router.get("/")
def chat_page() -> Response:
    """The chat."""
    return _answer(_page("chat"), _HTML)


@router.get("/memory")
def memory_page() -> Response:
    """What is remembered."""
    return _answer(_page("memory"), _HTML)


@router.get("/console")
def console_page() -> Response:
    """Who changed what."""
    return _answer(_page("console"), _HTML)


@router.get("/assets/{name}")
def asset(name: str) -> Response:
    """A style sheet, a script or a drawing of the pages."""
    return _file(name)


def _file(name: str) -> Response:
    content = _assets().get(name)
    if content is None:
        message = f"There is no page or asset {name[:80]!r}: the pages are /, /memory and /console."
        raise Refused(404, "no-page", message)
    return _answer(content, _TYPES[name.rpartition(".")[2]])


def _answer(content: bytes, media_type: str) -> Response:
    # The files change with the version of the service only, but a cache cannot know that: it asks.
    return Response(content, media_type=media_type, headers={"Cache-Control": "no-cache"})


@functools.cache
def _page(name: str) -> bytes:
    """A page: what all have, around what is its own."""
    static = files(__package__) / "static"
    layout, own = ((static / f"{one}.html").read_text(encoding="utf-8") for one in ("layout", name))
    current = {f"at_{page}": ' aria-current="page"' if page == name else "" for page in _PAGES}
    return Template(layout).substitute(page=name, content=own, **current).encode()


@functools.cache
def _assets() -> dict[str, bytes]:
    """Every other file by its name: what a request asks for is looked up here, never in the file system."""
    found = (file for file in (files(__package__) / "static").iterdir() if file.name.rpartition(".")[2] in _TYPES)
    return {file.name: file.read_bytes() for file in found}
