"""What the floor answers to questions about clauses of contracts, statutes and policies."""

from typing import NamedTuple

from ..memory.calibration.questions import Question
from ..memory.clauses.answering import compose
from ..memory.clauses.consulting import on_topic
from ..memory.clauses.telling import report_of
from ..memory.records import Answer, Evidence
from ..prompts.reference import PromptRef
from .contract import Perceived, Resources
from .prompting import prompt


class ClauseAnswer(NamedTuple):
    """An answer about clauses."""

    answer: Answer
    ref: PromptRef
    """The template that made it."""
    settled: bool
    """Whether it is all that was asked for: a clause's wording, or why there is none. A model has nothing to add."""


def to_clauses(
    turn: Perceived, question: Question, evidence: list[Evidence], resources: Resources
) -> ClauseAnswer | None:
    """Quote the clauses that are asked for, or say what there is instead; ``None`` where clauses have no part in it."""
    clauses = question.clauses
    if clauses is None or (evidence and not clauses.structured and clauses.wants != "topic"):
        return None
    memory = resources.memory
    report = report_of(memory, turn.user_id, clauses)
    if report.condition.trouble == "nothing_about":
        evidence = on_topic(memory, turn.user_id, clauses.topic, evidence)
    if not report.found and (evidence or report.condition.trouble is None):
        return None
    references = memory.knowledge.references(turn.user_id, [-clause.chunk for clause in report.clauses])
    reply = prompt("clause_reply", turn.language, resources)
    answer = compose(report, references, now=turn.observed_at, time_zone=turn.time_zone, render=reply.render)
    return ClauseAnswer(answer, reply.ref, settled=not clauses.topic or report.condition.trouble is not None)
