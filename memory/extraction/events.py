"""Events with their dates, and plans with theirs: what happened when, and what is only meant to happen."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ..language.lexicon import of_relative
from ..language.times import TimeExpression, find_times
from ..records import Span
from .drafts import Draft, Modality
from .patterns import Rule, pattern, table
from .quoting import Quoted, moment
from .reading import Clause, Reading
from .subjects import resolve

_LONGEST = 120
_LONGEST_NAME = 8
_BEFORE_TIME = 4
_MOVED_TO = re.compile(r"(?:改|推迟|提前|延期?|挪|移)[到成为在]$")
_BEFORE_WHEN = re.compile(
    r"(?:(?:改|推迟|提前|延期?|挪|移|约|定|安排)[到成为在]|在|就|是|从|还|又|也|都|刚刚?|于|(?:已经?)?(?:定|暂定|预定|确定|计划|预计|安排|将|拟)(?=[于在]|$))+$"
)


def find_events(reading: Reading, stated: Sequence[Draft]) -> list[Draft]:
    """What happened at a time that the turn names, and what is intended or possible.

    Args:
        reading: the turn.
        stated: what its clauses state already.
    """
    found: list[Draft] = []
    taken = {draft.clause.span for draft in stated}
    for clause in reading.clauses:
        if clause.question or clause.reported or clause.span in taken:
            continue
        draft = _plan(clause, reading) or (None if clause.hypothetical else _event(clause, reading))
        if draft is not None and not _is_anothers(draft, clause, reading, [*stated, *found]):
            found.append(draft)
    return found


def _is_anothers(draft: Draft, clause: Clause, reading: Reading, told: Sequence[Draft]) -> bool:
    """Whether a Chinese clause that names nobody goes on about somebody else: 小何病了，周五去医院."""
    before = reading.folded[reading.sentences[clause.sentence].start : clause.span.start]
    if clause.language == "en" or draft.entity != reading.speaker or re.search("[我咱俺]", before + clause.text):
        return False
    own = [it for it in told if it.clause.sentence == clause.sentence and it.clause.span.start < clause.span.start]
    if own:
        return own[-1].entity not in {None, reading.speaker} or bool(of_relative(own[-1].attribute)[0])
    return bool(pattern("zh", "about_somebody").match(before))


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
    inside = reading.times_in(clause.span) or _frame(clause, reading)
    if not inside:
        return None
    return inside[-1] if len(inside) > 1 and inside[0].grain == "year" else inside[0]


def _frame(clause: Clause, reading: Reading) -> list[TimeExpression]:
    """The time that opens the sentence as a clause of its own: "Last week, I went to Rome"."""
    first = next(it for it in reading.clauses if it.sentence == clause.sentence)
    times = reading.times_in(first.span)
    before = first.text if first.language == "en" else pattern("zh", "lead").sub("", first.text, count=1)
    more = _BEFORE_TIME if first.language == "en" else 1
    alone = len(times) == 1 and len(times[0].text) + more >= len(before)
    return times if alone and first.span != clause.span else []


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
            r"\b(?:want|hop|would like|'d like|wanna|dream|aim|going to|gonna|looking to)|想|希望|期待|会",
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
    told = reading.told(clause)
    for rule in table("en", "events"):
        match = rule.search(told.text)
        if match is not None and (rule.get("tense") == "future") == ahead:
            draft = _draft(told, reading, match, rule, time)
            return replace(draft, clause=clause) if draft is not None else None
    return None


def _draft(
    clause: Clause, reading: Reading, match: re.Match[str], rule: Rule, time: TimeExpression | None
) -> Draft | None:
    entity, relation = _who(*_subject(match, clause, reading), clause, reading)
    value = _deed(clause.at(*match.span("value")), reading, time) if entity is not None else None
    if entity is None or value is None:
        return None
    negated = "negated" in match.re.groupindex and bool(match["negated"])
    possible = rule.get("modality") == "possible" or clause.hypothetical
    modality: Modality = "possible" if possible else "intended"
    planned = "modality" in rule.means
    return _placed(clause, entity, relation, value, time, reading, negated=negated, modality=modality, planned=planned)


def _subject(match: re.Match[str], clause: Clause, reading: Reading) -> tuple[str, int]:
    """Who does it, and where that stands; in Chinese also behind or before what only says when (房东下周想…)."""
    if clause.language == "en" or "when" not in match.re.groupindex:
        return match["subject"], match.start("subject")
    start, end = match.start("subject"), match.end("when")
    lead = pattern("zh", "unsaid_before_plan").match(clause.text, start, end)
    start = lead.end() if lead else start
    who = pattern("zh", "who_plans").match(clause.text, start, end)
    timed = who is None or any(map(clause.at(*who.span()).overlaps, (time.span for time in reading.times)))
    return ("", start) if who is None or timed else (who.group(), start)


def _who(text: str, start: int, clause: Clause, reading: Reading) -> tuple[str | None, str]:
    """Whom an event is about: the speaker, a relative of theirs, or somebody named."""
    bare = text.strip()
    if not bare:
        return (reading.speaker, "") if clause.language == "zh" else (None, "")
    lead = len(text) - len(text.lstrip())
    subject = resolve(bare, clause.at(start + lead, start + lead + len(bare)), reading)
    if subject is None or subject.attribute or subject.entity is None:
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
        " .。!！,，~-–—"
    )
    lead = len(kept) - len(kept.lstrip(" ,，"))
    span = Span(span.start + lead, span.start + len(kept))
    if not (1 < len(span.cut(reading.folded)) <= _LONGEST) or _is_empty(span.cut(reading.folded)):
        return None
    return Quoted(span, span.cut(reading.folded))


def _is_empty(text: str) -> bool:
    """A bare verb with a pronoun tells nothing that one could ask about ("did it", "got that")."""
    if not text.isascii():
        # 周一见吧 takes leave.
        return bool(pattern("zh", "leave").fullmatch(text))
    if pattern("en", "telling_verb").fullmatch(text):
        return False
    return bool(re.fullmatch(r"\w+(?: (?:it|that|this|them|you|so|up|out|back|there|here|well|together|along))*", text))


def _chinese_event(clause: Clause, reading: Reading, time: TimeExpression) -> Draft | None:
    """What a Chinese clause tells: 上周去了北京, 昨天我见了张伟, 张伟下周三去上海出差."""
    start, end = time.span.start - clause.span.start, time.span.end - clause.span.start
    between = pattern("zh", "after_time").match(clause.text, end)
    offset = between.end() if between else end
    if pattern("zh", "arranged").match(clause.text, offset) or _MOVED_TO.search(clause.text[:start]):
        time = _arranged(time, reading)
    elif pattern("zh", "deed").match(clause.text, offset) is None or _is_done_ahead(clause, offset, time, reading):
        return None
    before = pattern("zh", "lead").sub("", clause.text[:start], count=1)
    who = (between["who"] if between else None) or _BEFORE_WHEN.sub("", before)
    entity, relation = _who(who, clause.text.find(who), clause, reading)
    value = _deed(clause.at(offset, len(clause.text)), reading, None)
    if entity is None or value is None or len(who) > _LONGEST_NAME:
        return None
    negated = bool(re.match(r"没|不", clause.text[offset:]))
    return _placed(clause, entity, relation, value, time, reading, negated=negated, modality="intended")


def _arranged(time: TimeExpression, reading: Reading) -> TimeExpression:
    """The time of what was arranged (周三约了医生): it is to come, whatever is done already."""
    again = find_times(time.text, reading.turn.observed_at, reading.turn.time_zone)
    return replace(again[0], span=time.span) if len(again) == 1 else time


def _is_done_ahead(clause: Clause, offset: int, time: TimeExpression, reading: Reading) -> bool:
    """Whether it speaks of something done at a time to come, which is a misreading."""
    told = clause.text[offset:]
    done = (re.search(r"了|过", told) and not re.search(r"了[吧啊]?$", told)) or re.search("[^有]的$", told)
    return time.start > reading.turn.observed_at and bool(done)


def _placed(
    clause: Clause,
    entity: str,
    relation: str,
    value: Quoted,
    time: TimeExpression | None,
    reading: Reading,
    *,
    negated: bool,
    modality: Modality,
    planned: bool = False,
) -> Draft:
    """An event at its time: what lies behind is asserted and began then, what lies ahead or is planned is due."""
    now = reading.turn.observed_at
    ahead = time is None or time.start > now or modality == "possible" or (planned and time.end > now)
    return Draft(
        clause=clause,
        entity=entity,
        attribute=f"{relation}_event" if relation else "event",
        value=value,
        kind="event",
        polarity="negative" if negated else "positive",
        modality=modality if ahead else "asserted",
        valid_from=None if ahead or time is None else min(time.start, now),
        due_at=moment(time) if ahead else None,
    )
