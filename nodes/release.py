"""Releasing an answer: sentence by sentence to whoever streams, and never before it is verified."""

from itertools import pairwise

from langchain_core.messages import AIMessageChunk
from langchain_core.runnables.config import var_child_runnable_config
from langgraph.graph.message import push_message
from langgraph.runtime import Runtime

from ..memory.language.sentences import sentences
from ..memory.records import Answer
from ..memory.traces import answer_document
from .contract import Context


def release(answer: Answer, message_id: str, runtime: Runtime[Context]) -> None:
    """Send a verified answer to the "messages" stream by sentences, and its claims to the "custom" stream.

    The node returns the whole message under the same id afterwards, and streams show it once.
    """
    # A node that is called by hand has no run to stream to.
    if var_child_runnable_config.get() is not None:
        for piece in _pieces(answer.text):
            push_message(AIMessageChunk(content=piece, id=message_id), state_key=None)
    runtime.stream_writer({"type": "answer", "message_id": message_id, **answer_document(answer)})


def _pieces(text: str) -> list[str]:
    """The text cut before each sentence but the first, so that the pieces join to the text again."""
    starts = [0, *(span.start for span in sentences(text)[1:]), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]
