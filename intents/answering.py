"""Answers to what was asked: "the second one", "SF", "yes", after the assistant had to ask."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..memory.language.folding import fold
from ..memory.language.sentences import sentences
from ..memory.records import Language, Span, Turn
from ..memory.storage.intents import StepRow
from .classifying import Wish, WishKind
from .entities import mentions_in, picked
from .lexicon import changing
from .offering import accepts, offers_more, refuses
from .outcomes import Outcome, outcome_of
from .proposing import Proposer
from .slots import said_of

BACK: Mapping[str, WishKind] = {"undo": "undo", "redo": "redo", "restore": "restore"}
"""What may be asked about, or chosen by a model, beside the steps of the domains."""
_FRESH = 4
"""So many turns later a question still stands."""
_FEW, _FEW_CORRECTING = 16, 40
"""Characters beside the value in a turn that only gives another value."""
_SENTENCES_BACK = 2
_LANGUAGES: tuple[Language, ...] = ("en", "zh")


def answered(proposer: Proposer, last: StepRow | None) -> list[Outcome]:
    """What becomes of a turn that names no step itself, but answers or goes on with what was said before it.

    Args:
        proposer: of the turn.
        last: the newest row of the session's history.
    """
    turn = proposer.heard.turn
    if last is None or last.turn is None or last.domain not in proposer.situation.vocabularies:
        return _offered_step(proposer)
    if turn.number and turn.number - last.turn > _FRESH:
        return _offered_step(proposer)
    for answer in (_confirmed, _settled, _dropped, _completed, _repeated, _named):
        found = answer(proposer, last)
        if found:
            return found
    return _offered_step(proposer)


def _whole(proposer: Proposer) -> Wish:
    """A wish that the whole turn says."""
    text = proposer.heard.text
    start = len(text) - len(text.lstrip())
    span = Span(start, len(text.rstrip()) or len(text))
    return Wish("step", span, Span(0, len(text)))


def _confirmed(proposer: Proposer, last: StepRow) -> list[Outcome]:
    """If the assistant's question names the last step, a no takes it back, and a yes makes it firm if it was not."""
    text = proposer.heard.turn.text
    if last.kind != "step" or (last.domain, last.transition) not in _offered(proposer):
        return []
    if refuses(text):
        wish = replace(_whole(proposer), kind="withdrawn", steps=((last.domain, last.transition),))
        return proposer.outcomes([wish])
    if last.tentative and accepts(text):
        return proposer.step(last.domain, outcome_of(last).entity, last.transition, _whole(proposer), last.slots)
    return []


def _settled(proposer: Proposer, last: StepRow) -> list[Outcome]:
    """Do what was asked about, if the turn says which entity, which step or which value was meant."""
    asked = outcome_of(last)
    ask, whole = asked.asks, _whole(proposer)
    if ask is None:
        return []
    if ask.about == "entity":
        return _of_entity(proposer, asked, ask.candidates, whole)
    if ask.about == "slot":
        given = said_of(proposer.situation.vocabularies[asked.domain], proposer.heard, ask.candidates)
        return proposer.step(asked.domain, asked.entity, asked.transition, whole, asked.slots) if given else []
    chosen = picked(proposer.heard.text, ask.candidates)
    if chosen is None:
        return []
    domain, _, transition = chosen.partition(".")
    return proposer.outcomes([replace(whole, steps=((domain, transition),))])


def _of_entity(proposer: Proposer, asked: Outcome, candidates: Sequence[str], whole: Wish) -> list[Outcome]:
    entity = picked(proposer.heard.text, candidates) or _one_named(proposer, asked.domain)
    if entity is None:
        return []
    if asked.transition in BACK:
        return proposer.take_back(asked.domain, entity, replace(whole, kind=BACK[asked.transition]))
    return proposer.step(asked.domain, entity, asked.transition, whole, asked.slots)


