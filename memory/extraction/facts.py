"""Facts: entity, attribute, value, as the tables of patterns find them in what the speaker asserts."""

import functools
import re
from collections.abc import Iterator
from dataclasses import replace

from ..language.lexicon import of_relative
from ..records import Language, Polarity, Span
from .context import Context
from .drafts import MOVED, Draft, with_value
from .fitting import LISTED, check_of, fits, of_thing, stated_of
from .patterns import Rule, mapping, pattern, table, words
from .quoting import Quoted, ahead, quote, split
from .reading import USER, Clause, Reading
from .subjects import Antecedent, Subject, attribute_of, is_known, named, nobody, resolve

_ABSTRACT = frozenset(["decision", "plan", "option", "goal", "status", "reason", "progress", "topic"])
"""Attributes that nobody "uses" or "moves to": 我们决定用 MySQL is a decision."""
_PRIVATE = frozenset(
    ["wedding_date", "anniversary", "birthday", "home", "address", "phone", "email", "name", "nickname"]
)
"""What is of somebody's own life: who changes it changes their own."""
_PERSONAL = _PRIVATE | {"age", "job", "employer", "wechat", "hometown"}
"""What only people have: of somebody who was just named by name it is theirs."""
_OTHERS = frozenset(["he", "she", "they", "他", "她", "他们", "她们"])
_PERIODS = frozenset(["week", "month", "quarter", "year"])
_IT = frozenset(["it", "that", "它"])
_VERBS = {"use": "uses", "用": "uses", "喝": "drink", "吃": "eat", "抽": "smoke"}


def find_facts(reading: Reading, antecedent: Antecedent = nobody) -> list[Draft]:
    """The facts that a turn states, in order.

    Args:
        reading: the turn.
        antecedent: finds the entity that a pronoun means at the beginning of the turn.
    """
    found: list[Draft] = []
    context = Context(antecedent)
    for clause in reading.clauses:
        context.enter(clause, reading)
        if clause.asserts:
            drafts = _facts_told(clause, reading, context)
            found += drafts
            for draft in drafts:
                context.mention(draft)
    return [draft for index, draft in enumerate(found) if not _is_overtaken(draft, found[index + 1 :])]


def _is_overtaken(draft: Draft, later: list[Draft]) -> bool:
    """Whether the sentence goes on to say what it is now ("The code was 4471, but it is 4417")."""
    return draft.past and any(
        (other.entity, other.attribute, other.past) == (draft.entity, draft.attribute, False)
        and other.clause.sentence == draft.clause.sentence
        and not other.single
        for other in later
    )


def _facts_of(clause: Clause, reading: Reading, context: Context) -> Iterator[Draft]:
    for rule, match in _matches(clause, "predicates"):
        drafts = _predicate(rule, match, clause, reading, context)
        yield from drafts
        if drafts and not rule.means.get("further"):
            return
    for name, build in (("inverse_copulas", _inverse), ("copulas", _copula)):
        for rule, match in _matches(clause, name):
            draft = build(match, clause, reading, context)
            if draft is not None and (not rule.means.get("known") or _is_measured(draft)):
                yield from _members(draft, reading)
                return


def _facts_told(clause: Clause, reading: Reading, context: Context) -> list[Draft]:
    """The facts of a clause, read with the time that it begins with and without."""
    drafts = list(_facts_of(clause, reading, context))
    told = reading.told(clause) if not drafts else clause
    if told is clause:
        return drafts
    return [replace(draft, clause=clause) for draft in _facts_of(told, reading, context)]


def _matches(clause: Clause, name: str) -> Iterator[tuple[Rule, re.Match[str]]]:
    for rule in table(clause.language, name):
        match = rule.search(clause.text)
        if match is not None:
            yield rule, match


def _members(draft: Draft, reading: Reading) -> list[Draft]:
    """The draft, once for each value that it lists."""
    if draft.attribute not in LISTED:
        return [draft]
    return [with_value(draft, member) for member in split(reading, draft.value)]


