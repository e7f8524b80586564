"""Whom or what a phrase is about: the entity, and the attribute that the phrase itself names."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..language.folding import fold
from ..language.guises import visible
from ..language.lexicon import FAVORITE, attribute_key, attribute_phrases, is_relative
from ..language.tokens import is_stop
from ..records import Language, Span
from .patterns import mapping, pattern, words
from .reading import Reading

_LONGEST_NAME = 12
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_PRONOUNS = frozenset(["he", "she", "they", "it", "他", "她", "它", "他们", "她们", "this", "that", "这", "那"])


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a clause is about."""

    entity: str | None
    """Canonical entity; ``None`` where the phrase names only an attribute ("the budget")."""
    relation: str = ""
    """A relative or the like of the entity (``son``), of whom the clause tells."""
    attribute: str = ""
    """The attribute key that the phrase names, if any."""
    phrase: str = ""
    """The attribute as it was said."""
    possessive: bool = False
    """Whether the phrase says to whom the attribute belongs."""

    def key(self, attribute: str) -> str:
        """The attribute key for something that is said of this subject."""
        return f"{self.relation}_{attribute}" if self.relation else attribute


Antecedent = Callable[[], Subject | None]
"""Finds whom a pronoun means."""


def nobody() -> None:
    """The antecedent where there is none."""


def is_known(attribute: str) -> bool:
    """Whether the lexicon knows an attribute."""
    return attribute.startswith(FAVORITE) or bool(attribute_phrases(attribute))


def attribute_of(phrase: str) -> str:
    """The key of an attribute phrase, without what only says which version of it is meant (final, current, 最终)."""
    return attribute_key(pattern("both", "modifiers").sub("", phrase.strip()) or phrase)


def resolve(text: str, span: Span, reading: Reading, antecedent: Antecedent = nobody) -> Subject | None:
    """The subject that a phrase names, or ``None`` where it names nothing one can be sure of.

    Args:
        text: the phrase, folded.
        span: where it stands in the turn.
        reading: the turn.
        antecedent: finds the entity that a pronoun means.
    """
    chinese = bool(re.search(r"[\u3400-\u9fff]", text))
    if chinese and not re.search(r"[a-z]{2,} [a-z]{2,}", text):
        from_chinese = _chinese(text.strip(), reading, antecedent)
        if from_chinese is not None or not re.search(r"[a-z]", text) or pattern("zh", "mine").match(text.strip()):
            return from_chinese
    return _english(text.strip(), span, reading, antecedent)


def identifier(text: str, language: Language) -> str | None:
    """The canonical entity of an order, a contract and the like that is named by its number (``order:12345``)."""
    match = pattern(language, "identified").fullmatch(text)
    return _identity(match, language) if match else None


def identities_in(text: str) -> list[tuple[str, int]]:
    """Every order, contract and the like that a text names by its number, with where the name ends."""
    folded = fold(text)
    found = ((match, language) for language in _LANGUAGES for match in pattern(language, "identified").finditer(folded))
    return [(_identity(match, language), match.end()) for match, language in found]


def _identity(match: re.Match[str], language: Language) -> str:
    kind = mapping("zh", "kinds").get(match["kind"], match["kind"]) if language == "zh" else match["kind"]
    return f"{kind}:{match['id'].rstrip('./-')}"


def named(text: str) -> str:
    """The canonical entity of a name: without article and generic noun ("the Apollo project" → ``apollo``)."""
    seen = visible(text).strip()
    english = pattern("en", "generic").match(seen)
    bare = english["name"] if english else seen
    chinese = pattern("zh", "generic").match(bare)
    return (chinese["name"] if chinese else bare).strip(" 的\"'“”《》「」")


# --- English ------------------------------------------------------------------------------------------------------


@functools.cache
def _possessive() -> re.Pattern[str]:
    return re.compile(r"^(?P<owner>(?:my |our |the |his |her |their )?[^']{1,40}?)'s? (?P<rest>.+)$")


@functools.cache
def _of() -> re.Pattern[str]:
    return re.compile(r"^(?:the |an? )?(?P<rest>[a-z][\w -]{1,30}?) (?:of|for|on) (?P<owner>.{1,40})$")


