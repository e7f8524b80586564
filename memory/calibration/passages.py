"""Passages: the sentences of recalled turns, with the items that each quotes and what disqualifies it as evidence."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..language.folding import fold
from ..language.guises import dictated, posing_in
from ..language.lexicon import FAVORITE, cue
from ..language.segmenting import is_verb
from ..language.sentences import clauses, sentences
from ..language.times import find_times
from ..language.tokens import stem, tokenize
from ..records import Item, Span, Turn
from . import wording
from .addresses import Address, pieces, told_at
from .asked import Question
from .coverage import NEAR, covers, prepare
from .landmarks import landmark_in
from .people import same_person
from .validity import Moment, concerns, is_own_instead, is_specific, related, spoken

_LONG = 200
"""A sentence of more characters is offered clause by clause as well."""
_TWO = 2
_OF_ANYBODY = frozenset({"who", "who_said", "list", "order", "why", "choice"})
"""Questions that somebody's doing answers, whoever they are."""
_FILLER_TOKENS = 6
_LIKINGS = frozenset({"likes", "dislikes"})
_TIMELESS = frozenset({"when", "why", "order"})
"""What these ask for may lie outside of the time that they name."""
_QUIET_ACTS = frozenset({"greeting", "leave", "acknowledgement"})
_ASKS = re.compile(r"[?？]\s*[\"'”’)）]*$")


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence or clause of a turn, offered as evidence."""

    turn: Turn
    span: Span
    items: tuple[Item, ...] = ()
    """Items quoted by it that hold at the time asked about; for a question about history, all of them."""
    closed: tuple[Item, ...] = ()
    """Items quoted by it that no longer, or not yet, hold."""

    @property
    def text(self) -> str:
        """The words of the passage, exactly as in the turn."""
        return self.span.cut(self.turn.text)

    @property
    def address(self) -> Address:
        """Where in a document what it says stands, as far as its turn tells."""
        return told_at(self.turn.text, self.span)


def passages(turn: Turn, items: Sequence[Item], moment: Moment, *, closed_too: bool) -> list[Passage]:
    """The sentences of a turn (the clauses of long ones), with the items that each quotes."""
    found = []
    for span in _units(turn.text):
        quoted = [item for item in items if item.quote_span.overlaps(span)]
        held = tuple(item for item in quoted if closed_too or moment.holds(item))
        found.append(Passage(turn, span, held, tuple(item for item in quoted if item not in held)))
    return found


def _units(text: str) -> Iterator[Span]:
    for sentence in (piece for whole in sentences(text) for piece in pieces(text, whole)):
        parts = clauses(text, sentence)
        if sentence.end - sentence.start <= _LONG or len(parts) < 2:
            yield sentence
        else:
            yield from parts


def is_interrogative(passage: Passage) -> bool:
    """Whether the passage only asks: it ends in a question mark, has a question's form, or its whole turn asks."""
    if _ASKS.search(passage.text) or wording.pattern("question_form").search(fold(passage.text)):
        return True
    unmarked = passage.turn.act == "question" and not _ASKS.search(passage.turn.text)
    return unmarked and passage.turn.language == "zh" and len(sentences(passage.turn.text)) == 1


def is_guess(passage: Passage) -> bool:
    """Whether the passage is only a hypothesis ("maybe it's the database")."""
    return bool(cue(passage.text, "hypothesis"))


def disqualified(question: Question, passage: Passage, neighbours: Mapping[int, Turn]) -> str:
    """Why the passage cannot be evidence for the question, as the name of a rule; empty if it can."""
    tests: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("source", lambda: _is_wrong_source(question, passage)),
        ("posing", lambda: _is_posing(passage)),
        ("small_talk", lambda: _is_small_talk(question, passage)),
        ("question", lambda: _is_wrong_form(question, passage)),
        ("superseded", lambda: not question.history and _is_superseded(question, passage)),
        ("guess", lambda: _is_corrected_guess(passage)),
        ("polarity", lambda: _is_opposite(question, passage)),
        ("attribution", lambda: not _is_about(question.subject, passage, neighbours)),
        ("attribution", lambda: _is_of_relatives(question, passage) or _is_anothers_deed(question, passage)),
        ("attribution", lambda: _is_of_another_relative(question, passage)),
        ("attribution", lambda: _is_anothers_thing(question, passage) or _is_speakers_thing(question, passage)),
        ("time", lambda: not in_time(question, passage) or _begins_there(question, passage)),
        ("identity", lambda: _is_about_another(question, passage) or _is_another_of_row(question, passage)),
        ("identity", lambda: question.address.is_elsewhere(passage.address)),
    )
    return next((name for name, applies in tests if applies()), "")


