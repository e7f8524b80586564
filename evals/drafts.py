"""What a model drafts before anything is verified: overheard in an evaluation alone, judged as if it had been said."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from langchain_core.messages import BaseMessage

from ..memory.models.client import Ledger, Model
from ..nodes.contract import Resources

_STEP = "answer"


class Overheard(Model):
    """A model that keeps its last draft of an answer."""

    def __init__(self, model: Model) -> None:
        """Listen to a model, which stays as it is."""
        vars(self).update(vars(model))
        self._draft = ""

    def stream(self, messages: Sequence[BaseMessage], step: str, ledger: Ledger) -> Iterator[str]:
        """Yield the draft as it comes, and keep it as far as it came."""
        said = ""
        try:
            for piece in super().stream(messages, step, ledger):
                said += piece
                yield piece
        finally:
            if step == _STEP:
                self._draft = said

    def take(self) -> str:
        """The draft since it was last taken; empty where none was made."""
        draft, self._draft = self._draft.strip(), ""
        return draft


def overheard(resources: Resources) -> tuple[Resources, Overheard | None]:
    """The same resources with the model of the answer overheard; ``None`` where there is no model."""
    if resources.models is None:
        return resources, None
    answering = Overheard(resources.models.answer)
    return replace(resources, models=replace(resources.models, answer=answering)), answering
