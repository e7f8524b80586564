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
    leans = _points_back(question) or _is_elliptic(question)
    if not leans and not question.bare:
        return question
    question = replace(question, entity=_entity(question, topic) if leans else None, follow_up=True)
    before = _whole_question(topic, read) if _needs_more(question) else None
    return _continued(question, before) if before else question


def _entity(question: Question, topic: Topic) -> str | None:
    """The topic's entity, unless the question is about somebody or something of its own."""
    return None if question.names or question.subject == "user" else topic.entity


def _needs_more(question: Question) -> bool:
    """Whether a follow-up leaves out what it is about, or names only what differs ("and Bob?")."""
    if question.stands_alone:
        return False
    return question.bare or (_is_elliptic(question) and not question.attributes)


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
    question = replace(
        question,
        asks=before.asks if question.asks in {"value", "list"} else question.asks,
        expects=question.expects or before.expects,
        attributes=question.attributes or before.attributes,
        identifiers=question.identifiers or before.identifiers,
        pages=question.pages or (() if question.identifiers else before.pages),
    )
    differs = bool(question.names) or (bool(question.terms) and not question.history)
    return _with_another(question, before) if differs else _with_the_same(question, before)


def _with_another(question: Question, before: Question) -> Question:
    """Another name or thing in the place of the one that the question before was about."""
    kept = [term for term in before.terms if term not in before.owners]
    return replace(question, terms=tuple(dict.fromkeys((*question.terms, *kept))), owners=question.terms)


def _with_the_same(question: Question, before: Question) -> Question:
    return replace(
        question,
        terms=tuple(dict.fromkeys((*question.terms, *before.terms))),
        owners=before.owners,
        names=before.names,
        subject=question.subject or before.subject,
        entity=None if before.names else question.entity,
    )
