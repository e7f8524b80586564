"""Pieces that several documents are shown with: moments, ids, quotations, labels."""

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any

from rich.style import Style
from rich.text import Text

from ..output import one_line, styled

Document = Mapping[str, Any]

FAINT = "dim"
HEADING = "bold"
ID = "cyan"
QUOTE = "green"
GOOD = "green"
BAD = "red"
DOUBT = "yellow"
_LONGEST_ID = 24


def moment(value: datetime | str | None, zone: tzinfo) -> str:
    """A time as a person reads it, to the minute and in their zone; an empty string for none."""
    if not value:
        return ""
    known = datetime.fromisoformat(value) if isinstance(value, str) else value
    return known.astimezone(zone).strftime("%Y-%m-%d %H:%M")


def day_or_moment(value: datetime | str | None, zone: tzinfo) -> str:
    """A time as ``moment`` shows it, or its day alone where it is the beginning of one."""
    return moment(value, zone).removesuffix(" 00:00")


def label(text: str, count: int | None = None, note: str = "") -> Text:
    """A heading of a branch: its name, how many there are, and a faint remark."""
    shown = Text(text if count is None else f"{text} ({count})", style=HEADING)
    if note:
        shown.append(f"  {note}", style=_plain(FAINT))
    return shown


def quotation(text: str) -> Text:
    """A quotation of a turn, in quotation marks."""
    return styled(f"“{one_line(text)}”", QUOTE)


def joined(*parts: tuple[str, str] | str, separator: str = " · ") -> Text:
    """The parts that are not empty, in one line."""
    line = Text()
    for text, style in (part if isinstance(part, tuple) else (part, FAINT) for part in parts):
        if text:
            line.append(separator if line else "", style=FAINT)
            line.append_text(styled(one_line(text), style))
    return line


def by_line(cited: Document, zone: tzinfo) -> Text:
    """Where a quotation comes from: the turn, who said it, when, and through which channel it came."""
    return joined(
        (str(cited["turn_id"]), ID),
        str(cited.get("speaker", "")),
        moment(cited.get("observed_at"), zone),
        str(cited.get("source", "")),
        external_id(cited),
    )


def external_id(document: Document) -> str:
    """The id that an import gave; a chat makes up long ones, which tell a reader nothing and are left out."""
    known = str(document.get("external_id", ""))
    return known if len(known) <= _LONGEST_ID else ""


LEGS = {
    "dense": "nothing was searched by meaning, because the question could not be embedded",
    "embedding": "what was said is found by its words only, until it is embedded",
}
"""What it means that a part of a recall failed."""


def failures(document: Document) -> list[Text]:
    """What failed while the rest went on, one line each."""
    return [
        joined((f"{leg['leg']} failed", BAD), LEGS.get(str(leg["leg"]), ""), str(leg["reason"]))
        for leg in document.get("failed", ())
    ]


def plural(count: int, word: str, words: str = "") -> str:
    """``1 turn``, ``2 turns``."""
    return f"{count:,} {word if count == 1 else words or f'{word}s'}"


def _plain(style: str) -> Style:
    return Style.parse(f"not bold {style}")
