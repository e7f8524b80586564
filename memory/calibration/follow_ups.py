"""Follow-ups: what a question leaves out, filled in from the topic and from the question before it."""

from collections.abc import Callable
from dataclasses import replace

from ..language.folding import fold
from . import parsing, wording
from .asked import Question, Topic

Read = Callable[[str], Question]
"""Understands a question by itself."""


def resolve(question: Question, topic: Topic, read: Read) -> Question:
    """Fill in what a follow-up leaves out ("its manager?", "before that?", 那小李呢)."""
    question = replace(question, after_items=topic.answer_items, after_turns=topic.answer_turns, listed=topic.listed)
    if question.only_time or question.asks in {"ordinal", "command"}:
        return replace(question, follow_up=question.asks == "ordinal")
    points, elliptic = _points_back(question), _is_elliptic(question)
    if not (points or elliptic or question.bare):
        return question
    to_topic = (points or elliptic) and not question.names and question.subject != "user"
    question = replace(question, entity=topic.entity if to_topic else None, follow_up=True)
    if question.stands_alone or not (question.bare or (elliptic and not question.attributes)):
        return question
    before = _whole_question(topic, read)
    return _continued(question, before) if before else question


def _points_back(question: Question) -> bool:
    core = parsing.strip_openings(fold(question.text))
    return bool(wording.pattern("references").search(core)) and not question.names


def _is_elliptic(question: Question) -> bool:
    return bool(wording.pattern("ellipsis").search(fold(question.text).strip())) or (question.bare and question.history)


def _whole_question(topic: Topic, read: Read) -> Question | None:
    """The last question that says by itself what it is about."""
    found = (read(text) for text in (topic.question, *topic.earlier) if text)
    return next((question for question in found if not question.bare), None)


def _continued(question: Question, before: Question) -> Question:
    """A follow-up that names only what differs takes the rest from the question before."""
    differs = bool(question.names) or (bool(question.terms) and not question.history)
    kept = [term for term in before.terms if not differs or term not in before.owners]
    return replace(
        question,
        asks=before.asks if question.asks in {"value", "list"} else question.asks,
        expects=question.expects or before.expects,
        terms=tuple(dict.fromkeys((*question.terms, *kept))),
        owners=question.terms if differs else before.owners,
        names=question.names if differs else before.names,
        subject=question.subject if differs else question.subject or before.subject,
        attributes=question.attributes or before.attributes,
        identifiers=question.identifiers or before.identifiers,
        entity=None if (question.names or not differs) and (question.names or before.names) else question.entity,
    )
