"""Whom a clause is about that does not say so: what the clauses before it leave to it."""

import functools
import re

from ..language import resources
from .drafts import Draft
from .patterns import expand
from .quoting import Quoted, quote
from .reading import USER, Clause, Reading
from .subjects import Antecedent, Subject, named, resolve


class Context:
    """What a clause may leave unsaid because a clause before it said it."""

    def __init__(self, antecedent: Antecedent) -> None:
        self.subject: Subject | None = None
        """The subject of the sentence so far."""
        self.person: str | None = None
        """Who was named in the sentence as the value of something: 我的业务员是潘丽."""
        self._antecedent: Subject | None = None
        self._before = antecedent
        self._sentence = -1

    def enter(self, clause: Clause, reading: Reading) -> None:
        """Come to a clause; a new sentence has its own subject."""
        if clause.sentence != self._sentence:
            self._sentence = clause.sentence
            self.subject = self.person = None
        whose = _somebody_of_mine().match(clause.text)
        if whose:
            # 我奶奶今年八十六了，住在养老院: it is she who lives there, whatever else is told of her.
            self.subject = resolve(whose["who"], clause.at(*whose.span("who")), reading, self.antecedent)
        elif re.match(r"(?:我|咱)们?(?![的们])", clause.text):
            self.subject = Subject(reading.speaker)

    def antecedent(self) -> Subject | None:
        """The person or thing last named, in the turn or just before it."""
        return self._antecedent or self._before()

    def name(self, subject: Subject) -> None:
        """Note whom a clause names."""
        self.subject = subject
        if subject.entity is not None and (subject.entity != USER or subject.relation):
            self._antecedent = Subject(subject.entity, subject.relation)

    def introduce(self, subject: Subject, attribute: str, value: Quoted, clause: Clause, reading: Reading) -> None:
        """Note who was named as the value of something: "My agent is Paula Reyes, her phone is ..." tells of her."""
        if subject.relation or attribute in {"name", "nickname"} or value.value_type != "text":
            return
        start, end = (edge - clause.span.start for edge in value.span)
        self.meet(start, end, clause, reading)

    def meet(self, start: int, end: int, clause: Clause, reading: Reading) -> None:
        """Note who is named in a range of the clause, if that is a person's name."""
        value = quote(reading, clause, start, end, "introduced")
        if value is not None:
            self.person = named(value.span.cut(reading.folded))
            self._antecedent = Subject(self.person)

    def mention(self, draft: Draft) -> None:
        """Note whom a statement is about."""
        if draft.entity is not None and draft.entity != USER and self._antecedent is None:
            self._antecedent = Subject(draft.entity)


@functools.cache
def _somebody_of_mine() -> re.Pattern[str]:
    """A Chinese clause that begins with a relative, a friend or the like of the speaker's."""
    persons = resources.alternatives(resources.words(resources.load("asking")["persons"]))
    return re.compile(expand("zh", "{lead}(?P<who>{mine}(?:{relatives}|PERSONS))").replace("PERSONS", persons))
