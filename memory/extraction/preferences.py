"""Likes and dislikes, acceptance and refusal, with their polarity.

A verb has a polarity of its own, and every negation before it turns it over: 不是不喜欢 and "I don't dislike" are
positive.
"""

import re
from dataclasses import replace

from ..records import Polarity, Span
from .drafts import Draft, with_value
from .patterns import Rule, mapping, pattern, table, words
from .quoting import Quoted, quote, split
from .reading import Clause, Reading
from .subjects import Subject, named, resolve

_POLARITIES: tuple[Polarity, Polarity] = ("positive", "negative")


def find_preferences(reading: Reading) -> list[Draft]:
    """What the speaker, or somebody they tell of, likes, dislikes, accepts or refuses."""
    found: list[Draft] = []
    subject: Subject | None = None
    sentence = -1
    for clause in reading.clauses:
        if clause.sentence != sentence:
            sentence, subject = clause.sentence, None
        if not clause.asserts:
            continue
        drafts = _first_reading(clause, reading, subject)
        if drafts:
            subject = _subject_of(drafts[0])
            found += drafts
            continue
        subject = _named_first(clause, reading) or subject
        if found and found[-1].clause.sentence == clause.sentence:
            found += _continued(found[-1], clause, reading)
    return found


def _first_reading(clause: Clause, reading: Reading, before: Subject | None) -> list[Draft]:
    for rule in table(clause.language, "preferences"):
        match = rule.search(clause.text)
        drafts = _read(rule, match, clause, reading, before) if match else []
        if drafts:
            return drafts
    return []


def _subject_of(draft: Draft) -> Subject:
    """Whom a statement is about, for the clauses after it."""
    relation = draft.attribute.removesuffix("likes").removesuffix("stance").rstrip("_")
    return Subject(draft.entity, relation=relation)


def _read(rule: Rule, match: re.Match[str], clause: Clause, reading: Reading, before: Subject | None) -> list[Draft]:
    subject = Subject(reading.speaker) if rule.means.get("me") else _subject(rule, match, clause, reading, before)
    if subject is None or subject.attribute or not _holds(match, clause, subject, reading):
        return []
    reaction = bool(rule.means.get("third") or rule.means.get("stance"))
    value = quote(reading, clause, match.start("value"), match.end("value"), "stance" if reaction else "thing")
    if value is None or _is_about_you(value, reading):
        return []
    draft = Draft(
        clause=clause,
        entity=subject.entity,
        attribute=subject.key(_attribute(rule, subject, reading)),
        value=value,
        polarity=_polarity(rule, match, clause),
    )
    return [with_value(draft, member) for member in split(reading, value)]


def _attribute(rule: Rule, subject: Subject, reading: Reading) -> str:
    """One's own interest is a liking; what others think of an offer is their stance."""
    if not rule.means.get("stance"):
        return rule.get("attribute")
    return "likes" if subject.entity == reading.speaker or subject.relation else "stance"


def _holds(match: re.Match[str], clause: Clause, subject: Subject, reading: Reading) -> bool:
    if clause.language == "zh":
        return pattern("zh", "past").search(clause.text[: match.start("value")]) is None
    return _agrees(match, subject, reading)


def _agrees(match: re.Match[str], subject: Subject, reading: Reading) -> bool:
    """Whether verb and subject go together: "Anna like" and "it is like" are no preferences ("Sounds like fun!")."""
    if "word" not in match.re.groupindex:
        return True
    word, before = match["word"], match["before"] or ""
    singular = subject.entity != reading.speaker or bool(subject.relation)
    if (
        singular
        and word in words("en", "base_forms")
        and not re.search(r"do|did|ca|could|wo|would|to\b|stop|ceas", before)
    ):
        return False
    return not (word in {"like", "likes"} and re.search(r"'s|'m|'re|\b(?:is|am|are)\b", before))


def _subject(
    rule: Rule, match: re.Match[str], clause: Clause, reading: Reading, before: Subject | None
) -> Subject | None:
    third = bool(rule.means.get("third"))
    text = match["subject"].strip()
    if not text or pattern("en", "auxiliaries").fullmatch(text):
        omitted = clause.language == "zh" and not third
        return before or (Subject(reading.speaker) if omitted else None)
    party = re.sub(r"^(?:the|our|my) ", "", text)
    if third and pattern("en", "party").fullmatch(party):
        return Subject(party)
    start = match.start("subject") + match["subject"].index(text)
    subject = resolve(text, clause.at(start, start + len(text)), reading)
    if subject is None or (subject.entity is None and not subject.attribute and not subject.relation):
        return None
    nameless = subject.attribute and subject.entity is None and (third or clause.language == "zh")
    return Subject(named(subject.phrase or text)) if nameless else subject


def _polarity(rule: Rule, match: re.Match[str], clause: Clause) -> Polarity:
    if rule.means.get("fixed"):
        return "negative" if rule.get("polarity") == "negative" else "positive"
    word = match["word"]
    base = mapping(clause.language, "polarity").get(word) == "negative"
    start = match.end("subject") if clause.language == "zh" else _start(match)
    turns = len(pattern(clause.language, "negations").findall(clause.text[start : match.start("word")]))
    if word in {"stand", "bear"}:
        # "can't stand" is one dislike, not the negation of a dislike.
        turns += 1
    return _POLARITIES[(int(base) + turns) % 2]


def _start(match: re.Match[str]) -> int:
    """Where negations begin to count: at "not that", else at the subject."""
    doubled = "double" in match.re.groupindex and match["double"]
    if doubled:
        return match.start("double")
    return match.start("subject") if "subject" in match.re.groupindex else 0


def _is_about_you(value: Quoted, reading: Reading) -> bool:
    text = value.span.cut(reading.folded)
    return bool(re.match(r"(?:to |your |being |the way )|(?:你|您)", text)) or text in {"it", "that", "this"}


def _named_first(clause: Clause, reading: Reading) -> Subject | None:
    """The subject of a clause that says nothing of likes, for those after it: 我叫张三，喜欢跑步."""
    if clause.language != "zh":
        return None
    mine = re.match(r"(?:我们?|咱们?)(?![的们])", clause.text)
    return Subject(reading.speaker) if mine else None


def _continued(draft: Draft, clause: Clause, reading: Reading) -> list[Draft]:
    """The members of a list that goes on after a comma: "I like apples, pears, and plums"."""
    text = re.sub(r"^(?:and|or|as well as|以及|还有|和)\s*", "", clause.text)
    words = text.split()
    plain = len(words) <= 2 if clause.language == "en" else len(text) <= 4
    if not plain or draft.clause.span.end + 3 < clause.span.start or draft.attribute not in {"likes", "stance"}:
        return []
    if pattern("both", "no_member").search(text) or reading.times_in(clause.span):
        return []
    start = len(clause.text) - len(text)
    value = quote(reading, clause, start, len(clause.text), "thing")
    if value is None:
        return []
    longer = replace(draft.clause, span=Span(draft.clause.span.start, clause.span.end))
    return [replace(draft, clause=longer, value=value)]
