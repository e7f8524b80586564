"""PDFs whose author wants their reader to work for ever: the text, or one sentence, within the time that it may take."""

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.memory.knowledge.pdf import pdf_of
from veridical.memory.errors import BadFile
from veridical.memory.knowledge.pdf import read_pdf

SECONDS = 2
PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
SHOWN = "BT /F1 12 Tf 50 700 Td (A fee of 5 dollars.) Tj ET"


def stream(content: bytes, about: str = "") -> str:
    """A stream that is far smaller in the file than what it says."""
    packed = zlib.compress(content, 9).hex()
    return f"<< /Length {len(packed)} /Filter [/ASCIIHexDecode /FlateDecode] {about} >>\nstream\n{packed}\nendstream"


def written(pages: str = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", content: str = "", *more: str) -> list[str]:
    return ["<< /Type /Catalog /Pages 2 0 R >>", pages, PAGE, content or stream(SHOWN.encode()), FONT, *more]


def boxes(number: str) -> list[str]:
    objects = written()
    return [one.replace("[0 0 612 792]", f"[0 0 {number} {number}]") for one in objects]


def crowd(levels: int) -> list[str]:
    """A hundred times the same page, a hundred times, and so on."""
    below = [
        f"<< /Type /Pages /Parent 2 0 R /Kids [{f'{place + 1} 0 R ' * 100}] /Count 100 >>"
        for place in range(6, 6 + levels)
    ]
    return [*written("<< /Type /Pages /Kids [6 0 R] /Count 1 >>"), *below, PAGE]


def forms(depth: int) -> list[str]:
    """A form that shows another twice, which shows another twice, and so on."""
    objects = written(content=stream(b"/X Do"))
    objects[2] = PAGE.replace("/Font", "/XObject << /X 6 0 R >> /Font")
    for place in range(6, 6 + depth):
        about = f"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {place + 1} 0 R >> >>"
        objects.append(stream(b"/X Do /X Do", about))
    return [*objects, stream(SHOWN.encode(), "/Type /XObject /Subtype /Form /BBox [0 0 9 9]")]


def font_of_everything() -> list[str]:
    objects = written(
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", "", stream(b"1 beginbfrange <0000> <FFFFFFFF> <0000> endbfrange")
    )
    objects[4] = FONT.replace("/Type1", "/TrueType /ToUnicode 6 0 R")
    return objects


def hidden_in_streams() -> list[str]:
    """Objects within streams that inflate to a thousand times their size."""
    objects = written(content=stream(b"0 0 " + b" " * 200_000_000, "/Type /ObjStm /N 1 /First 4"))
    objects[2] = PAGE.replace("4 0 R", f"[{'4 0 R ' * 500}]")
    return objects


HOSTILE: dict[str, Callable[[], list[str]]] = {
    "a huge box": lambda: boxes("9" * 300),
    "a box of no number": lambda: boxes("/None"),
    "a page that is its own parent": lambda: written("<< /Type /Pages /Kids [2 0 R] /Count 1 >>"),
    "pages that hold each other": lambda: written(
        "<< /Type /Pages /Kids [6 0 R 3 0 R] /Count 2 >>", "", "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>"
    ),
    "a million million pages": lambda: crowd(6),
    "many words": lambda: written(content=stream(b"BT /F1 12 Tf " + b"(a fee) Tj " * 6_000_000 + b"ET")),
    "an endless stream": lambda: written(content=stream(b" " * 400_000_000)),
    "forms in forms": lambda: forms(40),
    "a font of everything": font_of_everything,
    "object streams": hidden_in_streams,
    "arrays in arrays": lambda: written(content="[" * 100_000),
    "a count of pages": lambda: written("<< /Type /Pages /Kids [3 0 R] /Count 99999999999 >>"),
}


@pytest.mark.requirement("LIMITS", "KNOWLEDGE-ADD", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_pdf_costs_no_more_time_than_it_may(tmp_path: Path, name: str) -> None:
    path = tmp_path / "offer.pdf"
    path.write_bytes(pdf_of(HOSTILE[name]()))
    before = os.times()
    told = _read(path)
    assert len(told) < 1_000
    assert not told.startswith(str(path)) or told.endswith("or give its text.")
    after = os.times()
    assert after.children_user + after.children_system - before.children_user - before.children_system < 2 * SECONDS


def _read(path: Path) -> str:
    """The text, or why there is none."""
    try:
        return read_pdf(path, seconds=SECONDS)
    except BadFile as error:
        return str(error)
