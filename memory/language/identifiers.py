"""Names made of letters and digits: contacts, order numbers, document ids, field names, versions."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..records import Span
from . import resources

NameKind = Literal["identifier", "phone", "email", "url", "version"]


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier-like value of a text with its form for comparing."""

    kind: NameKind
    span: Span
    normal: str


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    return resources.compiled(resources.load("values")["identifiers"], name)


_CONTACTS: tuple[tuple[str, NameKind], ...] = (
    ("email", "email"),
    ("url", "url"),
    ("unique", "identifier"),
    ("phone", "phone"),
)


def find_contacts(folded: str) -> Iterator[Name]:
    """E-mail addresses, URLs, unique ids, IP addresses and phone numbers of a folded text, in order of precedence."""
    for name, kind in _CONTACTS:
        for match in _pattern(name).finditer(folded):
            piece = match.group().rstrip(".,;:!?)]}'\"<>") if kind == "url" else match.group()
            yield Name(kind, Span(match.start(), match.start() + len(piece)), _normal(kind, piece))


def _normal(kind: str, piece: str) -> str:
    if kind == "phone":
        digits = re.sub(r"\D", "", piece)
        return digits[2:] if len(digits) == 13 and digits.startswith("861") else digits
    return piece.upper() if kind == "identifier" else piece


def find_identifiers(text: str, folded: str) -> Iterator[Name]:
    """Identifiers and versions of a text (``folded`` is its folding): what is written as a name, not as an amount.

    ``#12345``, "order 12345", ABC123, INV-2024-001, CONTRACT_PAYMENT_5.2, field_names, number plates, v2.1. The earlier
    find takes precedence where two overlap.
    """
    yield from _all(folded, "tagged", "plate")
    for match in _pattern("named").finditer(folded):
        group = "id" if match["id"] else "id2"
        if _is_named(folded, match, match[group]):
            yield _name(folded, match.span(group))
    yield from (_version(folded, match) for match in _pattern("version").finditer(folded))
    for match in _pattern("mixed").finditer(folded):
        if _is_mixed_id(text[match.start("id") : match.end("id")], match["id"]):
            yield _name(folded, match.span("id"))
    yield from _all(folded, "snake", "long")


def _all(folded: str, *names: str) -> Iterator[Name]:
    for name in names:
        for match in _pattern(name).finditer(folded):
            yield _name(folded, match.span())


def _name(folded: str, place: tuple[int, int]) -> Name:
    return Name("identifier", Span(*place), folded[place[0] : place[1]].lstrip("# ").upper())


def _version(folded: str, match: re.Match[str]) -> Name:
    group = next(name for name in ("id", "id2", "id3", "id4") if match[name])
    start, end = match.span(group)
    return Name("version", Span(start, end), re.sub(r"^v(?:er(?:sion)?)?[. ]?", "", folded[start:end]))


def _is_named(folded: str, match: re.Match[str], body: str) -> bool:
    """Whether a number names: in "order 12345" it does, in "order 3 pizzas" and "to order 2000 bricks" it does not."""
    if match["id2"]:
        return len(body) > 1 or bool(match["n2"])
    if not body.isdigit():
        return _pattern("ordinary").fullmatch(body) is None
    if match["n"]:
        return True
    verb = _pattern("before_verb_order").search(folded[max(0, match.start() - 12) : match.start()])
    counted = _pattern("plural_after").match(folded, match.end())
    return len(body) >= 2 and not verb and not counted and not match["is"]


def _is_mixed_id(written: str, folded: str) -> bool:
    """Letters and digits together are an id when they look made up: capitals, a joiner, or several digits."""
    if _pattern("ordinary").fullmatch(folded):
        return False
    digits = sum(character.isdigit() for character in written)
    capital = any(character.isupper() for character in written)
    joined = "-" in written or "_" in written
    return capital or digits >= 3 or (joined and digits >= 1) or written[0].isalpha()
