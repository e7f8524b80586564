"""The floor's answers about clauses: quoted whole and exactly, or one sentence that says what there is instead.

The limits of other answers (60 words) do not hold here: who asks for a clause by its number wants its wording, and a
clause without its end may say the opposite. What is longer than a page is cut at a paragraph, and says so.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from ..knowledge.rows import Document
from ..records import Answer, Citation, Claim, Evidence, Reference, Span
from .readable import called, label_of, prefix_of
from .records import Clause
from .telling import Change, Report

Render = Callable[..., str]
"""Renders the template ``clause_reply`` in the answer's language."""

_TICK = timedelta(microseconds=1)
LONGEST = 4000
"""Characters of one clause that are shown at once."""
_MOST_NAMED = 40
_ORDER = ("changed", "added", "removed", "moved", "same")
_View = dict[str, Any]


def evidence_of(report: Report) -> list[Evidence]:
    """The spans of the chunks that hold the clauses of a report, as far as they are shown."""
    return [Evidence(-clause.chunk, _shown(clause, report), 1.0) for clause in report.clauses]


def compose(
    report: Report,
    references: Mapping[int, Reference],
    *,
    now: datetime,
    time_zone: str,
    render: Render,
) -> Answer:
    """The answer to a question about clauses; one that cannot be met is declined with the candidates.

    Args:
        report: what there is to tell.
        references: the chunks of its clauses, by (negative) number.
        now: the time of asking, which tells what is in force.
        time_zone: in which days are told.
        render: the template.
    """
    clock = _Clock(now, ZoneInfo(time_zone))
    quotes = [_quote(clause, report, references, clock) for clause in report.clauses if -clause.chunk in references]
    given = _given(report, quotes, clock)
    empty: _View = dict.fromkeys(("document", "said"), "") | {"counts": 0}
    empty |= dict.fromkeys(("candidates", "quotes", "beside", "traced", "changes", "versions", "outline"), ())
    text = render(**(empty | given))
    claims = tuple(_claim(quote) for quote in quotes) if given["quotes"] else ()
    cited = tuple(_citation(quote, references) for quote in quotes) if given["quotes"] else ()
    return Answer(text, report.condition.trouble is not None, "floor", claims, cited)


# --- Quotations -------------------------------------------------------------------------------------------------------


class _Clock:
    """Tells days, and what is in force now."""

    def __init__(self, now: datetime, zone: ZoneInfo) -> None:
        self.now = now
        self._zone = zone

    def day(self, moment: datetime | None) -> str:
        """The day of a moment, ISO 8601; empty for none."""
        return "" if moment is None else moment.astimezone(self._zone).date().isoformat()

    def held(self, valid_from: datetime, valid_to: datetime | None) -> _View:
        """When something was in force, as the template shows it."""
        current = valid_from <= self.now and (valid_to is None or self.now < valid_to)
        last = None if valid_to is None else max(valid_from, valid_to - _TICK)
        return {"from": self.day(valid_from), "to": self.day(last), "current": current}

    def version(self, document: Document) -> _View:
        """A version with its label and the time of its force."""
        return {"label": document.version_label} | self.held(document.valid_from, document.valid_to)


def _shown(clause: Clause, report: Report) -> Span:
    """The part of a clause, in its chunk, that is shown: all, or the paragraphs that a page holds, or the rest."""
    whole = clause.span_in_chunk
    cut = whole.start + _page(clause.text)
    if report.condition.rest and cut < whole.end:
        return Span(
            cut + len(clause.text[cut - whole.start :]) - len(clause.text[cut - whole.start :].lstrip()), whole.end
        )
    return Span(whole.start, whole.start + len(clause.text[: cut - whole.start].rstrip()))


def _page(text: str) -> int:
    """Where the page ends: at the end of the last paragraph that fits, of the first one at least."""
    if len(text) <= LONGEST:
        return len(text)
    end = text.rfind("\n", 1, LONGEST)
    end = end if end > 0 else text.find("\n", 1)
    return end if end > 0 else len(text)


def _quote(clause: Clause, report: Report, references: Mapping[int, Reference], clock: _Clock) -> _View:
    reference, span = references[-clause.chunk], _shown(clause, report)
    left = clause.text[span.end - clause.span_in_chunk.start :]
    return {
        "prefix": prefix_of(clause),
        "text": span.cut(reference.text),
        "id": reference.mark,
        "left": len([line for line in left.split("\n") if line.strip()]),
        "chunk": -clause.chunk,
    } | clock.held(clause.valid_from, clause.valid_to)