def _is_measured(draft: Draft) -> bool:
    """Whether a draft gives a known attribute a measure, and says no more of it: what 预算5万 may leave unsaid."""
    known = is_known(draft.attribute) or is_known(of_relative(draft.attribute)[1]) or draft.attribute.endswith("_price")
    after = draft.clause.text[draft.value.span.end - draft.clause.span.start :]
    typed = draft.value.value_type != "text" or draft.value.time is not None
    return known and typed and bool(pattern("zh", "measured_end").fullmatch(after))


def _group(match: re.Match[str], name: str) -> str:
    return (match[name] or "") if name in match.re.groupindex else ""


def _script(text: str) -> Language:
    return "en" if text.isascii() else "zh"


def _polarity(match: re.Match[str], rule: Rule | None = None) -> Polarity:
    negative = rule is not None and rule.get("polarity") == "negative"
    return "negative" if negative != bool(_group(match, "negated").strip()) else "positive"


def _subject(match: re.Match[str], clause: Clause, reading: Reading, context: Context) -> Subject | None:
    text = _group(match, "subject")
    if not text.strip() or (text.strip() in _IT and context.subject is not None and context.subject.attribute):
        # "The code was 4471, but it is 4417": still the code.
        return context.subject
    if clause.language == "zh" and _is_past(match, clause):
        # 婆婆以前在纺织厂上班: she does so no longer.
        return None
    start = match.start("subject") + len(text) - len(text.lstrip())
    span = clause.at(start, start + len(text.strip()))
    owner = pattern("both", "elliptic_owner").fullmatch(text.strip())
    if owner and pattern("zh", "which").fullmatch(owner["zh"] or ""):
        # 新服务器300元，旧的180元: the old one is nobody who has a server.
        return None
    before = context.subject
    if owner and before is not None and before.attribute:
        # "Alice's phone is ... and Bob's is ...": the same attribute of somebody else.
        return replace(before, entity=named(owner["en"] or owner["zh"]), relation="")
    subject = resolve(text.strip(), span, reading, context.antecedent)
    return _inherited(subject, reading, context) if subject is not None and subject.entity is None else subject


def _inherited(subject: Subject, reading: Reading, context: Context) -> Subject:
    """An attribute that nobody is named for, as that of whom the sentence is about."""
    if subject.attribute in _PERSONAL and context.person is not None:
        # 我的业务员是潘丽，电话是…: hers.
        return replace(subject, entity=context.person)
    before = context.subject
    if before is not None and (before.possessive or before.entity not in {None, reading.speaker}):
        # "Apollo's budget is 5,000, the deadline is Friday": both are Apollo's; in 房东姓赵，电话是… the landlord's.
        return replace(subject, entity=before.entity, relation=before.relation)
    return subject


def _is_past(match: re.Match[str], clause: Clause) -> bool:
    """Whether a Chinese clause says between subject and value, or at the end of the subject, that it was so before."""
    past, subject = pattern("zh", "past"), match["subject"].strip()
    until = match.start("value") if "value" in match.re.groupindex else match.end("subject")
    between = clause.text[match.end("subject") : max(until, match.end("subject"))]
    return bool(re.search(rf"(?:{past.pattern})[对在是就跟和]?$", subject) or past.match(between.strip()))


def _predicate(rule: Rule, match: re.Match[str], clause: Clause, reading: Reading, context: Context) -> list[Draft]:
    subject = _subject(match, clause, reading, context)
    if subject is None and rule.means.get("own") and not _group(match, "subject"):
        # "This morning 61.5 on the scales": whoever was spoken of, else the speaker.
        subject = Subject(None)
    if subject is None or (rule.means.get("entity_only") and ":" not in (subject.entity or "")):
        return []
    if rule.means.get("inverse"):
        return _inverted(rule, match, clause, reading, subject)
    attribute = _attribute(rule, match, subject)
    value = _value(rule, match, clause, reading, attribute) if attribute is not None else None
    if attribute is None or value is None:
        return []
    if rule.get("check") == "any" and not fits(reading, clause, attribute, value, subject):
        return []
    context.name(subject)
    changed = bool(rule.means.get("functional"))
    draft = Draft(
        clause=clause,
        entity=subject.entity,
        attribute=subject.key(attribute),
        value=_future(rule, _recurring(attribute, value, reading), reading),
        polarity=_polarity(match, rule),
        functional=changed or rule.get("kinds") == "time",
        old=_group(match, "old").strip(),
        changes=changed,
        theirs=subject.entity is None and attribute in _PRIVATE and _group(match, "agent") in _OTHERS,
    )
    if rule.means.get("split"):
        return [with_value(draft, member) for member in split(reading, value)]
    return [*_replaced(draft, match, clause, reading), draft]


