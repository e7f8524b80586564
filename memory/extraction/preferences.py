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
        for rule in table(clause.language, "preferences"):
            match = rule.search(clause.text)
            drafts, spoken_of = _read(rule, match, clause, reading, subject) if match else ([], None)
            if drafts:
                subject = spoken_of
                found += drafts
                break
        else:
            subject = _named_first(clause, reading) or subject
            if found and found[-1].clause.sentence == clause.sentence:
                found += _continued(found[-1], clause, reading)
    return found


def _read(
    rule: Rule, match: re.Match[str], clause: Clause, reading: Reading, before: Subject | None
) -> tuple[list[Draft], Subject | None]:
    subject = Subject(reading.speaker) if rule.means.get("me") else _subject(rule, match, clause, reading, before)
    if subject is None or subject.attribute or (subject.entity is None and not subject.relation):
        return [], None
    if clause.language == "en" and not _agrees(match, subject, reading):
        return [], None
    check = "stance" if rule.means.get("third") or rule.means.get("stance") else "thing"
    value = quote(reading, clause, match.start("value"), match.end("value"), check)
    if value is None or _is_about_you(value, reading):
        return [], None
    if clause.language == "zh" and pattern("zh", "past").search(clause.text[: match.start("value")]):
        return [], None
    own = rule.means.get("stance") and (subject.entity == reading.speaker or subject.relation)
    attribute = "likes" if own else ("stance" if rule.means.get("stance") else rule.get("attribute"))
    draft = Draft(
        clause=clause,
        entity=subject.entity,
        attribute=subject.key(attribute),
        value=value,
        polarity=_polarity(rule, match, clause),
    )
    return [with_value(draft, member) for member in split(reading, value)], subject


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
    text = match["subject"]
    if not text.strip() or pattern("en", "auxiliaries").fullmatch(text):
        omitted = clause.language == "zh" and not rule.means.get("third")
        return before or (Subject(reading.speaker) if omitted else None)
    start = match.start("subject") + len(text) - len(text.lstrip())
    text = text.strip()
    span = clause.at(start, start + len(text))
    if rule.means.get("third"):
        if text in {"i", "we", "我", "我们", "you", "你", "您"}:
            return Subject(reading.speaker) if text in {"i", "we", "我", "我们"} else None
        stripped = re.sub(r"^(?:the|our|my) ", "", text)
        if pattern("en", "party").fullmatch(stripped):
            return Subject(stripped)
    subject = resolve(text, span, reading)
    if subject is not None and subject.attribute and subject.entity is None and rule.means.get("third"):
        return Subject(named(subject.phrase or text))
    if subject is not None and subject.attribute and subject.entity is None and clause.language == "zh":
        return Subject(named(text))
    return subject


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
    if re.search(
        r"\b(?:i|you|it|that|so|too|yes|no|right|is|are|was|am|not|though|really|now|thanks|please|honestly|actually|anymore|haha|lol)\b|[的了吗吧呢你我他她是]",
        text,
    ):
        return []
    start = len(clause.text) - len(text)
    value = quote(reading, clause, start, len(clause.text), "thing")
    if value is None:
        return []
    longer = replace(draft.clause, span=Span(draft.clause.span.start, clause.span.end))
    return [replace(draft, clause=longer, value=value)]