def _is_wrong_source(question: Question, passage: Passage) -> bool:
    """The assistant's words are evidence only of what the assistant said."""
    generated = passage.turn.source == "ai_generated"
    return question.asks != "who_said" and generated != question.about_assistant


def _is_posing(passage: Passage) -> bool:
    """What stands there as a section of a prompt, as a line of the records, or to be repeated, is nobody's word."""
    if any(map(passage.span.overlaps, posing_in(passage.turn))):
        return True
    told = [span for span in dictated(passage.turn.text) if span.overlaps(passage.span)]
    return any(all(item.value_span.overlaps(span) for item in passage.items) for span in told)


def _is_small_talk(question: Question, passage: Passage) -> bool:
    quiet = {*_QUIET_ACTS, "small_talk", "question"} if question.only_time else _QUIET_ACTS
    return not passage.items and (passage.turn.act in quiet or _is_filler(passage.text))


def _is_filler(text: str) -> bool:
    """Whether a sentence only greets, thanks or exclaims ("Thanks for asking!")."""
    short = len(tokenize(text)) <= _FILLER_TOKENS
    return short and (wording.pattern("filler").search(fold(text)) is not None or _greets(text))


def _greets(text: str) -> bool:
    return any(cue(text, kind) for kind in ("greeting", "leave"))


def _is_wrong_form(question: Question, passage: Passage) -> bool:
    """What only asks is evidence only of what was asked."""
    return passage.turn.source != "ai_generated" and is_interrogative(passage) != question.about_questions


def _is_opposite(question: Question, passage: Passage) -> bool:
    """For a question about likes: whether the passage is about dislikes, or the reverse."""
    if question.wants is None:
        return False
    polarities = {item.polarity for item in passage.items if item.attribute in _LIKINGS}
    if not polarities:
        denies = cue(passage.text, "negation") or wording.pattern("disliking").search(fold(passage.text))
        polarities = {"negative" if denies else "positive"}
    return question.wants not in polarities


def _is_superseded(question: Question, passage: Passage) -> bool:
    """Whether what the passage says about the question no longer holds, and nothing else that it says about it does."""
    if not passage.closed or any(concerns(question, item) for item in passage.items):
        return False
    bare = not (question.terms or question.attributes)
    outdated = (concerns(question, item) or _is_outdated(question, item) for item in passage.closed)
    return any(outdated) or (bare and not passage.items)


def _is_outdated(question: Question, item: Item) -> bool:
    """Whether a closed value is of the very attribute asked about, though of something more particular."""
    if item.attribute not in question.attributes or item.closed_by == "completion":
        return False
    return not question.names and not question.identifiers


def _is_corrected_guess(passage: Passage) -> bool:
    """A guess that the same turn takes back ("maybe it's X ... no, it was Y")."""
    if not is_guess(passage):
        return False
    after = passage.turn.text[passage.span.end :].strip()
    return bool(cue(after, "correction") or wording.pattern("settles").search(fold(after)))


def _is_of_relatives(question: Question, passage: Passage) -> bool:
    """Whether a passage tells only of relatives and friends what the question asks of the user ("where do I work?")."""
    if any(is_own_instead(question, item) for item in passage.items) and not any(
        concerns(question, item) for item in passage.items
    ):
        return True
    own = wording.words("of_people")
    personal = any(key.replace("_", " ") in own or key.startswith(FAVORITE) for key in question.attributes)
    if question.subject != "user" or question.asks in {"yes_no", "list"} or not personal:
        return False
    if passage.items and all(_is_anothers(question, item) for item in passage.items):
        return not question.names
    others = _relatives_in(passage)
    found = {other for other in others if other}
    asked = prepare(question.text)
    named = any(covers(asked, stem(word)) >= NEAR for other in found for word in other.split())
    return bool(found) and "" not in others and not named