def _value(rule: Rule, match: re.Match[str], clause: Clause, reading: Reading, attribute: str) -> Quoted | None:
    value = quote(reading, clause, match.start("value"), match.end("value"), rule.get("check", "thing"))
    timely = rule.get("kinds") == "time" or attribute == MOVED
    return None if value is not None and timely and value.time is None else value


def _replaced(draft: Draft, match: re.Match[str], clause: Clause, reading: Reading) -> list[Draft]:
    """The value before a change that the clause names as well ("moved from May 1 to May 15")."""
    if not draft.old or not draft.single:
        return []
    old = quote(reading, clause, match.start("old"), match.end("old"), "any")
    if old is None or old.value_type != draft.value.value_type:
        return []
    return [replace(draft, value=old, old="", past=True)]


def _attribute(rule: Rule, match: re.Match[str], subject: Subject) -> str | None:
    """The attribute of a predicate: the one in a group, the one that the subject names, or the rule's own."""
    if "attribute_of" in rule.means:
        return attribute_of(match[rule.get("attribute_of")])
    spoken = _group(match, "attribute")
    if spoken:
        key = attribute_of(spoken)
        return key if is_known(key) or not rule.means.get("known") else None
    if subject.attribute:
        return _attribute_of_thing(rule, subject, spelled=bool(_group(match, "subject").strip()))
    if rule.means.get("related"):
        relation = match["relation"]
        return f"{mapping(_script(relation), 'relations').get(relation, relation)}_name"
    if rule.means.get("verbal"):
        return _VERBS.get(match["verb"], match["verb"])
    if rule.get("attribute") == "price" and subject.entity == USER:
        # 我想买辆车，可是要3000块: the speaker is for sale no more than anybody.
        return None
    moved = bool(rule.means.get("subject_attribute")) and subject.entity not in {None, USER} and not subject.relation
    return rule.get("attribute") or (MOVED if moved else None)


def _attribute_of_thing(rule: Rule, subject: Subject, *, spelled: bool) -> str | None:
    """Of a subject that is itself an attribute: "the database uses X" states it, "the party costs 500" its price."""
    if rule.means.get("subject_attribute"):
        return None if subject.attribute in _ABSTRACT else subject.attribute
    own = rule.get("attribute")
    return of_thing(subject, own) if own and rule.means.get("thing") and spelled else None


def _inverted(rule: Rule, match: re.Match[str], clause: Clause, reading: Reading, subject: Subject) -> list[Draft]:
    """Who has a role in something: "Anna leads Apollo" states Apollo's owner."""
    start, end = match.span("of")
    thing = quote(reading, clause, start, end, "stance")
    who = quote(reading, clause, match.start("subject"), match.end("subject"), "name")
    if thing is None or who is None or subject.attribute:
        return []
    phrase = thing.span.cut(reading.folded)
    target = resolve(phrase, thing.span, reading)
    entity = target.entity if target is not None and target.entity is not None else named(phrase)
    return [Draft(clause, entity, rule.get("attribute"), who, functional=True)]


def _future(rule: Rule, value: Quoted, reading: Reading) -> Quoted:
    return ahead(value, reading) if rule.means.get("subject_attribute") else value


