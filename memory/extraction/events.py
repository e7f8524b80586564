"""Events with their dates, and plans with theirs: what happened when, and what is only meant to happen."""

import re
from dataclasses import replace
from datetime import datetime

from ..language.times import TimeExpression
from ..records import Polarity, Span
from .drafts import Draft
from .patterns import Rule, pattern, table
from .quoting import Quoted, clause_language, moment
from .reading import Clause, Reading
from .subjects import resolve

_LONGEST = 120


def find_events(reading: Reading, taken: set[Span]) -> list[Draft]:
    """What happened at a time that the turn names, and what is intended or possible.

    Args:
        reading: the turn.
        taken: spans of the clauses that state facts already.
    """
    found = []
    for clause in reading.clauses:
        if clause.question or clause.reported or clause.span in taken:
            continue
        draft = _plan(clause, reading) or (None if clause.hypothetical else _event(clause, reading))
        if draft is not None:
            found.append(draft)
    return found


def dated(draft: Draft, reading: Reading) -> Draft:
    """A fact that began at a time that its clause names ("moved to Berlin last month")."""
    if draft.value.time is not None or not draft.changes:
        return draft
    time = _time_of(draft.clause, reading)
    if time is None or time.start > reading.turn.observed_at or time.span.overlaps(draft.value.span):
        return draft
    return replace(draft, valid_from=time.start)


def _time_of(clause: Clause, reading: Reading) -> TimeExpression | None:
    """The time that a clause names, or else the only one that its sentence names."""
    inside = reading.times_in(clause.span)
    if inside:
        return inside[-1] if len(inside) > 1 and inside[0].grain == "year" else inside[0]
    return None


def _plan(clause: Clause, reading: Reading) -> Draft | None:
    for rule in table(clause.language, "plans"):
        match = rule.search(clause.text)
        if match is None:
            continue
        time = _time_of(clause, reading)
        conditional = pattern(clause.language, "conditional").match(
            reading.sentences[clause.sentence].cut(reading.folded)
        )
        wishes = re.search(
            r"\b(?:want|hop|would like|'d like|wanna|dream|aim|going to|gonna|looking to)|想|希望|期待",
            match.group()[: match.start("value")],
        )
        if conditional or (time is None and (wishes or rule.get("modality") == "possible")):
            return None
        if time is not None and time.end <= reading.turn.observed_at:
            return None
        return _draft(clause, reading, match, rule, time)
    return None


def _event(clause: Clause, reading: Reading) -> Draft | None:
    time = _time_of(clause, reading)
    if time is None:
        return None
    if clause.language == "zh":
        return _chinese_event(clause, reading, time)
    ahead = time.start > reading.turn.observed_at
    for rule in table("en", "events"):
        match = rule.search(clause.text)
        if match is not None and (rule.get("tense") == "future") == ahead:
            return _draft(clause, reading, match, rule, time)
    return None


def _draft(
    clause: Clause, reading: Reading, match: re.Match[str], rule: Rule, time: TimeExpression | None
) -> Draft | None:
    entity, relation = _who(match["subject"], match.start("subject"), clause, reading)
    if entity is None:
        return None
    value = _deed(clause.at(*match.span("value")), reading, time)
    if value is None:
        return None
    negated = "negated" in match.re.groupindex and bool(match["negated"])
    ahead = time is None or time.start > reading.turn.observed_at or bool(rule.means.get("modality"))
    return Draft(
        clause=clause,
        entity=entity,
        attribute=f"{relation}_event" if relation else "event",
        value=value,
        kind="event",
        polarity="negative" if negated else "positive",
        modality="possible"
        if rule.get("modality") == "possible" or clause.hypothetical
        else ("intended" if ahead else "asserted"),
        valid_from=None if ahead else _began(time, reading),
        due_at=moment(time) if ahead else None,
    )


def _began(time: TimeExpression | None, reading: Reading) -> datetime | None:
    return None if time is None else min(time.start, reading.turn.observed_at)