def _dropped(proposer: Proposer, last: StepRow) -> list[Outcome]:
    """Take the last step back that a verb with "not any more" means: 不退了 after a return."""
    match = changing("zh", "dropped").search(proposer.heard.text)
    step = proposer.domain(last.domain).transitions.get(last.transition)
    if match is None or step is None or last.kind != "step":
        return []
    words = "".join((step.title.zh, *step.triggers["zh"]))
    if match["verb"] not in fold(words):
        return []
    wish = replace(_whole(proposer), kind="withdrawn", steps=((last.domain, last.transition),))
    return proposer.outcomes([wish])


def _completed(proposer: Proposer, last: StepRow) -> list[Outcome]:
    """Take a step again with the value that a few words give ("no, FedEx"), or that it lacked when asked about."""
    vocabulary = proposer.situation.vocabularies[last.domain]
    step = vocabulary.domain.transitions.get(last.transition)
    if step is None or last.kind != "step":
        return []
    given = said_of(vocabulary, proposer.heard, step.fills)
    text = proposer.heard.text
    besides = len(text.strip()) - sum(it.end - it.start for it in given)
    few = _FEW_CORRECTING if _says("correcting", text) else _FEW
    if not given or (besides > few and not last.tentative):
        return []
    return proposer.step(last.domain, outcome_of(last).entity, last.transition, _whole(proposer), last.slots)


def _repeated(proposer: Proposer, last: StepRow) -> list[Outcome]:
    """Do with another entity what was done with the last: "and order 200?", "the same for 200"."""
    entity = _one_named(proposer, last.domain)
    step = proposer.domain(last.domain).transitions.get(last.transition)
    if entity is None or step is None or entity == outcome_of(last).entity:
        return []
    text = proposer.heard.text
    looks = proposer.domain(last.domain).states[step.to].untouched
    if not (_says("likewise", text) or (looks and _says("what_about", text))):
        return []
    slots = [it for it in last.slots if not it.kept]
    return proposer.step(last.domain, entity, last.transition, _whole(proposer), slots)


def _named(proposer: Proposer, last: StepRow) -> list[Outcome]:
    """Give the entity that nobody has named yet the name that the turn says."""
    unnamed = proposer.situation.unnamed(last.domain)
    entity = _one_named(proposer, last.domain) if unnamed else None
    if unnamed is None or entity is None:
        return []
    return proposer.naming(last.domain, entity, _whole(proposer))


def _one_named(proposer: Proposer, domain: str) -> str | None:
    mentions = mentions_in(proposer.situation.vocabularies[domain], proposer.heard.text, bare=True)
    named = list(dict.fromkeys(it.entity for it in mentions))
    return named[0] if len(named) == 1 else None


def _says(name: str, text: str) -> bool:
    return any(changing(language, name).search(text) for language in _LANGUAGES)


def _offered_step(proposer: Proposer) -> list[Outcome]:
    """A yes takes a step that the assistant's question names, where the domain lets it."""
    allowed = [it for it in _offered(proposer) if proposer.domain(it[0]).offers]
    if not allowed or not accepts(proposer.heard.turn.text):
        return []
    return proposer.outcomes([replace(_whole(proposer), steps=tuple(allowed))])


def _offered(proposer: Proposer) -> list[tuple[str, str]]:
    """The steps that the assistant's last question names."""
    before = proposer.situation.before
    if not before or before[-1].source != "ai_generated" or offers_more(before[-1].text):
        return []
    question = _last_question(before)
    return [
        (name, it.transition)
        for name, vocabulary in proposer.situation.vocabularies.items()
        for it in vocabulary.all_named_in(question)
    ]


def _last_question(before: Sequence[Turn]) -> str:
    text = fold(before[-1].text)
    asked = [it.cut(text) for it in sentences(text)[-_SENTENCES_BACK:]]
    return " ".join(it for it in asked if it.rstrip().endswith(("?", "？")))