def _copula(match: re.Match[str], clause: Clause, reading: Reading, context: Context) -> Draft | None:
    """What something is: "The budget of Apollo is 48,500 dollars", 我儿子叫王明泽, "John is 42"."""
    subject = _subject(match, clause, reading, context)
    attribute, check = _stated(subject, match) if subject is not None else (None, "")
    if subject is None or attribute is None or attribute.replace("_", " ") in _no_attributes():
        context.meet(*match.span("value"), clause, reading)
        return None
    value = quote(reading, clause, match.start("value"), match.end("value"), check)
    if value is not None:
        context.introduce(subject, attribute, value, clause, reading)
        attribute = stated_of(subject, attribute, value)
    if value is None or not fits(reading, clause, attribute, value, subject):
        return None
    past = bool(re.match(r" (?:was|were)", _group(match, "be")))
    if pattern("zh", "cleft").search(clause.text, match.start("be")):
        # 我的车险是在安途买的 says where it was bought, not what it is.
        return None
    if (past and value.value_type == "text") or _is_of_another_time(clause, value, reading):
        return None
    context.name(subject)
    return Draft(
        clause=clause,
        entity=subject.entity,
        attribute=subject.key(attribute),
        value=_recurring(attribute, value, reading),
        polarity=_polarity(match),
        functional=subject.possessive or clause.text.lstrip().startswith("the "),
        past=past,
    )


def _is_of_another_time(clause: Clause, value: Quoted, reading: Reading) -> bool:
    """Whether a clause tells of a week, a month or a year that is over or to come: "my budget was 5,000 last year"."""
    now, begins = reading.turn.observed_at, pattern("both", "lasting")
    # The time that a clause begins with may have been set apart.
    before = max((it.span.end for it in reading.clauses if it.span.end <= clause.span.start), default=0)
    return any(
        time.grain in _PERIODS
        and not time.start <= now < time.end
        and not time.span.overlaps(value.span)
        and not begins.search(reading.folded[: time.span.start])
        for time in reading.times_in(Span(before, clause.span.end))
    )


@functools.cache
def _no_attributes() -> frozenset[str]:
    """Phrases that name no attribute: what "my favourite" or "the thing" is cannot be told from the sentence alone."""
    return words("en", "no_attributes") | words("zh", "no_attributes")


def _stated(subject: Subject, match: re.Match[str]) -> tuple[str | None, str]:
    """The attribute that a copula states of its subject, and what its value has to be."""
    if subject.attribute:
        return subject.attribute, check_of(subject.attribute)
    value = match["value"].strip()
    if pattern("both", "age").match(value) and (subject.phrase.isascii() or not value.isdigit()):
        return "age", "age"
    return ("name", "introduced") if subject.relation else (None, "any")


def _recurring(attribute: str, value: Quoted, reading: Reading) -> Quoted:
    """A birthday is a day of every year, not the one that comes next."""
    if value.time is None or not attribute.endswith(("birthday", "anniversary")):
        return value
    written = next((it for it in reading.values if it.span.start == value.span.start and it.kind == "date"), None)
    return replace(value, span=written.span, normal=written.normal, time=None) if written else value


def _inverse(match: re.Match[str], clause: Clause, reading: Reading, context: Context) -> Draft | None:
    """The same the other way round: "Red is my favourite colour now", "Alice is the project manager of Apollo"."""
    subject = _subject(match, clause, reading, context)
    if subject is None or not _is_role(subject, match, clause):
        return None
    attribute = subject.attribute or "name"
    check = "thing" if attribute.startswith("favorite_") else check_of(attribute)
    check = ("called" if clause.language == "zh" else "name") if attribute == "name" else check
    value = quote(reading, clause, match.start("value"), match.end("value"), check)
    said = value.span.cut(reading.folded) if value is not None else ""
    if value is None or _DEFINITE.match(said) or (clause.language == "zh" and is_known(attribute_of(said))):
        # 客户是海港酒店 says who the client is, not whose hotel a client is.
        return None
    return Draft(
        clause=clause,
        entity=subject.entity,
        attribute=subject.key(attribute),
        value=_recurring(attribute, value, reading),
        polarity=_polarity(match),
        functional=True,
    )


_DEFINITE = re.compile(r"(?:my|our|the|his|her|their) |it|this|that|.*'s?$")


def _is_role(subject: Subject, match: re.Match[str], clause: Clause) -> bool:
    """Whether the end of "X is Y" names a role or a relative that X can be."""
    if clause.language == "zh" and pattern("zh", "past").search(clause.text[: match.start("subject")]):
        return False
    if subject.entity is None and not match["subject"].startswith("the "):
        return False
    return is_known(subject.attribute) if subject.attribute else bool(subject.relation)
