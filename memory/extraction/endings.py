"""Ends without a successor: todos that are done, plans and facts that are taken back."""

import re
from collections.abc import Iterable, Sequence

from ..language.lexicon import cue
from ..language.tokens import content_stems
from ..records import ChangeKind, Item, ItemKind, Proposal, Span
from .lookups import Lookups
from .patterns import Rule, mapping, pattern, table
from .reading import Clause, Reading

_LEAST_SHARE = 0.4
_TAKEN_BACK: tuple[ItemKind, ...] = ("todo", "event", "decision")


def find_endings(reading: Reading, lookups: Lookups) -> list[Proposal]:
    """Completions and retractions that a turn reports, each with the items that it closes."""
    found: list[Proposal] = []
    for clause in reading.clauses:
        if clause.question or clause.hypothetical or clause.reported:
            continue
        done = _completed(clause, reading, lookups)
        dropped = [] if done else _retracted(clause, reading, lookups)
        if done or dropped:
            found.append(_ending(clause, done or dropped, "complete" if done else "retract", reading))
    return found


def _ending(clause: Clause, items: Sequence[Item], action: ChangeKind, reading: Reading) -> Proposal:
    text = reading.original(clause.span)
    lead = len(text) - len(text.lstrip())
    span = Span(clause.span.start + lead, clause.span.end)
    first = items[0]
    return Proposal(
        kind=first.kind,
        entity=first.entity,
        attribute=first.attribute,
        value=reading.original(span),
        value_span=span,
        quote_span=span,
        normal=span.cut(reading.folded),
        action=action,
        targets=tuple(item.number for item in items),
    )


def _completed(clause: Clause, reading: Reading, lookups: Lookups) -> list[Item]:
    rules = [(rule, rule.search(clause.text)) for rule in table(clause.language, "completions")]
    matched = [(rule, match) for rule, match in rules if match is not None]
    todos = _own_todos(reading, lookups) if matched and not _is_undone(clause) else []
    if not todos:
        return []
    found = (_done(rule, match, todos, lookups) for rule, match in matched)
    return next((items for items in found if items), [])


def _own_todos(reading: Reading, lookups: Lookups) -> list[Item]:
    """The speaker's open todos, newest first: their own errands, and what their orders and appointments left."""
    mine = {reading.speaker, reading.turn.speaker}
    return [item for item in lookups.live.open("todo") if item.entity == reading.speaker or item.speaker in mine]


def _done(rule: Rule, match: re.Match[str], todos: Sequence[Item], lookups: Lookups) -> list[Item]:
    """The todos that a report means: all, the only one, the one with the same words, or those at its places."""
    if rule.means.get("all"):
        everything = pattern("both", "everything").search(match.group())
        return [item for item in todos if everything or item.turn == todos[0].turn]
    if rule.means.get("latest"):
        return list(todos) if len(todos) == 1 and _may_mean(rule, todos[0]) else []
    if rule.means.get("content"):
        return about(match["content"], todos)
    return _at_places(_places(match), todos, lookups)


def _may_mean(rule: Rule, todo: Item) -> bool:
    """Whether "I have called them" may say that something is done: it does for what an order or a contract left."""
    return not rule.means.get("contact") or todo.entity != todo.speaker


def _is_undone(clause: Clause) -> bool:
    return bool(re.search(r"\bnot\b|n't\b|\bnever\b|\byet\b|\bto be\b|\balmost\b|没|未|快要?|差点|还差", clause.text))


def _places(match: re.Match[str]) -> list[int]:
    """The places (from zero) that a match names; -1 is the last."""
    groups = [match[name] for name in ("ordinal", "second") if name in match.re.groupindex and match[name]]
    places = mapping("both", "ordinals")
    return [int(places[word]) for word in groups if word in places]


def _at_places(places: Sequence[int], todos: Sequence[Item], lookups: Lookups) -> list[Item]:
    """The todos at those places of the list last given, which keeps its places when some of it is done.

    Todos that were given one by one count in the order in which they were given.
    """
    lists = (
        [item for item in lookups.live.of_turn(turn) if item.kind == "todo"]
        for turn in dict.fromkeys(item.turn for item in todos)
    )
    one_by_one = sorted(todos, key=lambda item: item.number)
    listed = next((items for items in lists if len(items) > 1), one_by_one)
    return [listed[place] for place in places if place < len(listed) and listed[place].live]


def about(text: str, candidates: Iterable[Item]) -> list[Item]:
    """The one candidate that shares most content with a stretch of the turn."""
    words = set(content_stems(text))
    characters = set(re.findall(r"[\u3400-\u9fff]", text)) - set("的了我给把和跟已经好完过打发写做去不要这那个件条")
    best: list[Item] = []
    most = 0.0
    for item in candidates:
        own = set(content_stems(item.value))
        together = characters & set(item.normal)
        shared = len(words & own) + (len(together) / 4 if len(together) > 1 else 0.0)
        if text.isascii() and shared < len(words) * _LEAST_SHARE:
            # One word in common with a long report is chance.
            continue
        if shared > most:
            most, best = shared, [item]
        elif shared == most and shared:
            best.append(item)
    return best if len(best) == 1 else []


def _retracted(clause: Clause, reading: Reading, lookups: Lookups) -> list[Item]:
    if _asks_to_forget(clause):
        return []
    for rule in table(clause.language, "retractions"):
        match = rule.search(clause.text)
        if match is None:
            continue
        if rule.means.get("ordinal"):
            todos = _own_todos(reading, lookups)
            return _at_places(_places(match), todos, lookups) if todos else []
        found = _retractable(match["content"].strip(), clause, reading, lookups)
        if found:
            return found
    return []


def _asks_to_forget(clause: Clause) -> bool:
    """Whether it is "forget that", which asks the memory to forget; a command and no change of plan."""
    return bool(pattern("both", "forget_that").fullmatch(clause.text)) and bool(cue(clause.text, "forget"))


def _retractable(content: str, clause: Clause, reading: Reading, lookups: Lookups) -> list[Item]:
    """The plan, errand or decision that is taken back: the one whose words are named, else the one just spoken of."""
    plans = [item for kind in _TAKEN_BACK for item in lookups.live.open(kind) if _is_plan_of(item, reading)]
    named = about(content, plans) if content else []
    if named or not _is_vague(content, clause):
        return named
    numbers = {item.number for item in plans}
    return [item for item in lookups.exchange if item.number in numbers and lookups.is_recent(item)][:1]


def _is_plan_of(item: Item, reading: Reading) -> bool:
    """Whether an item is something that the speaker still means to do; what has happened cannot be cancelled."""
    return item.entity == reading.speaker and (item.kind != "event" or item.modality != "asserted")


def _is_vague(content: str, clause: Clause) -> bool:
    """Whether "cancel that plan" leaves to the talk before it what is meant."""
    bare = pattern("both", "pointing").sub("", content)
    return not bare or bool(pattern(clause.language, "vague").fullmatch(bare))