def _is_anothers(question: Question, item: Item) -> bool:
    return item.attribute in question.attributes and is_specific(item.entity) and not related(item.entity, question)


def _is_anothers_deed(question: Question, passage: Passage) -> bool:
    """Whether somebody else does what the question asks of the user ("what do I want?", "Anna wants tea.")."""
    if question.subject != "user" or question.names or _kin(question.text):
        return False
    return all(_is_deed_of_another(question, clause) for clause in _clauses_on(question, passage))


def _clauses_on(question: Question, passage: Passage) -> list[str]:
    """The clauses of a passage that have words of the question; all of them where none has."""
    spans = clauses(passage.turn.text, passage.span)
    every = [span.cut(passage.turn.text) for span in spans]
    return [clause for clause in every if any(covers(prepare(clause), term) for term in question.terms)] or every


def _is_deed_of_another(question: Question, clause: str) -> bool:
    folded = fold(clause)
    relative = wording.pattern("of_relative").match(folded)
    if relative is not None:
        rest = folded[relative.end() :]
        told = prepare(rest)
        return not wording.pattern("first_person").search(rest) and any(covers(told, deed) for deed in _deeds(question))
    if wording.pattern("first_person").search(folded):
        return False
    match = wording.pattern("third_person_deed").match(clause)
    if match is None:
        return False
    asked = prepare(question.text)
    if match["verb"]:
        return stem(fold(match["verb"])) in asked.stems and covers(asked, stem(fold(match["name"]))) < NEAR
    return match["doer"] not in fold(question.text)


def _deeds(question: Question) -> list[str]:
    """What the question says that the user does: the verb behind "do I", Chinese verbs as the dictionary has them."""
    english = [stem(verb) for verb in wording.pattern("own_deed").findall(fold(question.text))]
    return [*english, *(term for term in question.terms if not term.isascii() and is_verb(term))]


def _is_anothers_thing(question: Question, passage: Passage) -> bool:
    """Whether somebody else has what the question asks of the user ("my number", "her new number is ...")."""
    folded = fold(passage.text)
    if question.subject != "user" or question.names or wording.pattern("ones_own").search(folded):
        return False
    things = wording.pattern("thing_of_another").finditer(folded)
    return any(
        stem(match["en"]) in question.terms if match["en"] else match["zh"] in question.terms for match in things
    )


def _is_speakers_thing(question: Question, passage: Passage) -> bool:
    """Whether the speaker has what the question asks of somebody else ("Gloria's fee", "my fee is ...")."""
    folded, others = fold(passage.text), [name for name in question.names if name == question.subject]
    if not others or any(name in folded or same_person(fold(passage.turn.speaker), name) for name in others):
        return False
    things = wording.pattern("thing_of_ones_own").finditer(folded)
    words = (stem(match["en"]) if match["en"] else match["zh"] for match in things)
    return any(covers(prepare(word), term) >= NEAR for word in words for term in question.terms)


def _is_of_another_relative(question: Question, passage: Passage) -> bool:
    """Whether a passage tells of one relative what the question asks of another: my mother's pills, my father's."""
    asked = _kin(question.text)
    if not asked or question.asks in _OF_ANYBODY:
        return False
    if wording.pattern("third_person").search(fold(passage.text)) or _kin(passage.turn.text) & asked:
        return False
    others = [other for other in _relatives_in(passage) if other]
    return bool(others) and not any(_is_same_kin(*pair) for pair in itertools.product(others, asked))


def _kin(text: str) -> frozenset[str]:
    """The relatives that a text names as somebody's."""
    found = wording.pattern("of_relative").finditer(fold(text))
    return frozenset(match["en"] or match["zh"] for match in found)


def _is_same_kin(one: str, other: str) -> bool:
    """Whether two words may stand for one relative: 妈 and 妈妈, mum and mother."""
    return one in other or other in one or covers(prepare(one), stem(other)) >= NEAR


def _relatives_in(passage: Passage) -> list[str]:
    """The relative or friend that each clause is about; a clause that names nobody goes on about the one before."""
    found = [""]
    for span in clauses(passage.turn.text, passage.span):
        clause = span.cut(passage.turn.text)
        own = wording.pattern("first_person").search(fold(clause))
        found.append(_relative_of(clause) or ("" if own else found[-1]))
    return found[1:]


