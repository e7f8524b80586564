"""Any LangChain retriever in the place of the knowledge base: what it finds is reference knowledge, never memory."""

import logging
import re
from datetime import datetime
from hashlib import sha256

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langsmith import tracing_context

from ..language.folding import clean, detect_language
from ..records import Hit, Query, RecallFilter
from ..retrieval.channels import is_sentence
from .base import KnowledgeBase
from .reading import ReadDocument

_MOST = 10
_LONGEST = 4000
"""Characters that are kept of one document of a retriever."""
_NAMES = ("source", "name", "title")
_RANDOM = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
"""The form of a UUID."""

logger = logging.getLogger(__name__)


def retrieve(
    retriever: BaseRetriever,
    base: KnowledgeBase,
    user_id: str,
    index: int,
    query: Query,
    wanted: RecallFilter,
    *,
    now: datetime,
) -> list[Hit]:
    """What a retriever finds for one query, best first; what may be cited is kept under the id of its metadata.

    A retriever that fails finds nothing: the turn is answered from what else there is. It knows of no times, so that
    questions as of a time are not put to it. One that keeps documents apart by user finds the ``user_id`` in the
    metadata of its run manager.
    """
    if not is_sentence(query) or wanted.as_of is not None or wanted.recorded_as_of is not None:
        return []
    found = [one for one in _asked(retriever, query.text, user_id) if one.page_content.strip()][:_MOST]
    numbers = [base.keep(user_id, _as_read(one), now=now) for one in found]
    return [Hit(-number, "retriever", index, 1.0 / (1 + place)) for place, number in enumerate(numbers)]


def _asked(retriever: BaseRetriever, text: str, user_id: str) -> list[Document]:
    try:
        # What is being asked in the middle of a turn is for no callback and no trace; who asks is for the retriever.
        with tracing_context(enabled=False):
            return retriever.invoke(text, {"callbacks": [], "metadata": {"user_id": user_id}})
    except Exception as error:  # noqa: BLE001 - retrievers share no exception
        # A retriever may raise anything; its text may hold what was asked, so that only its kind is told.
        logger.warning("the retriever failed (%s); the turn goes on without it", type(error).__name__)
        return []


def _as_read(found: Document) -> ReadDocument:
    text = clean(found.page_content)[:_LONGEST]
    return ReadDocument(clean(_name_of(found, text))[:512], "text/plain", text, detect_language(text))


def _name_of(found: Document, text: str) -> str:
    """The document's id; where that is a vector store's random one, or missing, its source with a mark of its own."""
    named = str(found.id or found.metadata.get("id") or "")
    source = next((str(found.metadata[name]) for name in _NAMES if found.metadata.get(name)), "")
    if named and not (source and _RANDOM.fullmatch(named)):
        return named
    return f"{source or 'retrieved'} #{(named or sha256(text.encode()).hexdigest())[:8]}"
