"""Understanding a question without a model: what it asks for, about whom, and which words must be found again."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, get_args

from ..language.folding import fold
from ..language.lexicon import find_attributes
from ..language.times import find_times
from ..language.values import find_values
from ..records import ItemKind, Language
from . import parsing, wording

Asks = Literal[
    "value", "who", "when", "where", "how_much", "how_many", "why", "order", "list", "yes_no", "choice", "more", "less",
    "ordinal", "who_said", "command",
]  # fmt: skip
"""What a question wants. ``more`` and ``less`` compare options (the pricier one, the cheaper one)."""

STORY: frozenset[str] = frozenset({"why", "order", "list"})
"""Questions that are answered by several quotations, oldest first."""

_TICK = timedelta(microseconds=1)
_STATES = frozenset({"value", "who", "where", "how_much", "how_many", "yes_no", "choice"})


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
    """Names that the memory knows, of entities and speakers: they are found in a question whatever their spelling."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, understood. Words are folded; times are aware."""

    text: str
    language: Language
    asks: Asks
    asked_at: datetime
    time_zone: str
    expects: str | None = None
    """The kind of value that the answer must hold: amount, number, time, name, person, phone, email, url; or any."""
    terms: tuple[str, ...] = ()
    """Content words that evidence should cover, English ones stemmed; ``#5000`` is a number in whatever form."""
    owners: tuple[str, ...] = ()
    """Those of the terms that say whose or which (the budget *of Apollo*): they weigh more."""
    names: tuple[str, ...] = ()
    """Names in the question, folded: evidence must be about them."""
    entity: str | None = None
    """The topic that a follow-up points back to."""
    subject: str | None = None
    """Whom it is about: ``user``, the folded name of a person, or None."""
    attributes: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    kinds: tuple[ItemKind, ...] = ()
    """Kinds of items that are asked for as such: todos, open questions."""
    options: tuple[str, ...] = ()
    """What a question offers to choose from; evidence needs one of them."""
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
    about_questions: bool = False
    said: bool = False
    decided: bool = False
    just_now: bool = False
    done: bool = False
    personal: bool = False
    general: bool = False
    fragment: bool = False
    """Whether it has no question's form and still only makes sense as one: "my email", "before that", 更贵的那个."""

    @property
    def story(self) -> bool:
        """Whether the answer is several quotations in the order in which things happened."""
        return self.asks in STORY

    @property
    def only_time(self) -> bool:
        """Whether it asks for all that was said or happened in a time ("what did I say yesterday?")."""
        wanted = self.asks in {"value", "list", "yes_no", "order"}
        return (
            self.time_from is not None
            and wanted
            and not (self.terms or self.names or self.attributes or self.identifiers)
        )


def analyse(text: str, language: Language, now: datetime, time_zone: str, topic: Topic | None = None) -> Question:
    """Understand a question by the wording of both languages; what points back is resolved by the topic."""
    topic = topic or Topic()
    question = _analyse_alone(text, language, now, time_zone, topic)
    return _resolve(question, topic)


def _analyse_alone(text: str, language: Language, now: datetime, time_zone: str, topic: Topic) -> Question:
    core = parsing.strip_openings(fold(text))
    asks = _asks(core)
    times = list(find_times(text, now, time_zone))
    values = [v for v in find_values(text) if not any(v.span.overlaps(t.span) for t in times)]
    names = parsing.names(text, topic.known, [t.span for t in times])
    kinds = tuple(
        kind
        for kind in get_args(ItemKind)
        if kind in {key for key, rule in wording.table("kinds") if rule.search(core)}
    )
    identifiers = tuple(dict.fromkeys(fold(v.normal) for v in values if v.kind == "identifier"))
    taken = [t.span for t in times] + [v.span for v in values] + [span for _, span in names]
    terms, owners = parsing.terms(text, core, taken)
    if times and asks in {"value", "list"}:
        terms = tuple(term for term in terms if term not in wording.words("agenda"))
    offered = asks in {"choice", "more", "less"} and len(names) > 1
    numbers = () if asks == "yes_no" else tuple(f"#{v.normal}" for v in values if v.kind in parsing.NUMERIC)
    question = Question(
        text=text,
        language=language,
        asks=asks,
        asked_at=now,
        time_zone=time_zone,
        expects=_expects(asks, core),
        terms=tuple(dict.fromkeys((*terms, *numbers))),
        owners=owners,
        names=() if offered else tuple(dict.fromkeys(name for name, _ in names)),
        options=tuple(dict.fromkeys(name for name, _ in names)) if offered else (),
        kinds=kinds,
        attributes=_attributes(text, core, asks if terms else "value", _expects(asks, core)),
        identifiers=identifiers,
        time_from=min((t.start for t in times), default=None),
        time_to=max((t.end for t in times), default=None),
    )
    return _with_marks(question, core)