def _claim(quote: _View) -> Claim:
    return Claim(f"{quote['prefix']}: “{quote['text']}”", "supported", (f"c{-quote['chunk']}",))


def _citation(quote: _View, references: Mapping[int, Reference]) -> Citation:
    reference = references[quote["chunk"]]
    return Citation(
        id=reference.id,
        turn_id=reference.id,
        external_id=reference.external_id,
        quote=quote["text"],
        observed_at=reference.observed_at,
        speaker=reference.speaker,
        source=reference.source,
    )


# --- What is said around them -----------------------------------------------------------------------------------------


def _given(report: Report, quotes: Sequence[_View], clock: _Clock) -> _View:
    """The variables of the template that say something, with the kind of reply."""
    condition = report.condition
    if condition.trouble is not None:
        return _trouble(report, clock)
    about: _View = {"document": _titles(report), "quotes": quotes}
    if condition.numbers:  # some of which may not be there
        about |= {"said": condition.said, "candidates": condition.candidates}
    others = {
        "versions": _of_versions,
        "list": _of_outline,
        "count": _of_outline,
        "moved": _traced,
        "changes": _changed,
    }
    if condition.wants in others:
        return about | others[condition.wants](report, clock)
    reply = "yes" if condition.wants == "exists" else "quote"
    return about | {"reply": reply, "beside": [clock.version(document) for document in report.beside]}


def _of_versions(report: Report, clock: _Clock) -> _View:
    return {"reply": "versions", "versions": [clock.version(one) for one in report.documents], "quotes": ()}


def _of_outline(report: Report, clock: _Clock) -> _View:
    named = [called(one) for one in report.outline] if report.condition.wants == "list" else []
    return {"reply": "outline", "counts": len(report.outline), "outline": named[:_MOST_NAMED], "quotes": ()}


def _changed(report: Report, clock: _Clock) -> _View:
    """What changed: of the clauses of a number one by one, of a whole document by kind of change."""
    versions = {"versions": [clock.version(one) for one in report.documents]}
    if report.condition.numbers:
        return versions | {"reply": "changed", "changes": [_change(one) for one in report.changes]}
    return versions | {"reply": "changes", "changes": list(_groups(report.changes))}


def _trouble(report: Report, clock: _Clock) -> _View:
    condition = report.condition
    given: _View = {
        "reply": condition.trouble,
        "said": condition.said,
        "candidates": condition.candidates[:_MOST_NAMED],
    }
    given |= {"document": _titles(report), "quotes": ()}
    if condition.trouble == "no_version":
        every = [document for family in report.shelf for document in family.versions]
        given["versions"] = [clock.version(document) for document in every]
    if condition.trouble == "no_clause":
        given["versions"] = [clock.version(document) for document in report.beside]
    return given


def _titles(report: Report) -> str:
    return ", ".join(family.versions[-1].title or family.key for family in report.shelf)


def _traced(report: Report, clock: _Clock) -> _View:
    lines = []
    for line in report.traced:
        steps = [
            {"label": label_of(one), "version": one.version, "same": one.number in line.alike} for one in line.elsewhere
        ]
        lines.append({"said": f"{called(line.clause)} ({line.clause.version})", "steps": steps})
    last = report.documents[-1]
    gone = any(last.number not in {one.document for one in (line.clause, *line.elsewhere)} for line in report.traced)
    return {"reply": "moved", "traced": lines, "said": last.version_label if gone else ""}


def _change(change: Change) -> _View:
    first = change.old or change.new
    return {
        "kind": change.kind,
        "name": "" if first is None else called(first),
        "now": "" if change.new is None else called(change.new),
    }


def _groups(changes: Sequence[Change]) -> Iterator[_View]:
    """The changes of a whole document by their kind; what stayed as it was is only counted."""
    for kind in _ORDER:
        some = [change for change in changes if change.kind == kind]
        if some:
            names = [] if kind == "same" else [_renamed(_change(change)) for change in some]
            yield {"kind": kind, "count": len(some), "names": names[:_MOST_NAMED]}


def _renamed(change: _View) -> str:
    now = change["now"]
    return f"{change['name']} → {now}" if now and now != change["name"] else str(change["name"])


_VIEWS: dict[str, Callable[[Report, _Clock], _View]] = {
    "versions": _of_versions,
    "list": _of_outline,
    "count": _of_outline,
    "moved": _traced,
    "changes": _changed,
}
"""What is told around, or instead of, quotations."""
