"""A question, understood, and the topic that a follow-up points back to: frozen values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ..clauses.condition import Condition
from ..records import ItemKind, Language
from .addresses import Address

Asks = Literal[
    "value", "who", "when", "where", "how_much", "how_many", "why", "order", "list", "yes_no", "choice", "more", "less",
    "ordinal", "who_said", "command",
]  # fmt: skip
"""What a question wants. ``more`` and ``less`` compare options (the pricier one, the cheaper one)."""

STORY: frozenset[str] = frozenset({"why", "order", "list"})
"""Questions that are answered by several quotations, oldest first."""
_OF_A_TIME = frozenset({"value", "list", "yes_no", "order", "where"})


@dataclass(frozen=True, slots=True)
class Listed:
    """One of the things listed last, so that "the second one" can be found."""

    turn: int
    quote: str
    item: int | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """What a follow-up needs from the conversation so far: from MEMORY_STATE, the recent turns and the last answer."""

    entity: str | None = None
    """The entity talked about last, as items name it (``apollo``): what "it" means."""
    question: str | None = None
    """The user's last question before this one, verbatim."""
    earlier: tuple[str, ...] = ()
    """The questions before that, newest first: "and before that?" may follow upon a question that was no whole one."""
    answer_turns: tuple[int, ...] = ()
    """Numbers of the turns that the last answer cited."""
    answer_items: tuple[int, ...] = ()
    """Numbers of the items that the last answer rested on: "before that?" goes on from them."""
    listed: tuple[Listed, ...] = ()
    """Todos, choices or quotations in the order in which they were listed last; done ones keep their place."""
    known: tuple[str, ...] = ()
    """Names of entities that the memory knows: they are found in a question whatever their spelling."""
    speakers: tuple[str, ...] = ()
    """The names under which people speak in the memory; found in a question as well."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, understood. Words are folded; times are aware."""

    text: str
    language: Language
    asks: Asks
    asked_at: datetime
    time_zone: str
    expects: str | None = None
    """The kind of value the answer must hold: amount, number, time, place, name, person, phone, email, url; or any."""
    terms: tuple[str, ...] = ()
    """Content words that evidence should cover, English ones stemmed; ``#5000`` is a number in whatever form."""
    owners: tuple[str, ...] = ()
    """Those of the terms that say whose or which (the budget *of Apollo*): they weigh more."""
    names: tuple[str, ...] = ()
    """Names in the question, folded: evidence must be about them."""
    options: tuple[str, ...] = ()
    """What a question offers to choose from; evidence needs one of them."""
    entity: str | None = None
    """The topic that a follow-up points back to."""
    speaker: str | None = None
    """The speaker whom it names, folded: their turns are preferred."""
    subject: str | None = None
    """Whom it is about: ``user``, the folded name of a person, or None."""
    attributes: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    """Pages of a document that it names; evidence must not stand on others."""
    fields: tuple[str, ...] = ()
    """Fields that it names by their keys (``total_amt``); they are terms as well."""
    kinds: tuple[ItemKind, ...] = ()
    """Kinds of items that are asked for as such: todos, open questions."""
    wants: Literal["positive", "negative"] | None = None
    """What a question about likes is after: "what do I like?" is not answered by what one hates."""
    time_words: tuple[str, ...] = ()
    """The time expressions as worded, folded."""
    time_from: datetime | None = None
    time_to: datetime | None = None
    as_of: datetime | None = None
    history: bool = False
    ordinal: int | None = None
    listed: tuple[Listed, ...] = ()
    after_items: tuple[int, ...] = ()
    after_turns: tuple[int, ...] = ()
    follow_up: bool = False
    about_assistant: bool = False
    """Whether it asks what the assistant said."""
    about_agent: bool = False
    """Whether it asks who or what the assistant is."""
    about_questions: bool = False
    """Whether it asks what was asked."""
    said: bool = False
    decided: bool = False
    just_now: bool = False
    done: bool = False
    talk: bool = False
    """Whether the text is a stretch of dialogue, which calls memories to mind; what is asked is its last line."""
    general: bool = False
    """Whether it looks like a question about the world."""
    fragment: bool = False
    """Whether it has no question's form and still only makes sense as one: "my email", "before that", 更贵的那个."""
    clauses: Condition | None = None
    """What it asks of contracts, statutes and policies, where it asks for clauses of them."""
    version: int | None = None
    """The item that holds the version asked for, by its number, where the question says from which value to count; 0:
    there is none."""

    @property
    def address(self) -> Address:
        """Where in which document the answer has to stand."""
        return Address(frozenset(self.identifiers), frozenset(self.pages), frozenset(self.fields))

    @property
    def story(self) -> bool:
        """Whether the answer is several quotations in the order in which things happened."""
        return self.asks in STORY

    @property
    def bare(self) -> bool:
        """Whether it has no content of its own."""
        named = self.names or self.options or self.identifiers
        return not (self.terms or self.attributes or named or self.kinds)

    @property
    def only_time(self) -> bool:
        """Whether it asks for all that was said or happened in a time ("what did I say yesterday?")."""
        return self.time_from is not None and self.asks in _OF_A_TIME and self.bare

    @property
    def stands_alone(self) -> bool:
        """Whether it asks for something although it has no content words ("what did we decide?")."""
        about = self.about_assistant or self.about_questions or self.about_agent
        return about or self.said or self.decided or self.just_now or self.asks in {"more", "less", "who_said"}
