"""Which values may be believed of which attributes, and of what a value of another sort is stated instead."""

import re

from ..language.lexicon import FAVORITE, of_relative
from .patterns import mapping, words
from .quoting import Quoted
from .reading import Clause, Reading
from .subjects import Subject, is_known

LISTED = frozenset(["hobby", "skill", "allergies", "spoken_language", "instrument"])
"""Attributes of which one usually names several at once."""
_UNMEASURED = frozenset(["password", "phone", "email", "address", "name", "nickname", "license_plate"])
"""Attributes of which a measure is not the value: "the password has 12 characters"."""


def fits(reading: Reading, clause: Clause, attribute: str, value: Quoted, subject: Subject) -> bool:
    """Whether a value may be believed of an attribute.

    A known attribute takes what its check lets through; one that the lexicon does not know takes numbers, dates and the
    like, names, and short descriptions of what is somebody's own.
    """
    typed = value.value_type != "text" or value.time is not None
    untimely = value.time is not None and attribute.startswith(FAVORITE)
    untimely = untimely or (value.time is None and value.value_type != "date" and attribute.endswith(_TEMPORAL))
    measured = value.value_type in {"quantity", "percent"} and of_relative(attribute)[1] in _UNMEASURED
    # Where somebody lives or works is no number: "her home is 120 m2" tells its size.
    counted = value.value_type in {"quantity", "percent", "amount", "number"} and attribute.replace(
        "_", " "
    ) in mapping("en", "named")
    if untimely or measured or counted or value.normal in {attribute, subject.phrase}:
        return False
    if typed or check_of(attribute) == "typed":
        return typed
    return is_known(attribute) or _is_own_and_plain(reading, clause, value, subject)


def _is_own_and_plain(reading: Reading, clause: Clause, value: Quoted, subject: Subject) -> bool:
    if clause.language == "zh":
        return subject.possessive and len(value.normal) <= 12
    if reading.is_name(value.span):
        return True
    plain = len(value.normal.split()) <= 2 and not _ADJECTIVE.search(value.normal)
    return subject.possessive and plain and " " not in subject.phrase.strip().replace("-", "")


_TEMPORAL = ("_time", "_date", "deadline", "birthday", "anniversary")
"""Endings of attributes that only a time can be the value of."""
_ADJECTIVE = re.compile(r"(?:ing|ed|ive|ous|ful|less|able|ible|ic|al|ish|some)$")
"""Endings of words that judge rather than say which one."""


def check_of(attribute: str) -> str:
    """What the value of an attribute has to be, as a check of ``quote``."""
    name = attribute.replace("_", " ")
    if attribute in LISTED:
        return "listed"
    where = mapping("both", "where")
    if name in where or attribute in where.values():
        return "any"
    if name in mapping("en", "typed"):
        return "typed"
    if name in mapping("en", "named"):
        return "any_name" if attribute in {"name", "nickname"} else "name"
    return "loose" if name in mapping("en", "loose") else "any"


def of_thing(subject: Subject, own: str) -> str | None:
    """The attribute of what a phrase names as a thing: the price of a server, of a wedding (whose date is another).

    What is itself a measure (a budget, a deposit) has none.
    """
    if subject.attribute in words("en", "money"):
        return None
    return f"{_WHEN.sub('', subject.attribute)}_{own}"


_WHEN = re.compile(r"_(?:date|time)$")


def stated_of(subject: Subject, attribute: str, value: Quoted) -> str:
    """The attribute that a value is stated of.

    "The meeting is in room 4" says where it is, "the hotel is 300 euros" what it costs.
    """
    if value.time is not None:
        return attribute
    measured = attribute in words("en", "money") or attribute in mapping("en", "loose")
    if value.value_type == "amount" and is_known(attribute) and not measured and attribute == subject.attribute:
        return of_thing(subject, "price") or attribute
    return mapping("both", "where").get(attribute.replace("_", " "), attribute)