def _english(text: str, span: Span, reading: Reading, antecedent: Antecedent) -> Subject | None:
    if text in {"i", "me", "we", "us", "myself"}:
        return Subject(reading.speaker)
    if text in _PRONOUNS:
        return antecedent()
    if pattern("en", "clausal").search(text):
        return None
    text, span = _without_adverbs(text, span)
    entity = identifier(text.removeprefix("the ").removeprefix("my "), "en")
    if entity:
        return Subject(entity, possessive=True)
    mine = re.match(r"^(?:my|our|mine) (?P<rest>.+)$", text)
    if mine:
        return _mine(mine["rest"], reading, span.start + mine.start("rest"))
    his = re.match(r"^(?:his|her|their|its) (?P<rest>.+)$", text)
    if his:
        who = antecedent()
        kin = _relation(his["rest"], reading, span.start + his.start("rest"))
        if who and kin and not who.relation and not is_known(attribute_of(his["rest"])):
            # "her partner Jan is 36"
            return Subject(who.entity, relation=kin, possessive=True)
        return replace(_attribute(who.entity, his["rest"], possessive=True), relation=who.relation) if who else None
    return _owned(text, span, reading) or _plain(text, span, reading)


def _without_adverbs(text: str, span: Span) -> tuple[str, Span]:
    kept = pattern("en", "trailing_adverbs").sub("", text)
    return kept, Span(span.start, span.start + len(kept))


def _mine(rest: str, reading: Reading, start: int) -> Subject | None:
    """What follows "my": a relative, an attribute, or an attribute of a relative; ``start`` is where it begins."""
    possessive = _possessive().match(rest)
    if possessive:
        relation = _relation(possessive["owner"], reading, start)
        of_owner = _attribute(
            reading.speaker if relation else named(possessive["owner"]), possessive["rest"], possessive=True
        )
        return replace(of_owner, relation=relation)
    relation = _relation(rest, reading, start)
    if relation and not (rest in words("en", "roles") and is_known(attribute_of(rest))):
        return Subject(reading.speaker, relation=relation, possessive=True)
    of = _of().match(rest)
    if of:
        return _attribute(named(of["owner"]), of["rest"], possessive=True)
    return _attribute(reading.speaker, rest, possessive=True)


def _relation(phrase: str, reading: Reading, start: int) -> str:
    """The relative that a phrase after "my" means, also with a name after it ("older brother Tom"); else nothing."""
    match = pattern("en", "relative").match(phrase)
    if match is None or (match["name"] and not reading.is_name(Span(start + match.start("name"), start + len(phrase)))):
        return ""
    who = match["who"]
    relation = mapping("en", "relations").get(who, who.replace(" ", "_")) if who in _relation_words() else ""
    aged = mapping("en", "aged").get((match["aged"] or "").strip(), "")
    return f"{aged}_{relation}" if aged and relation in {"brother", "sister"} else relation


def _attribute(entity: str | None, phrase: str, *, possessive: bool) -> Subject:
    return Subject(entity, attribute=attribute_of(phrase), phrase=phrase, possessive=possessive)


@functools.cache
def _relation_words() -> frozenset[str]:
    return frozenset(mapping("en", "relations")) | words("en", "other_relations")


def _owned(text: str, span: Span, reading: Reading) -> Subject | None:
    """An attribute of somebody named: "Bob's budget", "the budget of Apollo"."""
    possessive = _possessive().match(text)
    if possessive and "'" not in possessive["rest"]:
        return _of_owner(possessive["owner"], possessive["rest"], text, span, reading)
    of = _of().match(text)
    if of and of["rest"].split()[-1] not in words("en", "quantities"):
        return _of_owner(of["owner"], of["rest"], text, span, reading)
    return None


def _of_owner(owner: str, rest: str, text: str, span: Span, reading: Reading) -> Subject | None:
    start = span.start + text.index(owner)
    where = Span(start, start + len(owner))
    if reading.times_in(where) and not reading.times_in(where)[0].span.start > where.start:
        # "Friday's meeting" is no attribute of a day.
        return _attribute(None, rest, possessive=False)
    if owner in {"me", "us", "mine", "i"}:
        return _attribute(reading.speaker, rest, possessive=True)
    mine = re.match(r"^(?:my|our) (?P<rest>.+)$", owner)
    if mine:
        inner = _mine(mine["rest"], reading, start + mine.start("rest"))
        if inner is None:
            return None
        if inner.relation:
            return replace(_attribute(inner.entity, rest, possessive=True), relation=inner.relation)
        return _attribute(named(mine["rest"]), rest, possessive=True)
    entity = identifier(owner.removeprefix("the "), "en")
    if entity is None and not is_name_like(owner, where, reading):
        return None
    return _attribute(entity or named(owner), rest, possessive=True)


