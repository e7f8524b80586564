"""What a recall found, best first, each with its turn."""

from datetime import tzinfo

from rich.console import Group, RenderableType
from rich.text import Text

from ..output import one_line, styled
from .parts import FAINT, ID, Document, external_id, failures, joined, moment, plural


def recall_page(document: Document, zone: tzinfo) -> Group:
    """Show the document that ``recall --json`` prints."""
    parts: list[RenderableType] = [_result(result, zone) for result in document["results"]]
    if not parts:
        parts.append(Text("Nothing in the records comes near this question."))
    dropped = len(document["dropped"])
    spent = sum(document["timings_ms"].values())
    parts.append(
        joined(
            plural(len(document["queries"]), "query", "queries"),
            f"{dropped} dropped by rule (--json says by which)" if dropped else "",
            f"{spent:.0f} ms",
        )
    )
    return Group(*parts, *failures(document))


def _result(result: Document, zone: tzinfo) -> Group:
    head = joined(
        (str(result["id"]), ID),
        (f"{result['score']:.3f}", "bold"),
        "" if result["id"] == result["turn_id"] else str(result["turn_id"]),
        str(result["speaker"]),
        moment(result["observed_at"], zone),
        external_id(result),
        " ".join(result["channels"]),
    )
    return Group(head, *_accepted(result), styled(one_line(str(result["text"]))), Text(style=FAINT))


def _accepted(result: Document) -> list[Text]:
    """The proposal that a yes accepts: without it the yes tells nothing."""
    proposal = result.get("accepts")
    return [joined((str(proposal["turn_id"]), ID), f"“{proposal['text']}”")] if proposal else []