def _who(text: str, start: int, clause: Clause, reading: Reading) -> tuple[str | None, str]:
    """Whom an event is about: the speaker, a relative of theirs, or somebody named."""
    bare = text.strip()
    if not bare:
        return (reading.speaker, "") if clause.language == "zh" else (None, "")
    lead = len(text) - len(text.lstrip())
    subject = resolve(bare, clause.at(start + lead, start + lead + len(bare)), reading)
    if (
        subject is None
        or subject.attribute
        or subject.entity is None
        or subject.entity in {"他", "她", "它", "他们", "她们"}
    ):
        return None, ""
    return subject.entity, subject.relation


def _deed(span: Span, reading: Reading, time: TimeExpression | None) -> Quoted | None:
    """What was done, without when."""
    if time is not None and span.start < time.span.start < span.end:
        before = reading.folded[span.start : time.span.start]
        kept = pattern("both", "before_time").sub("", before)
        span = Span(span.start, span.start + len(kept))
    elif time is not None and time.span.start <= span.start < time.span.end:
        span = Span(time.span.end, span.end)
    text = span.cut(reading.folded)
    kept = re.split(r"\b(?:because|which|but|so that|so i|and it|and we|and i)\b|因为|所以|但是", text)[0].rstrip(
        " .。!！,，~"
    )
    lead = len(kept) - len(kept.lstrip(" ,，"))
    span = Span(span.start + lead, span.start + len(kept))
    if not (1 < len(span.cut(reading.folded)) <= _LONGEST) or _is_empty(span.cut(reading.folded)):
        return None
    return Quoted(span, span.cut(reading.folded))


def _is_empty(text: str) -> bool:
    """A bare verb with a pronoun tells nothing that one could ask about ("did it", "got that")."""
    if not text.isascii():
        return False
    if re.fullmatch(
        r"(?:travel|fly|leave|move|marry|retire|resign|quit|graduate|arrive|depart|return|relocate|emigrate|start)(?:ing|ling)?",
        text,
    ):
        return False
    return bool(re.fullmatch(r"\w+(?: (?:it|that|this|them|you|so|up|out|back|there|here|well|together|along))*", text))


def _chinese_event(clause: Clause, reading: Reading, time: TimeExpression) -> Draft | None:
    """What a Chinese clause tells: 上周去了北京, 昨天我见了张伟, 张伟下周三去上海出差."""
    start, end = time.span.start - clause.span.start, time.span.end - clause.span.start
    before = pattern("zh", "lead").sub("", clause.text[:start], count=1)
    after = clause.text[end:]
    me = re.match(
        r"[,，]?(?P<who>我们?|咱们?)?(?:在|就|又|还|才|也|都|刚|已经|终于|一起|一个人|和[^,，。去来到参]{1,6}(?=去|来|到|参)|跟[^,，。去来到参]{1,6}(?=去|来|到|参))*",
        after,
    )
    offset = end + (len(me.group()) if me else 0)
    deed = pattern("zh", "deed").match(clause.text, offset)
    if deed is None:
        return None
    who = (me["who"] if me and me["who"] else "") or re.sub(r"(?:在|就|是|从|还|又|也|都|刚刚?|于)+$", "", before)
    entity, relation = _who(who, clause.text.find(who), clause, reading)
    if entity is None or len(who) > 8:
        return None
    ahead = time.start > reading.turn.observed_at
    finished = re.search(r"了|过", clause.text[offset:])
    if ahead and finished and not re.search(r"了[吧啊]?$", clause.text):
        return None
    value = _deed(clause.at(offset, len(clause.text)), reading, None)
    if value is None or clause_language(reading, value.span) != "zh":
        return None
    negated: Polarity = "negative" if re.match(r"没|不", clause.text[offset:]) else "positive"
    return Draft(
        clause=clause,
        entity=entity,
        attribute=f"{relation}_event" if relation else "event",
        value=value,
        kind="event",
        polarity=negated,
        modality="intended" if ahead else "asserted",
        valid_from=None if ahead else _began(time, reading),
        due_at=moment(time) if ahead else None,
    )