def is_name_like(text: str, span: Span, reading: Reading) -> bool:
    """Whether a phrase is a name, with or without an article and a generic noun around it."""
    bare = pattern("en", "generic").match(text)
    name = bare["name"] if bare else text
    start = span.start + text.index(name)
    if reading.is_name(Span(start, start + len(name))):
        return True
    # "the office", "the mascot": a definite description in a few plain words names a thing as well.
    return bool(re.fullmatch(r"(?:the )(?:[a-z-]+ ){0,2}[a-z-]+", text)) and len(text) <= 40


def _plain(text: str, span: Span, reading: Reading) -> Subject | None:
    """A definite description ("the budget"), a name ("John"), or an attribute that is known ("lunch price")."""
    definite = re.match(r"^(?P<article>the|this|that|these|those) (?P<rest>.+)$", text)
    if definite:
        return _definite(definite["article"], definite["rest"], span, reading)
    if _is_somebody(text, span, reading):
        key = attribute_of(text)
        if is_relative(key):
            # "Grandma is 86": the speaker's own.
            return Subject(reading.speaker, key, possessive=True)
        if (is_known(key) and " " not in text) or text.startswith(("favourite", "favorite")):
            return _attribute(None, text, possessive=False)
        return Subject(named(text), possessive=True)
    common = re.fullmatch(r"[a-z][a-z-]*(?: [a-z-]+){0,2}", text)
    if common is None or (text.split()[0] in words("en", "no_names") or is_stop(text.split()[0])):
        return None
    return _attribute(None, text, possessive=False) if is_known(attribute_of(text)) or _is_dated(text) else None


def _is_dated(text: str) -> bool:
    """Whether a phrase names what has a time or an amount, also without an article: "dentist appointment"."""
    return bool(pattern("en", "occasion").search(text))


def _definite(article: str, phrase: str, span: Span, reading: Reading) -> Subject | None:
    known = is_known(attribute_of(phrase))
    if article != "the" and not known:
        return None
    name = named(phrase)
    start = span.end - len(phrase) + phrase.index(name)
    if not known and reading.is_name(Span(start, start + len(name))):
        return Subject(name, possessive=True)
    return _named_before(phrase, span, reading) or _attribute(None, phrase, possessive=False)


def _named_before(phrase: str, span: Span, reading: Reading) -> Subject | None:
    """A name and an attribute of it: "the Mercury project deadline"."""
    words_of = phrase.split()
    for cut in range(1, len(words_of)):
        name, rest = " ".join(words_of[:cut]), " ".join(words_of[cut:])
        start = span.end - len(phrase)
        whose = named(name)
        if (
            is_known(attribute_of(rest))
            and reading.is_name(Span(start, start + len(whose)))
            and not is_known(attribute_of(name))
        ):
            return _attribute(whose, rest, possessive=True)
    return None


def _is_somebody(text: str, span: Span, reading: Reading) -> bool:
    """Whether a phrase is a name, and not just a word that begins a sentence."""
    return reading.is_name(span) and text not in words("en", "no_names") and not (" " not in text and is_stop(text))


# --- Chinese ------------------------------------------------------------------------------------------------------


def _chinese(text: str, reading: Reading, antecedent: Antecedent) -> Subject | None:
    text = pattern("zh", "lead").sub("", text, count=1).strip(" 的")
    if pattern("zh", "oneself").fullmatch(text) or pattern("zh", "compared").search(text):
        return Subject(reading.speaker)
    if text in _PRONOUNS:
        return antecedent()
    entity = identifier(text, "zh")
    if entity:
        return Subject(entity, possessive=True)
    mine = pattern("zh", "mine").match(text)
    if mine:
        return _chinese_mine(mine.group(), text[mine.end() :], reading)
    his = pattern("zh", "his").match(text)
    if his:
        return _chinese_his(his, antecedent)
    relative = pattern("zh", "kin").match(text)
    if relative and mapping("zh", "relations")[relative.group(1)] not in words("en", "roles"):
        # 女儿叫一诺: somebody's daughter of whom nobody else is named is the speaker's.
        return _chinese_of(reading.speaker, text)
    placed = pattern("zh", "placed").match(text)
    return _chinese_placed(placed, antecedent) if placed else _chinese_named(text)


