"""What a trace or a log may say of a step: which turn, which items, which prompts, and nothing of their texts."""

from collections.abc import Mapping
from typing import Any

from ..memory.forgetting.ledger import user_key
from ..memory.models.client import ModelCall
from ..memory.records import Answer, Candidate, Evidence, FailedLeg, reference_id
from ..nodes.contract import Context, Perceived
from ..prompts.reference import PromptRef

Marks = dict[str, Any]
_USER_DIGITS = 16
_HASH_DIGITS = 12


def user_mark(user_id: str) -> str:
    """A user's name in traces and logs: the same for the same user, and not to be read."""
    return user_key(user_id)[:_USER_DIGITS]


def context_marks(context: Context) -> Marks:
    """``{"user", "session"}`` of a run, the user as a hash."""
    marks: Marks = {"user": user_mark(context.user_id)}
    return marks | ({"session": context.session_id} if context.session_id else {})


def prompt_mark(prompt: PromptRef) -> str:
    """``answer/v2@0123456789ab``: which prompt, and that it is the one that was released."""
    return f"{prompt.name}/v{prompt.version}@{prompt.sha256[:_HASH_DIGITS]}"


def marks_of(state: Mapping[str, Any]) -> Marks:
    """What the names of the graph's state that a step reads or writes tell of it, where there is something to tell.

    ``turn``, ``answer``, ``citations``, ``evidence`` and ``kept`` are ids; ``prompts`` names, versions and hashes;
    ``failed`` the parts of the recall that failed; ``model_calls`` steps and outcomes.
    """
    marks: Marks = {}
    for name, value in state.items():
        marks |= _mark(name, value)
    return {name: value for name, value in marks.items() if value not in (None, [], "")}


def _mark(name: str, value: Any) -> Marks:
    if isinstance(value, Perceived):
        return {"turn": None if value.number is None else reference_id(value.number), "language": value.language}
    if isinstance(value, Answer):
        cited = dict.fromkeys(citation.turn_id for citation in value.citations)
        prompts = [prompt_mark(prompt) for prompt in value.prompts]
        return {"mode": value.mode, "abstained": value.abstained, "citations": [*cited], "prompts": prompts}
    if name == "answer_id":
        return {"answer": value}
    return _marks_of_list(name, value) if isinstance(value, list) and value else {}


def _marks_of_list(name: str, values: list[Any]) -> Marks:
    first = values[0]
    if isinstance(first, PromptRef):
        return {"prompts": [prompt_mark(prompt) for prompt in values]}
    if isinstance(first, Candidate):
        return {name: [candidate.id for candidate in values]}
    if isinstance(first, Evidence):
        return {name: [*dict.fromkeys(reference_id(chosen.turn) for chosen in values)]}
    if isinstance(first, FailedLeg):
        return {"failed": [leg.leg for leg in values]}
    if isinstance(first, ModelCall):
        return {"model_calls": [f"{call.step}:{call.outcome}" for call in values]}
    return {}
