"""What talk holds besides claims: greetings, offers, and questions back, which may take nothing for granted."""

from collections.abc import Sequence
from datetime import UTC, datetime

from ..language.folding import fold
from ..records import Claim
from .checks import vocabulary
from .checks.reading import read
from .claims import split
from .support import speaks_of_the_past

_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_AROUND = " .。!！,，~～:：…"


def as_talk(text: str, said: str, known: Sequence[str]) -> list[Claim] | None:
    """The claims of a sentence that only keeps the talk going; ``None`` where it states something.

    A greeting or an offer claims nothing. Neither does a question, unless it takes for granted what the user has not
    said in this turn (a number, a date) or nobody has said (a name): then it is unsupported, like a statement.

    Args:
        text: one sentence of an answer.
        said: what the user says in this turn.
        known: the texts of the evidence.
    """
    if vocabulary.pattern("courtesies").fullmatch(fold(text).strip(_AROUND)):
        return []
    if split(text):
        reading = read(text, _NO_TIME, "UTC")
        return [] if reading.empty else None
    if _takes_for_granted(text, said, known):
        return [Claim(text, "unsupported", (), "it asks about what nobody has said")]
    return []


def _takes_for_granted(question: str, said: str, known: Sequence[str]) -> bool:
    asked, own = read(question, _NO_TIME, "UTC"), read(said, _NO_TIME, "UTC")
    values = {(value.normal, value.unit) for value in asked.values}
    times = {fold(time.span.cut(question)) for time in asked.times}
    times = {time for time in times if not vocabulary.pattern("at_present").fullmatch(time)}
    everything = fold(" ".join([said, *known]))
    return (
        not values <= {(value.normal, value.unit) for value in own.values}
        or not all(time in fold(said) for time in times)
        or not all(name in everything for name in asked.names)
        or speaks_of_the_past(question)
    )