def _chinese_placed(match: re.Match[str], antecedent: Antecedent) -> Subject | None:
    """What stands at a place of a document (第3页的总金额): the document's, under a name that holds the place."""
    whose = identifier(match["owner"], "zh") or named(match["owner"]) if match["owner"] else None
    before = antecedent() if whose is None else None
    entity = before.entity if before is not None else whose
    if entity is None:
        # Pages of documents that nobody named would pass for pages of one.
        return None
    found = _chinese_of(entity, match["rest"])
    return replace(found, attribute=f"{match['place']}_{found.attribute}")


def _chinese_mine(owner: str, rest: str, reading: Reading) -> Subject | None:
    """What is the speaker's; without 的 between only what is known can be meant (我预算, not 我找到一个食谱)."""
    found = _chinese_of(reading.speaker, rest)
    return found if owner.endswith(("的", "家")) or _is_sure(found) else None


def _chinese_his(match: re.Match[str], antecedent: Antecedent) -> Subject | None:
    pronoun = match["who"]
    known = antecedent()
    who = known or Subject(pronoun if pronoun[0] in "他她它" else None)
    found = _chinese_of(who.entity, match["rest"])
    if (not match["of"] and not _is_sure(found)) or (known is None and found.relation):
        return None
    return replace(found, relation=who.relation) if who.relation and not found.relation else found


def _is_sure(subject: Subject) -> bool:
    return bool(subject.relation) or ":" in (subject.entity or "") or is_known(subject.attribute)


def _chinese_of(entity: str | None, rest: str) -> Subject:
    """What belongs to an entity: a relative (儿子), an attribute (预算), or an attribute of a relative (儿子的名字)."""
    relative = pattern("zh", "relative").match(rest)
    if relative:
        relation = mapping("zh", "relations")[relative.group(1)]
        remainder = rest[relative.end() :].removeprefix("的")
        if not remainder:
            return Subject(entity, relation=relation, possessive=True)
        return Subject(entity, relation, attribute_of(remainder), remainder, possessive=True)
    if "的" in rest and not rest.startswith("最"):
        owner, _, attribute = rest.rpartition("的")
        inner = identifier(owner, "zh") or (named(owner) if entity is not None else owner)
        if attribute and owner and not pattern("zh", "telling").search(owner):
            return Subject(inner, attribute=attribute_of(attribute), phrase=attribute, possessive=True)
    return Subject(entity, attribute=attribute_of(rest), phrase=rest, possessive=entity is not None)


def _chinese_named(text: str) -> Subject | None:
    """A name, an attribute, or both: 张伟, 预算, 阿波罗的最终预算, 订单12345的金额."""
    if not text or any(pattern("zh", name).search(text) for name in ("nobody_at_all", "no_subject")) or "岁" in text:
        return None
    favorite = pattern("zh", "favorite_of").match(text)
    if favorite:
        return _attribute(named(favorite["owner"]), favorite["attribute"], possessive=True)
    identified = pattern("zh", "identified").match(text)
    if identified:
        entity = _identity(identified, "zh")
        rest = text[identified.end() :].removeprefix("的")
        return _chinese_of(entity, rest) if rest else Subject(entity)
    if "的" in text and not text.startswith("最"):
        return _chinese_owned(text)
    key = attribute_of(text)
    if is_known(key):
        return Subject(None, attribute=key, phrase=text)
    return _compound(text) or (Subject(named(text), phrase=text) if len(text) <= _LONGEST_NAME else None)


def _chinese_owned(text: str) -> Subject | None:
    owner, _, attribute = text.rpartition("的")
    if not attribute or not owner or len(owner) > _LONGEST_NAME + 3:
        return None
    timed = pattern("zh", "when").fullmatch(owner)
    whose = None if timed or owner in words("zh", "no_owners") else identifier(owner, "zh") or named(owner)
    return Subject(whose, attribute=attribute_of(attribute), phrase=attribute, possessive=whose is not None)


def _compound(text: str) -> Subject | None:
    """A name and an attribute without 的 between: 阿波罗项目预算."""
    for cut in range(1, len(text) - 1 if not pattern("zh", "titled").fullmatch(text) else 0):
        key = attribute_of(text[cut:])
        if is_known(key) and not pattern("zh", "generic_noun").fullmatch(text[cut:]):
            if pattern("zh", "which").fullmatch(text[:cut]):
                # 旧手机 and 新手机 are two, and neither is the phone of somebody called 旧.
                return None
            owner = named(text[:cut]) if cut > 1 else ""  # Nobody is called 保: 保单号 is one word.
            return Subject(owner, attribute=key, phrase=text[cut:], possessive=True) if owner else None
    return None