def _relative_of(clause: str) -> str:
    """The relative or friend that a clause is about, as its words say; empty for any other clause."""
    parts = wording.pattern("of_relatives").split(fold(clause))
    subjects = [wording.pattern("of_relative").match(part) for part in parts]
    return " ".join(match.group("en") or match.group("zh") for match in subjects if match) if all(subjects) else ""


def _is_about(person: str | None, passage: Passage, neighbours: Mapping[int, Turn]) -> bool:
    """Whether a passage speaks of a person: by name, or in the words of a conversation in which they take part."""
    folded = fold(passage.text)
    if person is None or person == "user" or person in folded:
        return True
    speakers = {fold(turn.speaker) for turn in (*neighbours.values(), passage.turn)}
    if not any(same_person(speaker, person) for speaker in speakers):
        return True  # no speaker of that name: whether the passage is about them is a matter of coverage
    by_item = any(fold(item.entity) == person for item in passage.items)
    return by_item or _is_said_of(person, passage, folded, alone=len(speakers) <= _TWO)


def _is_said_of(person: str, passage: Passage, folded: str, *, alone: bool) -> bool:
    """Whether a speaker speaks of themselves, or the other of two people says "you" to them."""
    second = bool(wording.pattern("second_person").search(folded))
    first = bool(wording.pattern("first_person").search(folded))
    if same_person(fold(passage.turn.speaker), person):
        return first or not second
    return alone and second and not first


def in_time(question: Question, passage: Passage) -> bool:
    """Whether the passage belongs to the time asked about: said then, placed then, or due then."""
    start, end = question.time_from, question.time_to
    if start is None or end is None or question.as_of is not None or question.asks in _TIMELESS:
        return True
    if start <= passage.turn.observed_at < end or names_time(question, passage):
        return True
    if question.only_time:
        return not question.said and _is_placed(passage, start, end)
    # The value of a state is answered with its date, although it was not settled on the day that the question supposes.
    state = any(item.attribute in question.attributes for item in passage.items)
    return state or _is_placed(passage, start, end)


def _begins_there(question: Question, passage: Passage) -> bool:
    """Whether the passage tells what holds from the time on before which the question asks ("from April it is 660")."""
    landmark = landmark_in(question.text)
    if landmark is None or landmark.later or landmark.words not in question.time_words:
        return False
    start = wording.pattern("from_when").pattern.replace("TIME", re.escape(landmark.words))
    return bool(re.search(start, fold(passage.text)))


def names_time(question: Question, passage: Passage) -> bool:
    """Whether the passage has the very words of the question's time, whatever day they resolve to ("on Wednesday")."""
    folded = fold(passage.text)
    return any(words in folded for words in question.time_words)


def _is_placed(passage: Passage, start: datetime, end: datetime) -> bool:
    """Whether the turn tells of something in ``[start, end)``, or something is due then."""
    dated = [moment for item in passage.items for moment in (item.valid_from, item.due_at) if moment is not None]
    turn = passage.turn
    times = find_times(turn.text, turn.observed_at, turn.time_zone)
    return any(start <= moment < end for moment in dated) or any(t.start < end and start < t.end for t in times)


def _is_about_another(question: Question, passage: Passage) -> bool:
    """Whether all that the passage quotes belongs to another entity than the one asked about."""
    topic = (spoken(question.entity),) if question.entity else ()
    wanted = (*question.names, *question.owners, *topic)
    folded = fold(passage.turn.text)
    if not wanted or not passage.items or any(target in folded for target in wanted):
        return False
    return all(is_specific(item.entity) and not related(item.entity, question) for item in passage.items)


def _is_another_of_row(question: Question, passage: Passage) -> bool:
    """Whether the passage tells of another one of a row than the one asked about: the fifth tooth, not the sixth."""
    asked, told = _rows(question.text), _rows(passage.turn.text)
    return any(asked[thing].isdisjoint(told.get(thing, asked[thing])) for thing in asked)


def _rows(text: str) -> dict[str, set[str]]:
    """Which ones of a row a text names, by what is counted."""
    found: dict[str, set[str]] = {}
    for match in wording.pattern("place_in_row").finditer(fold(text)):
        thing = match["measure"] or stem(match["noun"])
        found.setdefault(thing, set()).add(match["zh"] or match["en"])
    return found
