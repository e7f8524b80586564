"""What is told of errands when it is asked: how far one is, what was wanted before, what is to be done."""

from ..memory.records import Answer, Language
from ..memory.storage.intents import StepRow
from .domains import Domains
from .inquiries import Inquiry
from .records import Records
from .wording import Render, Shown, Wording

_MOST_BACK = 3
_MOST_PAST = 5
_MOST_TODOS = 8


def to_inquiry(
    inquiry: Inquiry, language: Language, domains: Domains, records: Records, render: Render
) -> Answer | None:
    """Answer a question about errands from their record; ``None`` where it holds no answer.

    Args:
        inquiry: the question.
        language: to answer in.
        domains: the names of things.
        records: of the errands that it is about.
        render: the template.
    """
    wording = Wording(language, domains, records)
    if inquiry.kind == "todos":
        return wording.answer(render, "todos", [], wording.todos(records.todos[:_MOST_TODOS]))
    if inquiry.kind == "state":
        told = [_standing(number, wording) for number in inquiry.intents if number in records.intents]
    else:
        told = [step for step in (_step(one, wording) for one in _steps(inquiry, records)) if step["said"]]
    return wording.answer(render, inquiry.kind, told) if told else None


def _steps(inquiry: Inquiry, records: Records) -> list[StepRow]:
    """The steps that answer a question about the past, oldest first."""
    if inquiry.kind == "said":
        every = records.steps()
        return [every[number] for number in inquiry.steps if number in every]
    return [step for number in inquiry.intents for step in _before(number, records)][-_MOST_PAST:]


def _before(intent: int, records: Records) -> list[StepRow]:
    """What was wanted of an errand before what is wanted now; all of it where nothing came after."""
    steps = [step for step in records.history.get(intent, ()) if step.kind == "step"]
    last = records.live(intent)[-1:]
    return [step for step in steps if step not in last] or steps


def _step(step: StepRow, wording: Wording) -> Shown:
    """A step of the past, with what took it back."""
    records, domain = wording.records, wording.domains.by_id[step.domain]
    by = records.undone().get(step.number)
    return {
        **wording.about(domain, records.entity_of(step) or domain.kind),
        "step": wording.state(domain, step.to_state),
        "slots": wording.slots(domain, step.slots),
        "tentative": step.tentative,
        "said": wording.quote(records.said(step)),
        "by": wording.quote(records.said(by)) if by is not None else None,
    }


def _standing(number: int, wording: Wording) -> Shown:
    """How far an errand is: the step that holds, what is known, what was taken back, what is to be done."""
    records = wording.records
    row = records.intents[number]
    domain = wording.domains.by_id[row.domain]
    last = next(reversed(records.live(number)), None)
    said = records.said(last) if last is not None else None
    return {
        **wording.about(domain, row.entity),
        "step": wording.state(domain, row.state),
        "slots": wording.slots(domain, records.stated(number)),
        "tentative": last is not None and last.tentative,
        "said": wording.quote(said),
        "back": _taken_back(number, wording),
        "todos": wording.todos(records.left_by(number), beside=said),
    }


def _taken_back(number: int, wording: Wording) -> list[Shown]:
    """The last steps that were taken back, each with the words that did."""
    records = wording.records
    gone = records.undone()
    found = []
    for step in [one for one in records.history[number] if one.kind == "step" and one.number in gone][-_MOST_BACK:]:
        words, by = wording.quote(records.said(step)), wording.quote(records.said(gone[step.number]))
        if words is not None and by is not None:
            found.append(words | {"by": by})
    return found
