"""The doctor's report as a page."""

from rich.console import Group, RenderableType
from rich.text import Text

from ..output import one_line, styled
from .parts import BAD, DOUBT, FAINT, GOOD, ID, Document, joined, plural

_MOST_SHOWN = 10


def health_page(report: Document) -> Group:
    """Show the report that ``doctor --json`` prints."""
    parts: list[RenderableType] = []
    for checked in report["checks"]:
        problems = checked["problems"]
        mark = Text("✘ " if problems else "✔ ", style=BAD if problems else GOOD)
        parts.append(mark.append_text(styled(checked["promise"], "")).append(f"  {checked['examined']:,}", style=FAINT))
        parts.extend(_problem(problem) for problem in problems[:_MOST_SHOWN])
        if len(problems) > _MOST_SHOWN:
            parts.append(Text(f"    and {len(problems) - _MOST_SHOWN:,} more (--json shows all)", style=FAINT))
    parts.extend(joined(("repaired", GOOD), (one_line(sentence), ""), separator=" ") for sentence in report["repaired"])
    parts.append(_verdict(report))
    return Group(*parts)


def _problem(problem: Document) -> Text:
    line = Text("    ").append_text(joined((problem["subject"], ID), (problem["detail"], ""), separator=" "))
    return line.append_text(styled(f"  user {problem['user_id']}" if problem["user_id"] else "", FAINT))


def _verdict(report: Document) -> Text:
    problems = [problem for checked in report["checks"] for problem in checked["problems"]]
    if not problems:
        return Text("Every promise holds.", style=GOOD)
    repairable = sum(problem["repairable"] for problem in problems)
    said = Text(f"{plural(len(problems), 'problem')}.", style=BAD)
    if repairable:
        return said.append(f" `veridical doctor --fix` repairs {repairable:,} of them.", style=DOUBT)
    return said.append(" What is derived is sound; the rest cannot be repaired without inventing.", style=DOUBT)
