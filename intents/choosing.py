"""Which of the steps that words may mean is meant, and with what: by what is named, else by what came last."""

from ..memory.records import Span
from .classifying import Step, Wish
from .entities import Chosen, Mention, beside, chosen, mentions_in, placed
from .force import Heard
from .guards import judge
from .situation import Situation, View
from .slots import knowledge_in
from .triggers import Vocabulary


class Chooser:
    """The choices that one turn leaves open."""

    def __init__(self, situation: Situation, heard: Heard) -> None:
        """Choose for a heard turn in a situation."""
        self._situation = situation
        self._heard = heard

    def steps(self, wish: Wish) -> list[Step]:
        """The steps that may be meant: several where it cannot be told, none where the words speak of no domain."""
        if self._only_tells(wish):
            return []
        steps = [it for it in wish.steps if self._is_evident(it[0], wish)]
        for closer in (self._names_entity, self._names_kind, self._is_recent, self._is_told, self._is_open):
            steps = _narrowed(steps, [it for it in steps if closer(it[0], wish)])
        steps = _narrowed(steps, [it for it in steps if it in wish.longest])
        return self._fitting(steps, wish) if len(steps) > 1 else steps

    def _fitting(self, steps: list[Step], wish: Wish) -> list[Step]:
        """Of several steps those that may be taken as things stand, if there are any."""
        steps = [it for it in steps if self._is_available(*it, wish)] or steps
        return [it for it in steps if self._is_allowed(*it, wish)] or steps

    def entities(self, domain: str, wish: Wish) -> Chosen:
        """The entities that a wish is about."""
        vocabulary = self._vocabulary(domain)
        recent, open_ones = self._situation.recent(domain), self._situation.open_ones(domain)
        everywhere = mentions_in(vocabulary, self._heard.text, known={*recent, *open_ones})
        mentions = [it for it in everywhere if wish.part.start <= it.span.start < wish.part.end]
        mentions = mentions or beside(vocabulary, self._heard.text, wish.span)
        mentions = mentions or (everywhere if len(everywhere) == 1 else [])
        place = None if mentions else placed(wish.part.cut(self._heard.text), self._situation.told(domain))
        return Chosen((place,)) if place else chosen(vocabulary, self._heard.text, mentions, recent, open_ones)

    def spoken_of(self, wish: Wish) -> list[View]:
        """The intents that a sentence may speak of: those that it names, by name or by kind, else all."""
        views = self._situation.views()
        domains = {view.domain.id for view in views}
        named = {(domain, it.entity) for domain in domains for it in self._mentions(domain)}
        if named:
            return [view for view in views if (view.domain.id, view.entity) in named]
        return [view for view in views if self._names_kind(view.domain.id, wish)] or views

    def is_evident(self, domain: str, part: Span) -> bool:
        """Whether a part of the turn speaks of a domain: something of it is named there, or open."""
        text = part.cut(self._heard.text)
        vocabulary = self._vocabulary(domain)
        return (
            vocabulary.names_in(text)
            or bool(mentions_in(vocabulary, text))
            or bool(self._situation.recent(domain) or self._situation.open_ones(domain))
        )

    def _is_evident(self, domain: str, wish: Wish) -> bool:
        """Whether words speak of a domain; one as general as "cancel" does not by itself."""
        said = wish.span.cut(self._heard.text)
        telling = len(said.split()) > 1 if said.isascii() else len(said) > 2
        return telling or self.is_evident(domain, wish.part) or self._vocabulary(domain).names_in(self._heard.text)

    def _only_tells(self, wish: Wish) -> bool:
        """Whether the words that look like a question are a statement of how things are: "it has been shipped"."""
        if not all(self._looks(*step) for step in wish.steps):
            return False
        stated = [it for domain, _ in wish.steps for it in knowledge_in(self._vocabulary(domain), self._heard)]
        return any(Span(it.start, it.end).overlaps(wish.span) for it in stated)

    def _looks(self, domain: str, transition: str) -> bool:
        whole = self._vocabulary(domain).domain
        return whole.states[whole.transitions[transition].to].untouched

    def _mentions(self, domain: str) -> list[Mention]:
        known = {it.entity for it in self._situation.intents if it.domain == domain}
        return mentions_in(self._vocabulary(domain), self._heard.text, known=known)

    def _names_entity(self, domain: str, wish: Wish) -> bool:
        return bool(mentions_in(self._vocabulary(domain), wish.part.cut(self._heard.text)))

    def _names_kind(self, domain: str, wish: Wish) -> bool:
        return self._vocabulary(domain).names_in(wish.part.cut(self._heard.text))

    def _is_recent(self, domain: str, _wish: Wish) -> bool:
        last = self._situation.last_row
        return last is not None and last.domain == domain

    def _is_told(self, domain: str, _wish: Wish) -> bool:
        return bool(self._situation.told(domain))

    def _is_open(self, domain: str, _wish: Wish) -> bool:
        return bool(self._situation.open_ones(domain))

    def _is_available(self, domain: str, transition: str, wish: Wish) -> bool:
        entities = self.entities(domain, wish).entities
        sources = self._vocabulary(domain).domain.transitions[transition].sources
        return all(self._situation.view(domain, entity).state in sources for entity in entities)

    def _is_allowed(self, domain: str, transition: str, wish: Wish) -> bool:
        """Whether no guard refuses the step by what is known, or stated in the same turn."""
        stated = {it.slot: it.value for it in knowledge_in(self._vocabulary(domain), self._heard)}
        step = self._vocabulary(domain).domain.transitions[transition]
        entities = self.entities(domain, wish).entities
        known = [self._situation.view(domain, entity).values | stated for entity in entities]
        return all(judge(step, values).holds != "no" for values in known)

    def _vocabulary(self, domain: str) -> Vocabulary:
        return self._situation.vocabularies[domain]


def _narrowed(steps: list[Step], closer: list[Step]) -> list[Step]:
    """The closer ones, where steps of several domains may be meant."""
    return closer if closer and len({domain for domain, _ in steps}) > 1 else steps
