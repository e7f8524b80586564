"""Changes that leave the attribute unsaid: "Forget blue, red is my favourite now", 改用 MySQL 了, "no, it is 52,000".

A pattern only proposes; the change is believed where exactly one live item is found that it can mean: one whose old
value is quoted, one of an attribute that is named, one of the exchange just before, or one of the same class of words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..language.lexicon import of_relative
from ..records import Item, Language, Proposal, Span
from .drafts import Draft, Modality, propose
from .lookups import Lookups, class_of
from .patterns import pattern, table
from .quoting import Quoted, ahead, classes, quote
from .reading import Clause, Reading, patterned
from .subjects import is_known
from .targets import Change, find_target
from .updates import corrects

_SHORT = 60
"""Characters up to which a sentence may announce the next one."""
_FREE = "color"
"""The class whose words replace each other without a word that says so; a second database may be one more."""
_MOST_MEMBERS = 3


def find_implied(reading: Reading, lookups: Lookups, stated: Sequence[Draft]) -> tuple[list[Proposal], set[int]]:
    """Changes of live items, or of what the turn itself said before.

    Returns:
        The proposals, and the indexes of the drafts in ``stated`` that the turn takes back.
    """
    found: list[Proposal] = []
    withdrawn: set[int] = set()
    for index in range(len(reading.sentences)):
        sentence = _sentence(reading, index)
        change = _first_change(sentence, reading, lookups, stated) if sentence is not None else None
        if change is not None:
            proposal, replaced = change
            found.append(proposal)
            withdrawn |= {i for i, draft in enumerate(stated) if draft is replaced or _is_weaker(draft, proposal)}
    return found, withdrawn


def _first_change(
    sentence: Clause, reading: Reading, lookups: Lookups, stated: Sequence[Draft]
) -> tuple[Proposal, Draft | None] | None:
    """The first reading of a sentence as a change that holds, with the draft of the same turn that it replaces."""
    for new, old in _readings(sentence, reading):
        before = [draft for draft in stated if draft.clause.span.end <= new.span.start]
        if _contradicts(new, stated):
            continue
        change = _change(sentence, new, old, lookups, before)
        if change is not None and not _is_stated(change[0], stated, sentence):
            return change
    return None


def _contradicts(new: Quoted, stated: Sequence[Draft]) -> bool:
    """Whether a statement reads the same words otherwise: denies them, or takes more or fewer of them for its value."""
    return any(
        draft.kind == "fact"
        and draft.value.span.overlaps(new.span)
        and (draft.polarity == "negative" or draft.value.span != new.span)
        for draft in stated
    )


def _is_weaker(draft: Draft, change: Proposal) -> bool:
    """Whether a draft takes for a liking, or for something unheard of, what is a change of something known."""
    vague = draft.attribute == "likes" or not is_known(of_relative(draft.attribute)[1])
    return vague and draft.value.span == change.value_span and draft.attribute != change.attribute


def _is_stated(proposal: Proposal, stated: Sequence[Draft], sentence: Clause) -> bool:
    """Whether a fact that the sentence states in so many words says the same already."""
    return any(
        draft.clause.sentence == sentence.sentence
        and (draft.attribute == proposal.attribute or _is_surer(draft, proposal))
        and (draft.value.span == proposal.value_span or draft.value.normal == proposal.normal)
        for draft in stated
    )


def _is_surer(draft: Draft, change: Proposal) -> bool:
    """Whether a known attribute is stated by name, where the change would only be one of something just spoken of."""
    return draft.kind == "fact" and not _is_weaker(draft, change) and not class_of(change.normal)


def _sentence(reading: Reading, index: int) -> Clause | None:
    """A whole sentence as one clause, if it changes or corrects something and does not ask or suppose."""
    clauses = [clause for clause in reading.clauses if clause.sentence == index]
    if not clauses or any(clause.question for clause in clauses) or all(clause.reported for clause in clauses):
        return None
    language = clauses[0].language
    span = reading.sentences[index]
    text = span.cut(reading.folded)
    if any(pattern(language, name).match(text) for name in ("conditional", "proposed")) or not (
        _turns(text, language) or _follows_a_turn(reading, index, language)
    ):
        return None
    return Clause(patterned(text, language), span, index, language, question=False, hypothetical=False)


def _turns(text: str, language: Language) -> bool:
    return any(pattern(language, name).search(text) for name in ("change_words", "correction_words"))


def _follows_a_turn(reading: Reading, index: int, language: Language) -> bool:
    """Whether the sentence before it announces a change ("That's wrong.", "Blue is no longer it.")."""
    before = reading.sentences[index - 1].cut(reading.folded) if index else ""
    return 0 < len(before) <= _SHORT and _turns(before, language)


def _readings(sentence: Clause, reading: Reading) -> Iterator[tuple[Quoted, str]]:
    """New and old value, as each pattern that fits reads them; a word of a class also without a pattern."""
    for rule in table(sentence.language, "implied"):
        for match in rule.find_all(sentence.text):
            new = _new_value(match, sentence, reading)
            if new is not None and not _is_hypothesis(sentence, match.start("new"), reading):
                yield new, (match["old"].strip() if "old" in match.re.groupindex else "")
    yield from _class_words(sentence, reading)


def _new_value(match: re.Match[str], sentence: Clause, reading: Reading) -> Quoted | None:
    start, end = match.span("new")
    if re.match(r"[a-z0-9]{2}", sentence.text[max(0, start - 1) : start + 1]):
        # The pattern began in the middle of a word.
        return None
    value = quote(reading, sentence, start, end, "any") or quote(reading, sentence, start, end, "thing")
    text = value.span.cut(reading.folded) if value is not None else ""
    plain = value is not None and value.value_type == "text" and not re.match(r"(?:my|our|an?|the) ", text)
    judges = plain and pattern("en", "junk").match(text)
    return None if value is None or judges or pattern("en", "clausal").search(text) else ahead(value, reading)


def _is_hypothesis(sentence: Clause, offset: int, reading: Reading) -> bool:
    position = sentence.span.start + offset
    return any(clause.hypothetical for clause in reading.clauses if clause.span.start <= position < clause.span.end)


def _class_words(sentence: Clause, reading: Reading) -> Iterator[tuple[Quoted, str]]:
    """Two words of one class: the last that is not denied is the new one, the other the old."""
    del reading
    text = sentence.text
    members = [match for match in pattern("both", "class_word").finditer(text) if match.group() in classes()[_FREE]]
    denied, past = pattern("both", "denied_before"), pattern("both", "denied_after")
    fresh = [m for m in members if not denied.search(text[: m.start()]) and not past.match(text[m.end() :])]
    if fresh and len(members) <= _MOST_MEMBERS:
        new = fresh[-1]
        old = next((match.group() for match in members if match is not new), "")
        yield Quoted(sentence.at(*new.span()), new.group()), old


def _change(
    sentence: Clause, new: Quoted, old: str, lookups: Lookups, before: Sequence[Draft]
) -> tuple[Proposal, Draft | None] | None:
    reading = lookups.reading
    correcting = corrects(Draft(sentence, None, "", new), reading)
    own = next((draft for draft in reversed(before) if _could_replace(draft, new)), None) if correcting else None
    if own is not None:
        return propose(replace(own, clause=sentence, value=new), reading), own
    target = find_target(Change(sentence, new, old, correcting), lookups)
    if target is not None:
        return _proposal(sentence, new, target, reading, correcting=correcting), None
    cause = _cause(sentence, new, reading, lookups) if correcting else None
    return (cause, None) if cause is not None else None


def _proposal(sentence: Clause, new: Quoted, target: Item, reading: Reading, *, correcting: bool) -> Proposal:
    if target.kind == "event":
        noun = re.match(r" [a-z]+", reading.folded[new.span.end :])
        new = replace(new, span=Span(new.span.start, new.span.end + (noun.end() if noun else 0)))
    modality: Modality = "asserted" if target.modality == "asserted" else "intended"
    meant = Draft(sentence, target.entity, target.attribute, new, kind=target.kind, modality=modality)
    meant = replace(meant, due_at=target.due_at)
    return replace(
        propose(meant, reading),
        single_valued=target.single_valued or meant.single,
        action="correct" if correcting else "change",
        targets=(target.number,),
        unit=new.unit or (target.unit if new.value_type != "text" else None),
    )


def _could_replace(draft: Draft, new: Quoted) -> bool:
    types = {draft.value.value_type, new.value_type}
    same = len(types) == 1 or types <= {"number", "amount", "quantity"}
    if draft.kind not in {"fact", "choice"} or not same or draft.value.normal == new.normal:
        return False
    return new.value_type != "text" or class_of(draft.value.normal) == class_of(new.normal)


def _cause(sentence: Clause, new: Quoted, reading: Reading, lookups: Lookups) -> Proposal | None:
    """The cause to which a guess was put right ("Maybe it's the DB ... no, it was my parser")."""
    if (
        new.value_type != "text"
        or not re.search(r"\b(?:it|that)(?:'s| is| was)\b|是", sentence.text)
        or "是" in new.normal
    ):
        return None
    guessed = any(clause.hypothetical and clause.span.start < new.span.start for clause in reading.clauses)
    if not guessed and not _guessed_before(lookups):
        return None
    return propose(Draft(sentence, reading.speaker, "reason", new, functional=True), reading)


def _guessed_before(lookups: Lookups) -> bool:
    last = lookups.last_turn
    if last is None:
        return False
    reading = Reading(last)
    return any(
        clause.hypothetical
        and not pattern(clause.language, "conditional").match(reading.sentences[clause.sentence].cut(reading.folded))
        for clause in reading.clauses
    )
