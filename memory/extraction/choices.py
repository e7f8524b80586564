"""Options with what they cost, and what was decided."""

import re

from ..language.lexicon import cue
from ..language.values import Value
from ..records import Span
from .drafts import Draft
from .patterns import pattern, table
from .quoting import Quoted, quote, split
from .reading import Clause, Reading

_LONGEST = 120
_BARE = frozenset({"number", "percent"})
_LINK = 16
"""Bytes of what may join an option and its price, such as "would cost us"."""


def find_options(reading: Reading) -> list[Draft]:
    """Options that are described with a price or another value, and enumerations of options."""
    found = []
    for clause in reading.clauses:
        if clause.question or clause.reported or clause.hypothetical:
            continue
        priced = _priced(clause, reading)
        found += [priced] if priced else _listed(clause, reading)
    return found


def _priced(clause: Clause, reading: Reading) -> Draft | None:
    for rule in table(clause.language, "options"):
        match = rule.search(clause.text)
        if match is None:
            continue
        rest = clause.at(*match.span("rest"))
        values = [it for it in reading.values_in(rest) if it.kind == "amount" or _is_near(it, rest, reading)]
        if not values:
            continue
        value = values[-1]
        option = re.sub(
            r"^(?:the )|\s+", lambda it: "" if it.group().startswith("the") else " ", match["option"]
        ).strip()
        entity = re.sub(r"(?<=[\u3400-\u9fff]) | (?=[\u3400-\u9fff])", "", option)
        quoted = Quoted(value.span, value.normal, value.kind, value.unit)
        return Draft(clause, entity, "price", quoted, kind="choice", functional=True, changes=bool(_changes(clause)))
    return None


def _is_near(value: Value, rest: Span, reading: Reading) -> bool:
    """Whether a bare number stands right behind the option ("plan A is 300"), not in "was discussed in meeting 3"."""
    link = reading.folded[rest.start : value.span.start]
    return value.kind in _BARE and len(link.encode()) <= _LINK


def _changes(clause: Clause) -> bool:
    return bool(pattern(clause.language, "change_words").search(clause.text))


def _listed(clause: Clause, reading: Reading) -> list[Draft]:
    sentence = reading.sentences[clause.sentence]
    text = sentence.cut(reading.folded)
    for rule in table(clause.language, "option_lists"):
        match = rule.search(text)
        if match is None or not clause.span.start <= sentence.start + match.start() < clause.span.end:
            continue
        whole = Clause(text, sentence, clause.sentence, clause.language, question=False, hypothetical=False)
        value = quote(reading, whole, match.start("value"), match.end("value"), "loose")
        members = split(reading, value) if value else []
        if len(members) > 1:
            return [Draft(whole, reading.speaker, "option", member, kind="choice") for member in members]
    return []


def find_decisions(reading: Reading) -> list[Draft]:
    """What was decided, in the words in which it was decided."""
    found = []
    for clause in reading.clauses:
        if not clause.asserts or not _is_decided(clause):
            continue
        for rule in table(clause.language, "decisions"):
            match = rule.search(clause.text)
            if match is None:
                continue
            draft = _decision(match, clause, reading)
            if draft is not None:
                found.append(draft)
                break
    return found


def _is_decided(clause: Clause) -> bool:
    if pattern("both", "undecided").search(clause.text):
        return False
    return bool(cue(clause.text, "decision") or pattern("both", "deciding").search(clause.text))


def _decision(match: re.Match[str], clause: Clause, reading: Reading) -> Draft | None:
    start, end = match.span("value")
    span = clause.at(start, end)
    text = span.cut(reading.folded).strip()
    if not (0 < len(text) <= _LONGEST) or re.match(
        r"(?:it|that|this|them|him|her|yes|no|so|too|to|with you|here|there|you|吗|了|这个|那个|它)(?:\W|$)", text
    ):
        return None
    lead = len(span.cut(reading.folded)) - len(span.cut(reading.folded).lstrip())
    # What was done besides is no part of what was decided ("against the movers and rented a van").
    text = pattern("en", "done_besides").split(text)[0].rstrip(" .。!！,，吧了")
    span = Span(span.start + lead, span.start + lead + len(text))
    negative = bool(re.match(r"(?:not to|against|不|取消|放弃)", text))
    return Draft(
        clause,
        reading.speaker,
        "decision",
        Quoted(span, " ".join(span.cut(reading.folded).split())),
        kind="decision",
        polarity="negative" if negative else "positive",
    )
