"""Small readings of a claim: its subject as text, the members of a bare list, what it leaves to the question."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ..language.folding import fold
from ..language.sentences import clauses, sentences
from ..language.tokens import content_stems
from ..records import Turn
from .checks import vocabulary
from .checks.reading import Reading, denies
from .checks.roles import subject_of

_SEPARATORS = re.compile(r"\s*(?:[,，、;；]|\band\b|\bor\b|和|与|及)\s*")
_LONGEST_MEMBER = 3


def subject_text(reading: Reading) -> str:
    """The words of a statement's subject, where they stand for a person or a name."""
    subject = subject_of(reading)
    if subject.person in {"third", "other"}:
        return ""
    start = reading.folded.rfind(subject.rest)
    words = reading.text[:start].split() if start > 0 else []
    return words[-1] if words else reading.text[: max(0, start)]


def listed(text: str) -> list[str]:
    """The members of a text that is nothing but a list of short things."""
    members = [member for member in _SEPARATORS.split(text.strip(" .。")) if member.strip()]
    return members if all(len(content_stems(member)) <= _LONGEST_MEMBER for member in members) else []


def with_speaker(reading: Reading, turn: Turn) -> Reading:
    """A claim that begins with the Chinese name of the speaker, as a name: nothing else shows that it is one."""
    name = fold(turn.speaker)
    if name.isascii() or not reading.folded.lstrip(" ,，").startswith(name):
        return reading
    units = (unit.replace(name, "") for unit in reading.units)
    names = sorted({name, *reading.names}, key=reading.folded.find)
    return replace(reading, units=tuple(filter(None, units)), names=tuple(names))


def denies_in_part(text: str) -> bool:
    """Whether one clause of a statement denies and another one has a say as well: each is looked at by itself."""
    cut = [clause.cut(text) for sentence in sentences(text) for clause in clauses(text, sentence)]
    return len(cut) > 1 and any(map(denies, cut))


def leans(reading: Reading) -> bool:
    """Whether a claim begins with a pronoun and names nobody itself."""
    return not reading.names and vocabulary.pattern("leaning", "pronoun").match(reading.folded) is not None


def is_bare(reading: Reading) -> bool:
    """Whether a claim is an answer without its sentence: a value, a time, a single word."""
    said = [unit for unit in reading.units if not any(unit in name for name in reading.names)]
    return not said or (len(said) == 1 and not (reading.names or reading.values or reading.times))


def completed(reading: Reading, names: Sequence[str], terms: Sequence[str]) -> Reading:
    """A bare claim with what the question asked for."""
    added = [term for term in terms if not vocabulary.is_light(term) and not term.startswith("#")]
    units = tuple(dict.fromkeys((*reading.units, *added)))
    own = reading.names or tuple(names)
    return replace(reading, units=units, names=own)
