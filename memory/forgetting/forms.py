"""How a file may hold a text."""

import json

from ..language.folding import fold
from ..retrieval.lexical import indexed_form
from .needles import SHORTEST


def writings(text: str) -> dict[str, str]:
    """The ways in which the store writes a text, by name."""
    return {"as it was said": text, "folded": fold(text), "as indexed": indexed_form(text)}


def forms(written: str, name: str) -> dict[bytes, str]:
    """The byte strings under which a file may hold a written text, each with the name of its form."""
    found: dict[bytes, str] = {}
    for form, octets in (
        (name, written.encode()),
        (f"{name}, JSON", json.dumps(written, ensure_ascii=False)[1:-1].encode()),
        (f"{name}, JSON escapes", json.dumps(written)[1:-1].encode()),
        (f"{name}, UTF-16", written.encode("utf-16-le")),
        (f"{name}, UTF-16 BE", written.encode("utf-16-be")),
    ):
        if len(octets) >= SHORTEST:
            found.setdefault(octets, form)
    return found
