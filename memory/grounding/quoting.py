"""Quotations as an answer shows them: within its limits, with date, speaker and turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from ..calibration.asked import Question
from ..calibration.passages import Passage, is_interrogative
from ..records import Citation, Evidence, Item, Language, Reference, Span, Turn
from .trimming import CHARACTERS, WORDS, size, trim

Render = Callable[..., str]
"""Renders the template ``floor_reply`` in the answer's language with the variables that it declares."""

_FRAME = 9
"""Words (or characters) that the template puts around one quotation."""
_LEAD = 6
_LEAST = 6


@dataclass(frozen=True, slots=True)
class Quotation:
    """A span of a turn, with the items that it stands for."""

    turn: Turn
    span: Span
    items: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The words, exactly as in the turn."""
        return self.span.cut(self.turn.text)

    @property
    def evidence(self) -> Evidence:
        """The quotation as the verifier takes it."""
        return Evidence(self.turn.number, self.span, 1.0, self.items)

    @property
    def citation(self) -> Citation:
        """The quotation as an answer cites it."""
        return Citation(
            id=f"f{self.items[0]}" if self.items else self.turn.id,
            turn_id=self.turn.id,
            external_id=self.turn.external_id,
            quote=self.text,
            observed_at=self.turn.observed_at,
            speaker=self.turn.speaker,
            source=self.turn.source,
        )

    def known_items(self, items: Mapping[int, Sequence[Item]]) -> list[Item]:
        """The items that the quotation stands for, in its order."""
        known = {item.number: item for item in items.get(self.turn.number, ())}
        return [known[number] for number in self.items if number in known]


def limit_of(language: Language) -> int:
    """How long an answer may be, as its language counts."""
    return CHARACTERS if language == "zh" else WORDS


def in_limits(chosen: Sequence[Quotation], question: Question, most: int) -> list[Quotation]:
    """As many quotations as an answer's limits allow, shortened where needed; the first is always there."""
    language, limit = question.language, limit_of(question.language)
    quoted = [_trimmed(chosen[0], question, limit - _FRAME - _LEAD)]
    left = limit - 2 * _FRAME - _LEAD - size(quoted[0].text, language)
    return [*quoted, *(one for one in chosen[1:most] if size(one.text, language) <= left)]


def told_in_limits(chosen: Sequence[Quotation], question: Question, most: int) -> list[Quotation]:
    """The quotations of a story or a list, all of them shortened alike: together they may be twice as long."""
    room = 2 * limit_of(question.language) // max(1, min(most, len(chosen))) - _FRAME
    return [_trimmed(one, question, max(_LEAST, room)) for one in chosen[:most]]


def _trimmed(one: Quotation, question: Question, room: int) -> Quotation:
    return replace(one, span=trim(one.turn.text, one.span, question, room))


def shown(one: Quotation) -> dict[str, object]:
    """A quotation as the template shows it, dated by the clock where it was said, as the verifier reads it."""
    return {
        "date": local_date(one.turn.observed_at, one.turn.time_zone),
        "by": _bearer(one.turn),
        "asks": is_interrogative(Passage(one.turn, one.span)),
        "quote": one.text,
        "id": one.turn.mark,
    }


def _bearer(turn: Turn) -> str:
    if isinstance(turn, Reference):
        return "document"
    return "assistant" if turn.source == "ai_generated" else turn.speaker


def local_date(moment: datetime, time_zone: str) -> str:
    """The date of a moment in a zone, ISO 8601."""
    return moment.astimezone(ZoneInfo(time_zone)).date().isoformat()


def rendered(render: Render, reply: str, **given: object) -> str:
    """Render one kind of reply; what it does not need is empty."""
    empty: dict[str, object] = {"lead": "", "quotes": (), "notes": (), "gone": (), "more": False}
    return render(reply=reply, **(empty | given))
