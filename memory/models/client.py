"""The one place where models are called: deadlines, retries, rate limits, and what each call cost."""

import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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

OUTPUT_TOKENS: Mapping[str, int] = {
    "rewrite": 550,
    "intent": 300,
    "compress": 100,
    "answer": 500,
    "repair": 200,
    "general": 300,
    "summarize": 1200,
}
"""How much a call for each step may say. A small model that has said more has lost its way, and holds up the turn."""
_OTHER_OUTPUT = 800
_LONGEST_WAIT = 20.0
_CUT_OFF = frozenset({"length", "max_tokens", "MAX_TOKENS"})
"""How providers say that they stopped at the limit."""
_PARTIAL = frozenset({"overlong", "timeout"})


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
        limits: Mapping[str, int] = OUTPUT_TOKENS,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        """Wrap a chat model.

        Args:
            chat: any LangChain chat model; its own retries should be off, or attempts multiply.
            name: how answers name it.
            timeout: seconds that one call may take, from its start to its last token.
            attempts: how often a call is made at most where the failure may pass.
            limits: tokens that the output for a step may have.
            wait: sleeps between attempts.
        """
        self.name = name
        self.last_call: ModelCall | None = None
        """How the last call ended that was made, whoever made it."""
        self._chat = chat
        self._timeout = timeout
        self._attempts = attempts
        self._limits = limits
        self._wait = wait

    def stream(self, messages: Sequence[BaseMessage], step: str, ledger: Ledger) -> Iterator[str]:
        """Yield the draft as it comes. A retry is only made while nothing has been yielded.

        Raises:
            ModelFailure: nothing usable came, or the stream broke off.
        """
        yield from self._attempted(messages, step, ledger, {})

    def structured(self, messages: Sequence[BaseMessage], schema: type[Parsed], step: str, ledger: Ledger) -> Parsed:
        """Ask for a JSON object and read it leniently; a malformed one is asked for once more.

        What was said when the deadline or the limit came is read as well: whoever asks checks every entry anyway.

        Raises:
            ModelFailure: no attempt gave an object of the schema.
        """
        options = self._response_format(schema)
        failure = ModelFailure("malformed")
        for _ in range(2):
            text, cut = self._said(messages, step, ledger, options)
            try:
                return parse(text, schema)
            except ModelFailure as error:
                failure = cut or error
                self.last_call = replace(ledger.calls.pop(), outcome=failure.reason)
                ledger.calls.append(self.last_call)
            if cut is not None:
                break
        raise failure

    def _said(
        self, messages: Sequence[BaseMessage], step: str, ledger: Ledger, options: dict[str, Any]
    ) -> tuple[str, ModelFailure | None]:
        """The whole output, and why it is not whole."""
        said: list[str] = []
        try:
            said.extend(self._attempted(messages, step, ledger, options))
        except ModelFailure as failure:
            if failure.reason not in _PARTIAL or not said:
                raise
            return "".join(said), failure
        return "".join(said), None

    def _attempted(
        self, messages: Sequence[BaseMessage], step: str, ledger: Ledger, options: dict[str, Any]
    ) -> Iterator[str]:
        limit = self._limits.get(step, _OTHER_OUTPUT)
        for attempt in range(1, self._attempts + 1):
            said: list[str] = []
            start = monotonic()
            outcome = "closed"
            try:
                for text in self._once(messages, limit, options):
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
                self.last_call = ModelCall(step, self.name, outcome, tokens, round(spent, 1))
                ledger.calls.append(self.last_call)

    def _once(self, messages: Sequence[BaseMessage], limit: int, options: dict[str, Any]) -> Iterator[str]:
        """One call. The thread lets a deadline hold for models that know none, and so does the count for limits."""
        options = options | self.output_limit(limit)
        parts: queue.SimpleQueue[str | ModelFailure | None] = queue.SimpleQueue()
        stopped = threading.Event()
        work = threading.Thread(target=self._produce, args=(messages, options, parts, stopped), daemon=True)
        work.start()
        deadline, spent, empty = monotonic() + self._timeout, 0, True
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
                spent += count_tokens(part)
                empty = False
                yield part
                if spent > limit:
                    raise ModelFailure("overlong", f"more than {limit} tokens")
        finally:
            stopped.set()
        if empty:
            raise ModelFailure("empty")

    def _produce(
        self,
        messages: Sequence[BaseMessage],
        options: dict[str, Any],
        parts: "queue.SimpleQueue[str | ModelFailure | None]",
        stopped: threading.Event,
    ) -> None:
        ended = not self._of_openai
        try:
            with tracing_context(enabled=False):
                for chunk in self._chat.stream(list(messages), {"callbacks": [], "tags": ["nostream"]}, **options):
                    if stopped.is_set():
                        return
                    if chunk.text:
                        parts.put(chunk.text)
                    ended = ended or "finish_reason" in chunk.response_metadata
                    if _CUT_OFF & {*map(str, chunk.response_metadata.values())}:
                        parts.put(ModelFailure("overlong", "the provider stopped at the limit"))
        except Exception as error:  # noqa: BLE001 - providers share no base class; the thread's outermost handler
            parts.put(failure_of(error))
        else:
            # A connection that is closed in the middle looks like the end of what was said.
            parts.put(None if ended else ModelFailure("broken_off", "the stream ended without an end"))

    def output_limit(self, limit: int) -> dict[str, Any]:
        """The limit as the provider is told it; models that think in tokens of the output are only stopped here."""
        fields, profile = type(self._chat).model_fields, getattr(self._chat, "profile", None) or {}
        return {"max_tokens": limit} if "max_tokens" in fields and not profile.get("reasoning_output") else {}

    @property
    def _of_openai(self) -> bool:
        """Whether the model speaks OpenAI's protocol, to whichever server."""
        return "root_client" in type(self._chat).model_fields

    def _response_format(self, schema: type[BaseModel]) -> dict[str, Any]:
        """Servers of the OpenAI kind hold the output to a schema; others are asked for it in the prompt."""
        if not self._of_openai:
            return {}
        form = {"name": schema.__name__, "schema": schema.model_json_schema()}
        return {"response_format": {"type": "json_schema", "json_schema": form}}
