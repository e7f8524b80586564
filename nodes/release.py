"""Releasing an answer: sentence by sentence to whoever streams, and never before it is verified."""

from collections.abc import Sequence
from itertools import pairwise
from uuid import uuid4

from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.graph.message import push_message
from langgraph.runtime import Runtime

from ..memory.language.sentences import sentences
from ..memory.records import Answer, Citation, Claim
from ..memory.traces import answer_document, citation_document, claim_document
from .contract import Context


class Said:
    """A verified answer as it is put together: its sentences, their claims, and what these rest on."""

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self.citations: dict[str, Citation] = {}
        self._parts: list[str] = []
        self._joint = " "

    @property
    def text(self) -> str:
        """What has been released."""
        return "".join(self._parts)

    def say(self, sentence: str, claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
        """Release one sentence of a draft."""
        self._push(f"{self._joint}{sentence}" if self._parts else sentence)
        self._joint = " "
        self._announce(sentence, claims, citations)

    def say_answer(self, answer: Answer) -> None:
        """Release a whole answer, after what was said already."""
        for piece in pieces(f"\n{answer.text}" if self._parts else answer.text):
            self._push(piece)
        # A draft that follows begins a line of its own.
        self._joint = "\n"
        self._announce(answer.text, answer.claims, answer.citations)

    def _push(self, piece: str) -> None:
        self._parts.append(piece)

    def _announce(self, text: str, claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
        self.claims += claims
        for cited in citations:
            self.citations.setdefault(cited.id, cited)


class Release(Said):
    """The way out of the answer node: what goes through here has been verified, and is seen at once.

    The "messages" stream gets the sentences as chunks of one message, the "custom" stream gets each with its claims.
    The node returns the whole message under the same id afterwards, and streams show it once.
    """

    def __init__(self, runtime: Runtime[Context]) -> None:
        super().__init__()
        self._runtime = runtime
        self._message_id = f"answer-{uuid4().hex}"

    def close(self, answer: Answer) -> AIMessage:
        """End the release: announce the whole answer, and give the message that holds it."""
        self._runtime.stream_writer({"type": "answer", "message_id": self._message_id, **answer_document(answer)})
        return AIMessage(answer.text, id=self._message_id)

    def _push(self, piece: str) -> None:
        super()._push(piece)
        # A node that is called by hand has no run to stream to.
        if var_child_runnable_config.get() is not None:
            push_message(AIMessageChunk(content=piece, id=self._message_id), state_key=None)

    def _announce(self, text: str, claims: Sequence[Claim], citations: Sequence[Citation]) -> None:
        super()._announce(text, claims, citations)
        self._runtime.stream_writer(
            {
                "type": "sentence",
                "message_id": self._message_id,
                "text": text,
                "claims": [claim_document(claim) for claim in claims],
                "citations": [citation_document(cited) for cited in citations],
            }
        )


def pieces(text: str) -> list[str]:
    """The text cut before each sentence but the first, so that the pieces join to the text again."""
    starts = [0, *(span.start for span in sentences(text)[1:]), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]
