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
    for cited in citations:
        if str(cited["quote"]) not in str(document["text"]):
            parts.append(quotation(str(cited["quote"])))
        parts.append(by_line(cited, zone))
    parts.extend(
        (Text(), joined((f"veridical why {document['answer_id']}", FAINT), "shows how it came about", separator=" "))
    )
    return Group(*parts)
