"""What would be forgotten, and what became of it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Group
from rich.text import Text

from ...memory.forgetting import Forgotten, Preview
from ...memory.records import Turn
from ..output import one_line, styled

_MOST = 10
_LONGEST = 68


def preview_page(planned: Preview) -> Group:
    """The turns that would go, and what goes with them."""
    if not planned.turns and not planned.documents:
        return Group(styled("Nothing of that is remembered; the files are cleaned and searched all the same."))
    lines = [styled(f"To be forgotten: {_counted(len(planned.chosen), 'turn')}, {_counted(planned.items, 'item')}")]
    lines += _listed(planned.chosen)
    if planned.documents:
        lines.append(styled(f"and what was read: {_counted(planned.documents, 'document')}"))
    if planned.echoes:
        lines.append(styled(f"and what the assistant said of it: {_counted(len(planned.echoes), 'turn')}"))
        lines += _listed(planned.echoes)
    return Group(*lines)


def forgotten_page(report: Forgotten, folder: Path) -> Group:
    """What was removed, what stays because others say it, and what the search of the files found."""
    lines = [styled(_removed(report))]
    if report.restated:
        lines.append(styled(f"Said by other turns too, and kept from them: {', '.join(report.restated)}"))
    if report.still_said:
        lines.append(styled(f"Still said elsewhere, and kept there: {', '.join(report.still_said)}"))
    size = sum(scanned.size for scanned in report.scanned)
    tables = sum(scanned.file.startswith("table ") for scanned in report.scanned)
    searched = f"{_counted(len(report.scanned) - tables, 'file')} in {folder}"
    searched += f" and {_counted(tables, 'table')}" if tables else ""
    searched += f" ({size:,} bytes)"
    lines.append(styled(f"Searched for {_counted(report.phrases, 'phrase')} of it in {searched}:"))
    lines += [styled(f"  {scanned.file}", "dim") for scanned in report.scanned]
    lines += [styled(f"Left over: {place}", "bold red") for place in _places(report)]
    lines += [
        styled(f"{problem}: close it, and run the same command again.", "bold red") for problem in report.problems
    ]
    if report.clean:
        lines.append(styled("Nothing of it was found.", "green"))
    lines += [styled(f"Not searched: {place}.", "dim") for place in report.beyond]
    return Group(*lines)


def _removed(report: Forgotten) -> str:
    if not report.turns and not report.documents:
        return "There was nothing more to forget."
    counts = [_counted(len(report.turns), "turn"), _counted(len(report.items), "item")]
    others = {
        "document": report.documents,
        "summary": report.summaries,
        "answer": report.answers,
        "conflict": report.conflicts,
    }
    counts += [_counted(count, name) for name, count in others.items() if count]
    return f"Forgotten: {', '.join(counts)}; checkpoints of {_counted(len(report.threads), 'thread')} deleted."


def _places(report: Forgotten) -> Iterator[str]:
    for place in report.residue:
        of = f" of {place.turn}" if place.turn else ""
        at = f" at byte {place.offset:,}" if place.offset >= 0 else ""
        yield f"{place.file}{at}: text{of}, {place.form}"


def _listed(turns: Sequence[Turn]) -> Iterator[Text]:
    for turn in turns[:_MOST]:
        text = one_line(turn.text)
        yield styled(f"  {turn.id}  {text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}")
    if len(turns) > _MOST:
        yield styled(f"  and {len(turns) - _MOST:,} more")


def _counted(count: int, name: str) -> str:
    plural = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{count:,} {name if count == 1 else plural}"
