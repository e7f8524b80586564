"""The one place where models are called: deadlines, retries, rate limits, and what each call cost."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langsmith import tracing_context
from pydantic import BaseModel

from ...prompts.tokens import count_tokens
from .failures import ModelFailure, failure_of
from .parsing import parse

Parsed = TypeVar("Parsed", bound=BaseModel)

# A stream that has said this much has lost its way: nothing that is asked for here is longer.
_MOST_CHARACTERS = 6000
_LONGEST_WAIT = 20.0


@dataclass(frozen=True, slots=True)
class ModelCall:
    """What one call was for, which model answered it, how it ended and what it took."""

    step: str
    model: str
    outcome: str
    """``ok``, or the reason of the failure."""
    tokens: int
    milliseconds: float


@dataclass(slots=True)
class Ledger:
    """The calls of one node, in order."""

    calls: list[ModelCall] = field(default_factory=list)


class Model:
    """A chat model with a deadline.

    Drafts are nobody's business but the verifier's: calls are made in a thread without the run's callbacks, tagged
    ``nostream``, with tracing off, so that no stream, no host callback and no trace ever sees them.
    """

    def __init__(
        self,
        chat: BaseChatModel,
        name: str,
        *,
        timeout: float = 30.0,
        attempts: int = 2,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        """Wrap a chat model.

        Args:
            chat: any LangChain chat model; its own retries should be off, or attempts multiply.
            name: how answers name it.
            timeout: seconds that one call may take, from its start to its last token.
            attempts: how often a call is made at most where the failure may pass.
            wait: sleeps between attempts.
        """
        self.name = name
        self._chat = chat
        self._timeout = timeout
        self._attempts = attempts
        self._wait = wait

    def stream(self, messages: Sequence[BaseMessage], step: str, ledger: Ledger) -> Iterator[str]:
        """Yield the draft as it comes. A retry is only made while nothing has been yielded.

        Raises:
            ModelFailure: nothing usable came, or the stream broke off.
        """
        yield from self._attempted(messages, step, ledger, {})

    def structured(self, messages: Sequence[BaseMessage], schema: type[Parsed], step: str, ledger: Ledger) -> Parsed:
        """Ask for a JSON object and read it leniently; a malformed one is asked for once more.

        Raises:
            ModelFailure: no attempt gave an object of the schema.
        """
        options = self._response_format(schema)
        failure = ModelFailure("malformed")
        for _ in range(2):
            text = "".join(self._attempted(messages, step, ledger, options))
            try:
                return parse(text, schema)
            except ModelFailure as error:
                failure = error
                last = ledger.calls.pop()
                ledger.calls.append(ModelCall(last.step, last.model, error.reason, last.tokens, last.milliseconds))
        raise failure

    def _attempted(
        self, messages: Sequence[BaseMessage], step: str, ledger: Ledger, options: dict[str, Any]
    ) -> Iterator[str]:
        for attempt in range(1, self._attempts + 1):
            said: list[str] = []
            start = monotonic()
            outcome = "closed"
            try:
                for text in self._once(messages, options):
                    said.append(text)
                    yield text
            except ModelFailure as failure:
                outcome = failure.reason
                if said or not failure.passing or attempt == self._attempts:
                    raise
                self._wait(min(failure.retry_after or 0.5 * 2**attempt, _LONGEST_WAIT))
            else:
                outcome = "ok"
                return
            finally:
                tokens = sum(count_tokens(message.text) for message in messages) + count_tokens("".join(said))
                spent = (monotonic() - start) * 1000
                ledger.calls.append(ModelCall(step, self.name, outcome, tokens, round(spent, 1)))

    def _once(self, messages: Sequence[BaseMessage], options: dict[str, Any]) -> Iterator[str]:
        """One call. The thread lets a deadline hold for models that know none."""
        parts: queue.SimpleQueue[str | ModelFailure | None] = queue.SimpleQueue()
        stopped = threading.Event()
        work = threading.Thread(target=self._produce, args=(messages, options, parts, stopped), daemon=True)
        work.start()
        deadline, length = monotonic() + self._timeout, 0
        try:
            while True:
                try:
                    part = parts.get(timeout=max(0.0, deadline - monotonic()))
                except queue.Empty:
                    raise ModelFailure("timeout", f"nothing more within {self._timeout:g} s") from None
                if part is None:
                    break
                if isinstance(part, ModelFailure):
                    raise part
                length += len(part)
                yield part
                if length > _MOST_CHARACTERS:
                    break
        finally:
            stopped.set()
        if not length:
            raise ModelFailure("empty")

    def _produce(
        self,
        messages: Sequence[BaseMessage],
        options: dict[str, Any],
        parts: "queue.SimpleQueue[str | ModelFailure | None]",
        stopped: threading.Event,
    ) -> None:
        try:
            with tracing_context(enabled=False):
                for chunk in self._chat.stream(list(messages), {"callbacks": [], "tags": ["nostream"]}, **options):
                    if stopped.is_set():
                        return
                    if chunk.text:
                        parts.put(chunk.text)
        except Exception as error:  # noqa: BLE001 - providers share no base class; the thread's outermost handler
            parts.put(failure_of(error))
        else:
            parts.put(None)

    def _response_format(self, schema: type[BaseModel]) -> dict[str, Any]:
        """Servers of the OpenAI kind hold the output to a schema; others are asked for it in the prompt."""
        if "root_client" not in type(self._chat).model_fields:
            return {}
        form = {"name": schema.__name__, "schema": schema.model_json_schema()}
        return {"response_format": {"type": "json_schema", "json_schema": form}}