def _with_marks(question: Question, core: str) -> Question:
    """Add what single cues of the wording tell."""

    def has(name: str) -> bool:
        return bool(wording.pattern(name).search(core))

    own, shared = has("self"), has("shared")
    history = has("history") and not has("said_before")
    ordinal = parsing.ordinal(core) if question.asks not in {"who_said", "command"} else None
    of_done: tuple[ItemKind, ...] = ("todo",) if has("done") and not (question.terms or question.names) else ()
    question = replace(
        question,
        kinds=question.kinds or of_done,
        asks="ordinal" if ordinal is not None else question.asks,
        ordinal=ordinal,
        terms=() if ordinal is not None else question.terms,
        subject="user" if own else next(iter(question.names), None),
        history=history,
        about_assistant=has("about_assistant"),
        about_questions=has("about_questions"),
        said=has("said"),
        decided=has("decided"),
        just_now=has("just_now"),
        done=has("done"),
        personal=own or shared or has("about_assistant") or has("said") or bool(question.identifiers),
        fragment=parsing.is_fragment(question.text, core),
        general=has("general") and (has("how_to") or not (own or shared)),
    )
    return replace(question, as_of=_as_of(question, has("as_of")))


def _as_of(question: Question, explicit: bool) -> datetime | None:
    """The moment whose state is asked for: "as of March", or a past time with the attribute of a state."""
    if question.time_to is None or question.only_time:
        return None
    state = question.asks in _STATES and question.attributes and not question.said and not question.decided
    past = question.time_to <= question.asked_at
    if not (explicit or (state and past)):
        return None
    return min(question.time_to, question.asked_at) - _TICK


def _attributes(text: str, core: str, asks: Asks, expects: str | None) -> tuple[str, ...]:
    """The attributes that a question names, by a noun or by a verb."""
    by_verb = [key for key, rule in wording.table("attribute_verbs") if rule.search(core)]
    named = ["name"] if expects == "name" else ["reason"] if asks == "why" else []
    return tuple(dict.fromkeys((*(mention.key for mention in find_attributes(text)), *by_verb, *named)))


def _asks(core: str) -> Asks:
    for kind, rule in wording.asks():
        if rule.search(core):
            return next(one for one in get_args(Asks) if one == kind)
    return "value"


def _expects(asks: Asks, core: str) -> str | None:
    """The kind of value that the kind of question, or else a word in it, calls for."""
    by_kind = {
        "when": "time",
        "how_much": "amount",
        "how_many": "number",
        "who": "person",
        "more": "amount",
        "less": "amount",
    }
    if asks in by_kind:
        return by_kind[asks]
    if asks in {"value", "choice"}:
        return next((kind for kind, rule in wording.table("expects") if rule.search(core)), None)
    return None


def _resolve(question: Question, topic: Topic) -> Question:
    """Fill in what a follow-up leaves out, from the topic and from the question before it."""
    core = parsing.strip_openings(fold(question.text))
    whole = fold(question.text).strip()
    bare = not (question.terms or question.attributes or question.names)
    elliptic = bool(wording.pattern("ellipsis").search(whole)) or (
        bare and (question.history or question.asks == "ordinal")
    )
    points = bool(wording.pattern("references").search(core)) and not question.names
    question = replace(question, after_items=topic.answer_items, after_turns=topic.answer_turns, listed=topic.listed)
    if not (elliptic or points or bare):
        return question
    if question.only_time or question.asks in {"ordinal", "command"}:
        return replace(question, follow_up=question.asks == "ordinal")
    entity = topic.entity if not question.names and (points or elliptic) and question.subject != "user" else None
    question = replace(question, entity=entity, follow_up=True)
    continues = not _stands_alone(question) and (bare or (elliptic and not question.attributes))
    before = _whole_question(question, topic) if continues else None
    return _continued(question, before) if before else question


def _whole_question(question: Question, topic: Topic) -> Question | None:
    """The last question that says by itself what it is about."""
    for text in (topic.question, *topic.earlier):
        if text:
            before = _analyse_alone(text, question.language, question.asked_at, question.time_zone, topic)
            if before.terms or before.names or before.attributes:
                return before
    return None


def _stands_alone(question: Question) -> bool:
    """Whether a question without content words asks for something by itself ("what did we decide?")."""
    by_itself = question.said or question.decided or question.about_assistant or question.about_questions
    return by_itself or question.just_now or question.asks in {"more", "less", "who_said"}


def _continued(question: Question, before: Question) -> Question:
    """A follow-up that names only what differs takes the rest from the question before."""
    if question.names or (question.terms and not question.history):
        kept = tuple(term for term in before.terms if term not in before.owners)
        names = question.names
        subject = question.subject
        owners = question.terms
    else:
        kept, names, owners = before.terms, before.names, before.owners
        subject = question.subject or before.subject
    asks = before.asks if question.asks in {"value", "list"} else question.asks
    return replace(
        question,
        asks=asks,
        expects=question.expects or before.expects,
        terms=tuple(dict.fromkeys((*question.terms, *kept))),
        owners=owners,
        names=names,
        subject=subject,
        attributes=question.attributes or before.attributes,
        identifiers=question.identifiers or before.identifiers,
        entity=None if names else question.entity,
        personal=question.personal or before.personal,
    )
