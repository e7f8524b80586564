"""An answer with its quotations."""

from datetime import tzinfo

from rich.console import Group, RenderableType
from rich.text import Text

from ..output import styled
from .parts import FAINT, Document, by_line, joined, quotation


def answer_page(document: Document, zone: tzinfo) -> Group:
    """Show the document that ``ask --json`` prints."""
    parts: list[RenderableType] = [styled(str(document["text"]).strip())]
    citations = document["citations"]
    if citations:
        parts.append(Text())
    named: set[str] = set()
    for cited in citations:
        unseen = str(cited["quote"]) not in str(document["text"])
        if unseen:
            parts.append(quotation(str(cited["quote"])))
        if unseen or cited["turn_id"] not in named:
            parts.append(by_line(cited, zone))
        named.add(cited["turn_id"])
    parts.extend(
        (Text(), joined((f"veridical why {document['answer_id']}", FAINT), "shows how it came about", separator=" "))
    )
    return Group(*parts)
