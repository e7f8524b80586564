"""Changes that leave the attribute unsaid: "Forget blue, red is my favourite now", 改用 MySQL 了, "no, it is 52,000".

A pattern only proposes; the change is believed where exactly one live item is found that it can mean: one whose old
value is quoted, one of an attribute that is named, one of the exchange just before, or one of the same class of words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..language.folding import fold
from ..records import Item, Proposal, Span
from .drafts import Draft, propose
from .lookups import Lookups, class_of, compatible, one_subject
from .patterns import pattern, table
from .quoting import Quoted, quote
from .reading import Clause, Reading
from .subjects import is_known
from .updates import corrects


def find_implied(reading: Reading, lookups: Lookups, stated: Sequence[Draft]) -> tuple[list[Proposal], set[int]]:
    """Changes of live items, or of what the turn itself said before.

    Returns:
        The proposals, and the indexes of the drafts in ``stated`` that the turn takes back.
    """
    found: list[Proposal] = []
    withdrawn: set[int] = set()
    taken = {
        draft.clause.sentence for draft in stated if draft.kind in {"fact", "choice"} and draft.polarity == "positive"
    }
    for index, span in enumerate(reading.sentences):
        sentence = _sentence(reading, index)
        if sentence is None:
            continue
        change = None
        for new, old in _readings(sentence, reading):
            if _contradicts(new, stated):
                continue
            change = _change(sentence, new, old, reading, lookups, [d for d in stated if d.clause.sentence < index])
            if change is not None and not _is_stated(change[0], stated, span, taken):
                found.append(change[0])
                withdrawn |= {i for i, draft in enumerate(stated) if draft is change[1] or _is_weaker(draft, change[0])}
                break
    return found, withdrawn


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
    vague = draft.attribute == "likes" or not is_known(draft.attribute)
    return vague and draft.value.span == change.value_span and draft.attribute != change.attribute


def _is_stated(proposal: Proposal, stated: Sequence[Draft], sentence: Span, taken: set[int]) -> bool:
    """Whether a fact that the sentence states in so many words says the same already."""
    return any(
        draft.clause.sentence in taken
        and sentence.start <= draft.value.span.start < sentence.end
        and (draft.value.span == proposal.value_span or draft.value.normal == proposal.normal)
        and draft.attribute == proposal.attribute
        for draft in stated
    )


def _sentence(reading: Reading, index: int) -> Clause | None:
    """A whole sentence as one clause, if it changes or corrects something and does not ask or suppose."""
    clauses = [clause for clause in reading.clauses if clause.sentence == index]
    if not clauses or all(clause.question or clause.reported for clause in clauses):
        return None
    language = clauses[0].language
    span = reading.sentences[index]
    text = span.cut(reading.folded)
    speaks = pattern(language, "change_words").search(text) or pattern(language, "correction_words").search(text)
    before = reading.sentences[index - 1].cut(reading.folded) if index else ""
    follows = (
        bool(before)
        and len(before) <= 60
        and any(pattern(language, name).search(before) for name in ("correction_words", "change_words"))
    )
    if not speaks and not follows:
        return None
    if any(clause.question for clause in clauses) or pattern(language, "conditional").match(text):
        return None
    return Clause(text, span, index, language, question=False, hypothetical=False)


def _readings(sentence: Clause, reading: Reading) -> Iterator[tuple[Quoted, str]]:
    """New and old value, as each pattern that fits reads them; a word of a class also without a pattern."""
    for rule in table(sentence.language, "implied"):
        for match in rule.find_all(sentence.text):
            new = _new_value(match, sentence, reading)
            if new is not None and not _is_hypothesis(sentence, match.start("new"), reading):
                yield new, (match["old"].strip() if "old" in match.re.groupindex else "")
    yield from _class_words(sentence, reading)


def _new_value(match: re.Match[str], sentence: Clause, reading: Reading) -> Quoted | None:
    if sentence.text[: match.start("new")][-1:].isascii() and re.match(
        r"[a-z0-9]{2}", sentence.text[match.start("new") - 1 : match.start("new") + 1]
    ):
        return None
    return quote(reading, sentence, match.start("new"), match.end("new"), "any") or quote(
        reading, sentence, match.start("new"), match.end("new"), "thing"
    )


def _is_hypothesis(sentence: Clause, offset: int, reading: Reading) -> bool:
    position = sentence.span.start + offset
    return any(clause.hypothetical for clause in reading.clauses if clause.span.start <= position < clause.span.end)


def _class_words(sentence: Clause, reading: Reading) -> Iterator[tuple[Quoted, str]]:
    """Two words of one class: the last that is not denied is the new one, the other the old."""
    words = [
        (match, class_of(match.group()))
        for match in re.finditer(
            r"[a-z]+|[\u3400-\u9fff]{1,2}色|(?<![\u3400-\u9fff])[\u3400-\u9fff](?![\u3400-\u9fff])", sentence.text
        )
    ]
    members = [match for match, words_of in words if words_of]
    if not members or len(members) > 3:
        return
    denied, past = pattern("both", "denied_before"), pattern("both", "denied_after")
    fresh = [
        m for m in members if not denied.search(sentence.text[: m.start()]) and not past.match(sentence.text[m.end() :])
    ]
    if not fresh:
        return
    new = fresh[-1]
    old = next((m.group() for m in members if m is not new), "")
    span = sentence.at(*new.span())
    yield Quoted(span, new.group()), old


def _change(
    sentence: Clause, new: Quoted, old: str, reading: Reading, lookups: Lookups, before: Sequence[Draft]
) -> tuple[Proposal, Draft | None] | None:
    draft = Draft(sentence, None, "", new)
    correcting = corrects(draft, reading)
    own = next((d for d in reversed(before) if _could_replace(d, new)), None) if correcting else None
    if own is not None:
        return propose(replace(own, clause=sentence, value=new), reading), own
    target = _target(sentence, new, old, lookups, correcting=correcting)
    if target is None:
        cause = _cause(sentence, new, reading, lookups) if correcting else None
        return (cause, None) if cause is not None else None
    if (target.normal, target.polarity) == (new.normal, "positive"):
        return None
    meant = Draft(sentence, target.entity, target.attribute, new, kind=target.kind, functional=True, old=target.normal)
    proposal = replace(
        propose(meant, reading),
        single_valued=target.single_valued or meant.single,
        action="correct" if correcting else "change",
        targets=(target.number,),
        unit=new.unit or (target.unit if new.value_type != "text" else None),
    )
    return proposal, None


def _could_replace(draft: Draft, new: Quoted) -> bool:
    same = draft.value.value_type == new.value_type or {draft.value.value_type, new.value_type} <= {
        "number",
        "amount",
        "quantity",
    }
    return (
        draft.kind in {"fact", "choice"}
        and same
        and draft.value.normal != new.normal
        and (new.value_type != "text" or class_of(draft.value.normal) == class_of(new.normal))
    )


def _target(sentence: Clause, new: Quoted, old: str, lookups: Lookups, *, correcting: bool) -> Item | None:
    """The one live item that the new value replaces."""
    reading = lookups.reading
    # "You said it is 900, but it is 700": what was masked as not the speaker's own still tells what is meant.
    text = sentence.text if "\n" not in reading.folded[: sentence.span.start] else fold(reading.turn.text)

    def fits(item: Item) -> bool:
        return (
            item.kind in {"fact", "choice"}
            and item.polarity == "positive"
            and item.normal != new.normal
            and compatible(item, new.value_type, new.normal)
        )

    quoted = [item for item in (lookups.quoted(old) if old else lookups.quoted(text)) if fits(item)]
    named = [item for item in lookups.of_attributes(text, lookups.reading.speaker) if fits(item)]
    recent = [item for item in lookups.exchange if fits(item)]
    quoted, recent = _meant(quoted, lookups), _meant(recent, lookups)
    if quoted:
        numbers = {item.number for item in named} | {item.number for item in recent}
        return (
            one_subject(quoted)
            or one_subject(i for i in quoted if i.number in numbers)
            or one_subject(i for i in quoted if i.single_valued)
        )
    if old and not class_of(new.normal):
        # It says what was replaced, and nothing of that kind is known.
        return None
    if named:
        return one_subject(named)
    words = class_of(new.normal)
    close = recent if words or correcting or _is_pronominal(sentence) else []
    if close:
        newest = [item for item in close if item.turn == close[0].turn]
        if new.value_type == "text" and not words:
            newest = [item for item in newest if item.single_valued and lookups.is_last(item)]
            return one_subject(newest)
        return one_subject(newest) or (newest[0] if correcting else None)
    if words:
        known = [item for item in lookups.live.with_value(sorted(words)) if fits(item) and lookups.concerns(item)]
        return one_subject(_meant(known, lookups))
    return None


def _meant(items: Sequence[Item], lookups: Lookups) -> list[Item]:
    """Of several people's items those of whom the turn names, else the speaker's own."""
    named = [item for item in items if lookups.names(item)]
    own = [item for item in items if item.entity == lookups.reading.speaker]
    return named or own or [item for item in items if item.entity not in lookups.others]


def _is_pronominal(sentence: Clause) -> bool:
    """Whether a sentence leaves to the talk before it what it is about."""
    return bool(pattern(sentence.language, "pronominal").search(sentence.text))


def _cause(sentence: Clause, new: Quoted, reading: Reading, lookups: Lookups) -> Proposal | None:
    """The cause to which a guess was put right ("Maybe it's the DB ... no, it was my parser")."""
    if new.value_type != "text" or not re.search(r"\b(?:it|that)(?:'s| is| was)\b|是", sentence.text):
        return None
    guessed = any(clause.hypothetical and clause.span.start < new.span.start for clause in reading.clauses)
    if not guessed and not _guessed_before(lookups):
        return None
    return propose(Draft(sentence, reading.speaker, "reason", new, functional=True), reading)


def _guessed_before(lookups: Lookups) -> bool:
    last = lookups.last_turn
    if last is None:
        return False
    return any(clause.hypothetical for clause in Reading(last).clauses)
