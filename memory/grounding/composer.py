"""The floor's answers: quotations with date, speaker and turn, or an honest refusal. No evidence is reworded."""

from collections.abc import Mapping, Sequence

from ..calibration.asked import Question
from ..records import Answer, Claim, Evidence, Item, Span, Turn
from .leading import lead_value
from .notes import acknowledge
from .quoting import Quotation, Render, in_limits, limit_of, local_date, rendered, shown, told_in_limits
from .trimming import size
from .verifier import verify

__all__ = ["Render", "acknowledge", "compose", "decline", "local_date"]

_MOST_QUOTATIONS = 2
_MOST_IN_STORY = 5


def compose(
    question: Question,
    evidence: Sequence[Evidence],
    turns: Mapping[int, Turn],
    items: Mapping[int, Sequence[Item]],
    *,
    render: Render,
) -> Answer:
    """Answer a question by quoting the evidence, or decline where there is none.

    At most 2 quotations within 60 words (120 Chinese characters), the best first; to a question about order, causes or
    a list up to 5, in the order of the evidence. What does not pass the verifier is not said.

    Args:
        question: The understood question; its language is the answer's.
        evidence: What selection chose, in the order in which it is to be told.
        turns: The turns of the evidence, by number.
        items: The items of those turns, by turn number.
        render: The template.
    """
    chosen = [_quotation(one, turns) for one in evidence if one.turn in turns]
    for text, quoted in _drafts(question, chosen, items, render):
        claims = verify(text, [one.evidence for one in quoted], turns, question.language)
        if all(claim.verdict == "supported" for claim in claims):
            return _answer(text, quoted, claims)
    return decline(question, render=render)


def _drafts(
    question: Question, chosen: Sequence[Quotation], items: Mapping[int, Sequence[Item]], render: Render
) -> list[tuple[str, list[Quotation]]]:
    """The answers that may be given, the fullest first: with the value in front, without it, with one quotation."""
    if not chosen:
        return []
    if question.story or question.only_time or question.kinds:
        told = told_in_limits(chosen, question, _MOST_IN_STORY)
        return [(_rendered(question, told, render, more=len(chosen) > len(told)), told)]
    quoted = in_limits(chosen, question, _MOST_QUOTATIONS)
    # A value in front would settle what a document and the user say differently.
    lead = (
        ""
        if len({one.turn.source for one in quoted}) > 1
        else lead_value(question, quoted[0].turn, quoted[0].span, quoted[0].known_items(items))
    )
    drafts = [(quoted, lead), (quoted, ""), (quoted[:1], lead), (quoted[:1], "")]
    texts = [(_rendered(question, some, render, lead=value), some) for some, value in drafts]
    limit = limit_of(question.language)
    return [(text, some) for text, some in texts if size(text, question.language) <= limit] or texts[-1:]


def _rendered(
    question: Question, quoted: Sequence[Quotation], render: Render, *, lead: str = "", more: bool = False
) -> str:
    quotes = [shown(one) for one in quoted]
    return rendered(render, "answer", lead=lead, quotes=quotes, more=more)


def _answer(text: str, quoted: Sequence[Quotation], claims: Sequence[Claim]) -> Answer:
    return Answer(text, False, "floor", tuple(claims), tuple(one.citation for one in quoted))


def _quotation(evidence: Evidence, turns: Mapping[int, Turn]) -> Quotation:
    # After a checkpoint spans and tuples may come back as lists.
    return Quotation(turns[evidence.turn], Span(*evidence.span), tuple(evidence.items))


def decline(question: Question, *, render: Render) -> Answer:
    """The answer where the records do not suffice, or where something else than the records is asked for."""
    if question.about_agent:
        return Answer(rendered(render, "agent"), False, "floor")
    reply = "general" if question.general else "abstain"
    return Answer(rendered(render, "command" if question.asks == "command" else reply), True, "floor")
