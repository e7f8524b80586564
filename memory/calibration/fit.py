"""Whether a passage holds the kind of value that a question asks for: a time for "when", a person for "who"."""

import functools
import re
from datetime import datetime

from ..language.folding import CJK, fold
from ..language.times import find_times
from ..language.tokens import is_stop
from ..language.values import Value, find_values
from . import wording
from .parsing import NUMERIC, capitalised_names

_COUNTABLE = NUMERIC | {"version", "identifier", "phone", "time"}
_EXACT_KINDS = frozenset({"phone", "email", "url"})


def values_in(text: str, reference: datetime, time_zone: str) -> list[Value]:
    """The values of a text that are no part of a time expression."""
    spans = [time.span for time in find_times(text, reference, time_zone)]
    return [value for value in find_values(text) if not any(value.span.overlaps(span) for span in spans)]


def fits(expects: str | None, text: str, question: str, reference: datetime, time_zone: str) -> bool:
    """Whether ``text`` holds a value of the kind that ``expects`` names and that the question did not hold itself.

    Args:
        expects: amount, number, time, person, name, phone, email or url; None fits every text.
        text: The passage.
        question: The question's text: what it names itself answers nothing.
        reference: When the passage was said.
        time_zone: IANA name of the zone of its relative times.
    """
    if expects is None:
        return True
    if expects == "time":
        return bool(find_times(text, reference, time_zone)) or any(
            v.kind in {"date", "time"} for v in find_values(text)
        )
    if expects == "person":
        return _new_people(text, question)
    if expects == "name":
        return _new_people(text, question) or bool(wording.pattern("naming").search(fold(text)))
    asked = {value.normal for value in find_values(question)}
    found = [value for value in values_in(text, reference, time_zone) if value.normal not in asked]
    if expects in _EXACT_KINDS:
        return any(
            value.kind == expects or (expects == "phone" and value.kind in NUMERIC | {"identifier"}) for value in found
        )
    if expects == "amount":
        return any(value.kind in NUMERIC for value in found)
    return (
        any(value.kind in _COUNTABLE for value in found)
        or bool(wording.pattern("frequency").search(fold(text)))
        or any(value.kind == "quantity" and value.normal not in asked for value in find_values(text))
    )


def _new_people(text: str, question: str) -> bool:
    """Whether the text names somebody whom the question does not name; a speaker's "I" is somebody."""
    asked = fold(question)
    known = people(question)
    if any(one not in asked and not any(other in one for other in known) for one in people(text)):
        return True
    first_person = wording.pattern("first_person")
    return bool(first_person.search(fold(text))) and not first_person.search(asked)


def people(text: str) -> frozenset[str]:
    """What may name a person in a text: capitalised words, Chinese names by their surnames, relatives and roles."""
    folded = fold(text)
    found = set(capitalised_names(text))
    opening = re.match(r"\W*([A-Z][a-z]+)\b", text)
    if opening and not is_stop(fold(opening.group(1))):
        found.add(fold(opening.group(1)))
    found.update(match.group(1) for match in _chinese_name().finditer(folded))
    found.update(word for word in _roles_in(folded))
    return frozenset(found)


def _roles_in(folded: str) -> list[str]:
    chinese = [word for word in wording.words("persons") if word in folded]
    english = [match.group() for match in _english_role().finditer(folded)]
    return chinese + english


@functools.cache
def _english_role() -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(sorted(wording.words("persons_en"))) + r")\b")


@functools.cache
def _chinese_name() -> re.Pattern[str]:
    surnames = "".join(sorted(wording.surnames()))
    return re.compile(
        rf"(?:^|(?<![{CJK}])|(?<=[是叫由找给和跟与请让派姓，、。：]))((?:[小老阿大])?[{surnames}](?:[{CJK}]{{1,2}}|))(?=[{CJK}\W]|$)"
    )
