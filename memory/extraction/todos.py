"""Errands: what the speaker has to do or asks to be reminded of, one todo each, in the order of the text."""

import functools
import re
from collections.abc import Iterator

from ..language.tokens import content_stems
from ..records import Span
from .drafts import Draft
from .patterns import Rule, pattern, table
from .quoting import Quoted, moment
from .reading import Clause, Reading

_LONGEST = 160


def find_todos(reading: Reading, *, addressed: bool) -> list[Draft]:
    """The errands of a turn.

    Args:
        reading: the turn.
        addressed: whether the turn speaks to the assistant, so that an order given without further words is an errand.
    """
    found: list[Draft] = []
    bare: list[Draft] = []
    for clause in reading.clauses:
        if clause.hypothetical or clause.reported:
            continue
        cued = _cued(clause, reading, addressed=addressed)
        if cued:
            found += cued
            continue
        if clause.question:
            continue
        plain = list(_imperatives(clause, reading))
        follows = bool(found) and found[-1].clause.sentence == clause.sentence
        (found if follows else bare).extend(plain)
    if addressed and _is_list(bare, found):
        found += bare
    return sorted(found, key=lambda draft: draft.value.span)


def _is_list(bare: list[Draft], cued: list[Draft]) -> bool:
    """Whether orders without a cue are errands: several at once, or one with a time.

    A single one without a time ("translate this") asks the assistant for something here and now.
    """
    return len(bare) + len(cued) > 1 or any(draft.due_at is not None and not _is_outing(draft) for draft in bare)


def _is_outing(draft: Draft) -> bool:
    """Whether it is an outing ("next week to Shanghai on business"): said alone, that is a plan."""
    words = (
        draft.clause.text[draft.value.span.start - draft.clause.span.start :] if draft.clause.language == "zh" else ""
    )
    return bool(re.search(r"(?:^|[天周月日点午晚年号末]|下个?月)(?:去|参加|和|跟|见|开会)", words))


def _cued(clause: Clause, reading: Reading, *, addressed: bool) -> list[Draft]:
    for rule in table(clause.language, "todos"):
        match = rule.search(clause.text)
        if match is None or _is_elsewhere(rule, match, addressed=addressed):
            continue
        if clause.question and not rule.means.get("asks"):
            # "Can you remind me to ..." is an errand, "Why do I have to ..." is none.
            return []
        if pattern(clause.language, "asking").search(match["value"]):
            return []
        announced = pattern("both", "announced").match(match["value"])
        start = match.start("value") + (announced.end() if announced else 0)
        pieces = _pieces(clause, start, match.end("value"), reading)
        return [draft for span in pieces if (draft := _todo(span, clause, reading)) is not None]
    return []


def _is_elsewhere(rule: Rule, match: re.Match[str], *, addressed: bool) -> bool:
    """Whether the words are said to somebody else, or belong to a noun phrase ("the plan that we have to ...")."""
    noun = "late" in match.re.groupindex and re.search(r"[的是叫]", match["late"] or "")
    return bool(noun) or (bool(rule.means.get("other")) and not addressed)


def _imperatives(clause: Clause, reading: Reading) -> Iterator[Draft]:
    text, shift = _without_time_first(clause, reading)
    for rule in table(clause.language, "imperatives"):
        match = rule.search(text)
        if match is None:
            continue
        start = match.start("value") + shift
        if clause.language == "zh" and (
            re.search(r"[了过](?:[。!！]|$)|(?:很|非常|是|真)", text) or _narrates(clause, reading)
        ):
            return
        for span in _pieces(clause, start, match.end("value") + shift, reading):
            draft = _todo(span, clause, reading)
            if draft is not None:
                yield draft
        return


def _narrates(clause: Clause, reading: Reading) -> bool:
    """Whether the sentence told of something done before it comes to the clause: 先去了银行, 然后去超市."""
    begins = reading.sentences[clause.sentence].start
    return bool(re.search(r"(?:去|来|到|买|吃|看|做|见|办|开|打|完)了", reading.folded[begins : clause.span.start]))


def _without_time_first(clause: Clause, reading: Reading) -> tuple[str, int]:
    """A clause without the time that it begins with: 下午3点给客户打电话."""
    for time in reading.times_in(clause.span):
        start, end = time.span.start - clause.span.start, time.span.end - clause.span.start
        head = pattern("both", "errand_lead").sub("", clause.text[:start])
        if not head:
            kept = re.match(r"[\s,，]*(?:前|之前|以前|我们?|我要|需要|要|得)*[\s,，]*", clause.text[end:])
            return clause.text[end + (len(kept.group()) if kept else 0) :], end + (len(kept.group()) if kept else 0)
    return clause.text, 0


@functools.cache
def _joint() -> re.Pattern[str]:
    verb = pattern("en", "imperative").pattern
    return re.compile(rf"\s*(?:,|;|\band then\b|\band\b|\bthen\b)+\s*(?:and |then |also )*(?=(?:{verb})\b)")


@functools.cache
def _chinese_joint() -> re.Pattern[str]:
    verb = pattern("zh", "verb").pattern
    return re.compile(rf"、(?=(?:{verb}))|(?:然后|接着|并且)(?=\S)")


def _pieces(clause: Clause, start: int, end: int, reading: Reading) -> list[Span]:
    """The errands that one clause joins: "call the client and send the minutes"."""
    if clause.language == "zh":
        cuts = [match.span() for match in _chinese_joint().finditer(clause.text[start:end])]
    else:
        cuts = [match.span() for match in _joint().finditer(clause.text[start:end]) if match.start() > 0]
    edges = [0, *(it for cut in cuts for it in cut), end - start]
    return [clause.at(start + a, start + b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]


def _todo(span: Span, clause: Clause, reading: Reading) -> Draft | None:
    span = _whole(span, clause, reading)
    text = span.cut(reading.folded)
    if not (1 < len(text) <= _LONGEST) or _is_talk(text, clause):
        return None
    time = next(iter(reading.times_in(clause.span if len(reading.times_in(clause.span)) == 1 else span)), None)
    due = moment(time)
    if due is not None and time is not None and time.end <= reading.turn.observed_at:
        due = None
    topic = "_".join(content_stems(text)[:3]) or "todo"
    return Draft(clause, reading.speaker, topic, Quoted(span, " ".join(text.split())), kind="todo", due_at=due)


def _whole(span: Span, clause: Clause, reading: Reading) -> Span:
    """The errand with the time in front of it, and without the marks around it."""
    start, end = span
    for time in reading.times_in(clause.span):
        between = reading.folded[time.span.end : start]
        if (
            time.span.end <= start
            and re.fullmatch(r"[\s,，]*(?:前|之前|以前|我们?|要|得|需要|记得|提醒我|别忘了?|请|帮我)*[\s,，]*", between)
            and (not re.search(r"[我要得记提别请帮]", between))
        ):
            start = time.span.start
    text = reading.folded[start:end].rstrip(" .。!！,，;；~吧哦啊哈")
    text = re.sub(r"\s+(?:please|thanks|thank you|ok|okay)$", "", text)
    return Span(start, start + len(text))


def _is_talk(text: str, clause: Clause) -> bool:
    """Ways of speaking that look like errands ("I have to say", "need to go")."""
    if clause.language == "zh" and pattern("zh", "who_comes").fullmatch(text):
        # 修锅炉的师傅周一来 says who comes.
        return True
    return len(text) < 2 or bool(pattern(clause.language, "no_errand").match(text))
