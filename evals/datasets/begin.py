"""BEGIN: responses with the knowledge that they should rest on, labelled fully attributable or not; one TSV file."""

import csv
from dataclasses import dataclass
from pathlib import Path

from ...memory.errors import BadFile
from ...memory.ingestion.files import bad_line, read_lines
from ..records import Source

_FIELDS = ("knowledge", "response", "begin_label")
_ATTRIBUTABLE = "fully attributable"
_OTHERS = frozenset({"not fully attributable", "generic"})


@dataclass(frozen=True, slots=True)
class Pair:
    """A response, what it should rest on, and whether it does."""

    response: str
    knowledge: str
    attributable: bool


def load(source: Source) -> list[Pair]:
    """Load a ``.tsv`` file, or all of a folder. ``--limit`` counts pairs; generic responses are not attributable.

    Raises:
        BadFile: a file is not of the form; the message names the line.
    """
    files = sorted(source.path.glob("*.tsv")) if source.path.is_dir() else [source.path]
    if not files:
        message = f"{source.path} holds no .tsv file: name BEGIN's file with knowledge, response and begin_label."
        raise BadFile(message)
    return [pair for file in files for pair in _pairs(file)][: source.limit]


def _pairs(file: Path) -> list[Pair]:
    numbered = list(read_lines(file))
    header = next(csv.reader([numbered[0][1]], delimiter="\t"), []) if numbered else []
    if missing := [name for name in _FIELDS if name not in header]:
        raise bad_line(file, 1, f"the column {missing[0]!r} is missing: BEGIN has {', '.join(_FIELDS)}")
    found = []
    rows = csv.reader((line for _, line in numbered[1:]), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, values in enumerate(rows, start=2):
        row = dict(zip(header, values, strict=False))
        label = row.get("begin_label", "").strip().casefold()
        if label != _ATTRIBUTABLE and label not in _OTHERS:
            raise bad_line(file, number, f"'begin_label' is {label!r}: it must say whether it is fully attributable")
        found.append(Pair(row["response"], row["knowledge"], label == _ATTRIBUTABLE))
    return found
