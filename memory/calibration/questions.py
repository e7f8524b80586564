"""Understanding a question without a model: what it asks for, about whom, and which words must be found again."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal, get_args

from ..language.folding import fold
from ..language.lexicon import cue, find_attributes
from ..language.talk import is_talk, lines_of
from ..language.times import find_times
from ..language.values import Value, find_values
from ..records import ItemKind, Language, Span
from . import parsing, wording
from .addresses import address_of, address_spans, without_frame
from .asked import STORY, Asks, Listed, Question, Topic
from .follow_ups import resolve
from .people import same_person

__all__ = ["STORY", "Asks", "Listed", "Question", "Topic", "analyse"]

_TICK = timedelta(microseconds=1)
_WRITTEN_IN_HASTE = re.compile(r"\b([Ww]hat|[Ww]here|[Ww]ho|[Ww]hen|[Hh]ow)s\b")
"""whats, wheres: the question word with an apostrophe left out."""
_STATES = frozenset({"value", "who", "where", "how_much", "how_many", "yes_no", "choice"})
_BY_KIND = {
    "when": "time",
    "where": "place",
    "how_much": "amount",
    "how_many": "number",
    "who": "person",
    "more": "amount",
    "less": "amount",
}


def analyse(text: str, language: Language, now: datetime, time_zone: str, topic: Topic | None = None) -> Question:
    """Understand a question by the wording of both languages; what points back is resolved by the topic.

    Args:
        text: The question, as asked.
        language: The language to answer in.
        now: When it is asked; relative times are resolved against it.
        time_zone: IANA name of the asker's zone.
        topic: The conversation so far.
    """
    known = topic or Topic()
    text = _WRITTEN_IN_HASTE.sub(r"\1's", text)

    def read(one: str) -> Question:
        return _read(one, language, now, time_zone, (*known.known, *known.speakers))

    if is_talk(text):
        last = resolve(read(lines_of(text)[-1]), known, read)
        # Its times are those of what is talked about, not of what is looked for.
        return replace(last, text=text, talk=True, time_from=None, time_to=None, as_of=None, history=False)
    question = resolve(read(text), known, read)
    return replace(question, speaker=_speaker(question, known))


def _speaker(question: Question, topic: Topic) -> str | None:
    """The speaker whom the question names first."""
    speakers = [fold(speaker) for speaker in topic.speakers]
    return next((name for name in question.names if any(same_person(one, name) for one in speakers)), None)


def _read(text: str, language: Language, now: datetime, time_zone: str, known: Sequence[str]) -> Question:
    """Understand a question by itself."""
    core = parsing.strip_openings(fold(text))
    times = find_times(text, now, time_zone)
    spans = [time.span for time in times]
    question = Question(
        text=text,
        language=language,
        asks=_asks(core),
        asked_at=now,
        time_zone=time_zone,
        time_words=tuple(fold(time.text) for time in times if any(map(str.isalnum, time.text))),
        time_from=min((time.start for time in times), default=None),
        time_to=max((time.end for time in times), default=None),
        kinds=_kinds(core),
    )
    question = _with_marks(_with_content(question, core, known, spans), core)
    return replace(question, as_of=_as_of(question, explicit=_has("as_of", core)))


def _with_content(question: Question, core: str, known: Sequence[str], times: Sequence[Span]) -> Question:
    """Add names, identifiers, content words and attributes."""
    text, asks = question.text, question.asks
    place, read = address_of(text), [*times, *address_spans(text)]
    values = [value for value in find_values(text) if not any(value.span.overlaps(span) for span in read)]
    named = parsing.names(text, known, read)
    words, owners = parsing.terms(text, core, [*read, *(one.span for one in values), *(span for _, span in named)])
    if place:
        words, owners = (*without_frame(words), *sorted(place.fields)), tuple(without_frame(owners))
    numbers = _numbers(asks, [value for value in values if not parsing.only_points(text, value.span)])
    terms = tuple(dict.fromkeys((*_without_agenda(asks, words, timed=bool(times)), *numbers)))
    expects = _expects(asks, core)
    question = replace(
        question,
        expects=expects,
        terms=terms,
        owners=owners,
        attributes=_attributes(text, core, asks if terms else "value", expects),
        identifiers=tuple(sorted(place.documents, key=fold(text).find)),
        pages=tuple(sorted(place.pages)),
        fields=tuple(sorted(place.fields)),
    )
    return _with_names(question, tuple(dict.fromkeys(name for name, _ in named)))


def _with_names(question: Question, names: tuple[str, ...]) -> Question:
    """Several names in a question that compares or chooses are options; else all of them are meant."""
    if question.asks in {"choice", "more", "less"} and len(names) > 1:
        return replace(question, options=names)
    return replace(question, names=names)


def _without_agenda(asks: Asks, words: Sequence[str], *, timed: bool) -> list[str]:
    """With a time, words such as "plans" only say that all of it is meant."""
    frames = wording.words("agenda") if timed and asks in {"value", "list"} else frozenset()
    return [word for word in words if word not in frames]


def _numbers(asks: Asks, values: Sequence[Value]) -> tuple[str, ...]:
    """The numbers of a question as terms; a yes/no question may be answered by another number."""
    return () if asks == "yes_no" else tuple(f"#{v.normal}" for v in values if v.kind in parsing.NUMERIC)


def _with_marks(question: Question, core: str) -> Question:
    """Add what single cues of the wording tell."""
    own, done = _has("self", core), _has("done", core)
    of_done: tuple[ItemKind, ...] = ("todo",) if done and not (question.terms or question.names) else ()
    question = replace(
        question,
        kinds=question.kinds or of_done,
        subject="user" if own else next(iter(question.names), None),
        wants=_wants(question, core),
        history=_has("history", core) and not _has("said_before", core),
        about_assistant=_has("about_assistant", core),
        about_agent=_has("about_agent", core),
        about_questions=_has("about_questions", core),
        said=_has("said", core),
        decided=_has("decided", core),
        just_now=_has("just_now", core),
        done=done,
        fragment=parsing.is_fragment(core),
        general=_is_general(core, personal=own or _has("shared", core)),
    )
    place = parsing.ordinal(core) if question.asks not in {"who_said", "command"} else None
    return question if place is None else replace(question, asks="ordinal", ordinal=place, terms=())


def _has(name: str, core: str) -> bool:
    return bool(wording.pattern(name).search(core))


def _is_general(core: str, *, personal: bool) -> bool:
    return _has("general", core) and (_has("how_to", core) or not personal)


def _kinds(core: str) -> tuple[ItemKind, ...]:
    found = {key for key, rule in wording.table("kinds") if rule.search(core)}
    return tuple(kind for kind in get_args(ItemKind) if kind in found)


def _wants(question: Question, core: str) -> Literal["positive", "negative"] | None:
    """Which polarity of likes the question is after; a yes/no question takes either."""
    if question.asks == "yes_no" or not (_has("liking", core) or _has("disliking", core)):
        return None
    return "negative" if _has("disliking", core) or cue(core, "negation") else "positive"


def _as_of(question: Question, *, explicit: bool) -> datetime | None:
    """The moment whose state is asked for: "as of March", or a past time with the attribute of a state."""
    if question.time_to is None or question.only_time:
        return None
    state = question.asks in _STATES and bool(question.attributes) and not (question.said or question.decided)
    if not explicit and not (state and question.time_to <= question.asked_at):
        return None
    return min(question.time_to, question.asked_at) - _TICK


def _attributes(text: str, core: str, asks: str, expects: str | None) -> tuple[str, ...]:
    """The attributes that a question names, by a noun or by a verb."""
    by_verb = [key for key, rule in wording.table("attribute_verbs") if rule.search(core)]
    implied = ["name"] if expects == "name" else []
    implied += ["reason"] if asks == "why" else []
    named = [mention.key for mention in find_attributes(text)]
    if expects == "place":
        named = [wording.place_of(key) for key in named]
    return tuple(dict.fromkeys((*named, *by_verb, *implied)))


def _asks(core: str) -> Asks:
    kind = next((kind for kind, rule in wording.asks() if rule.search(core)), "value")
    return next(one for one in get_args(Asks) if one == kind)


def _expects(asks: Asks, core: str) -> str | None:
    """The kind of value that the kind of question, or else a word in it, calls for."""
    if asks in _BY_KIND:
        return _BY_KIND[asks]
    if asks in {"value", "choice", "list"} and not _has("opinion", core):
        named = next((kind for kind, rule in wording.table("expects") if rule.search(core)), None)
        return None if asks == "list" and named != "place" else named
    return None
