"""The residue scan: the raw bytes of every file in the data folder, and the terms of the full-text index."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..retrieval import lexical
from ..storage.database import FILE_NAME, Database
from .forms import forms
from .needles import Needles
from .phrases import Phrase, rare_stems
from .report import Residue, Scanned

_MOST = 100
"""Places that are named; where there are more, these suffice to find them."""


def scan_files(folder: Path, phrases: Sequence[Phrase]) -> tuple[list[Scanned], list[Residue]]:
    """Read every file of a data folder, and say where a phrase stands in any of its forms."""
    ours, everywhere = Search(phrases), Search([phrase for phrase in phrases if phrase.kind != "word"])
    scanned: list[Scanned] = []
    residue: list[Residue] = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        name = str(path.relative_to(folder))
        scanned.append(Scanned(name, path.stat().st_size))
        search = ours if name.startswith(FILE_NAME) else everywhere
        residue += (place._replace(file=name) for place in search.places(path))
    return scanned, residue[:_MOST]


def scan_terms(database: Database, user_id: str, phrases: Sequence[Phrase]) -> list[Residue]:
    """The terms of the phrases that the user's full-text index still lists although no turn of it holds them."""
    with database.read() as connection:
        texts = lexical.texts_of(connection, user_id)
        listed = texts.terms()
        gone = {stem for stem in rare_stems(phrases) if stem in listed}
        bodies = [f" {body} " for _, body in texts.bodies()] if gone else []
        held = {stem for body in bodies for stem in gone if f" {stem} " in body}
    found = f"{FILE_NAME}: terms of {texts.name}"
    return [Residue(found, -1, "as a term of the full-text index", "") for _ in gone - held][:_MOST]


class Search:
    """All forms of the phrases, as needles."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._of: dict[bytes, tuple[str, str]] = {}
        for phrase in phrases:
            for name, written in phrase.writings:
                for octets, form in forms(written, name).items():
                    self._of.setdefault(octets, (form, phrase.turn))
        self._octets = list(self._of)
        self._needles = Needles(self._octets)

    def places(self, path: Path) -> Iterator[Residue]:
        """Where something of them stands in a file."""
        return (self._place(index, offset) for index, offset in self._needles.in_file(path))

    def within(self, data: bytes) -> Iterator[Residue]:
        """Where something of them stands in bytes."""
        return (self._place(index, offset) for index, offset in self._needles.in_bytes(data))

    def _place(self, index: int, offset: int) -> Residue:
        form, turn = self._of[self._octets[index]]
        return Residue("", offset, form, turn)
