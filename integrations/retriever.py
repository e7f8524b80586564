"""The memory as a retriever: what was said about a question, each document with its citation."""

from datetime import datetime
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import AwareDatetime, ConfigDict, PositiveInt

from ..graph.recall import gather
from ..memory.errors import UserRequired
from ..memory.records import Candidate, Reference, Turn
from ..memory.traces import Json, result_document
from ..nodes.contract import Context, Resources

_HOW = "give VeridicalRetriever a user_id, or the call {'metadata': {'user_id': ...}} in its config"


class VeridicalRetriever(BaseRetriever):
    """Finds what a user's memory holds on a question: turns, chunks of documents and summaries, the best first.

    Every document's ``page_content`` is a text as it was said; its metadata cite it: ``id``, ``kind``, ``turn_id``,
    ``session_id``, ``speaker``, ``source``, ``observed_at`` (ISO 8601), ``score``, and the ``confidence`` that the
    memory holds an answer at all. What no longer holds, or is about somebody else, is left out by the rules of the
    recall. Nothing is recorded.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    resources: Resources
    user_id: str = ""
    """Whose memory; where it is empty, the ``user_id`` in the metadata of the call's config."""
    k: PositiveInt = 5
    """How many documents at most."""
    as_of: AwareDatetime | None = None
    """Valid time: find what held then."""
    recorded_as_of: AwareDatetime | None = None
    """Recorded time: find what the memory knew then."""
    session_id: str | None = None
    """The conversation that the question belongs to: what "it" means there."""

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        as_of: datetime | None = None,
    ) -> list[Document]:
        user_id = self.user_id or str((run_manager.metadata or {}).get("user_id") or "")
        if not user_id:
            raise UserRequired(_HOW)
        context = Context(
            user_id=user_id,
            session_id=self.session_id,
            limit=k or self.k,
            as_of=as_of or self.as_of,
            recorded_as_of=self.recorded_as_of,
        )
        gathered = gather(self.resources, query, context)
        kept = gathered.judged["kept"]
        turns = self.resources.memory.turns(user_id, [candidate.turn for candidate in kept])
        confidence = round(gathered.judged["confidence"], 4)
        return [_document(candidate, turns[candidate.turn], confidence) for candidate in kept]


def _document(candidate: Candidate, turn: Turn, confidence: float) -> Document:
    cited: dict[str, Any] = {**_citation(candidate, turn), "confidence": confidence}
    return Document(page_content=turn.text, id=candidate.id, metadata=cited)


def _citation(candidate: Candidate, turn: Turn) -> Json:
    result = result_document(candidate, turn)
    cited = {name: value for name, value in result.items() if name != "text"}
    cited |= {"session_id": turn.session_id, "language": turn.language}
    if isinstance(turn, Reference):
        cited |= {"title": turn.title, "version": turn.version}
        return cited | ({"clause": turn.clause} if turn.clause else {})
    return cited
