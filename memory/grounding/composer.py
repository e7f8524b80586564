"""The floor's answers: quotations with date, speaker and turn, or an honest refusal. No evidence is reworded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from ..calibration.asked import Question
from ..calibration.passages import Passage, is_interrogative
from ..records import Act, Answer, Citation, Evidence, Item, Language, Span, Turn
from .leading import lead_value
from .naming import attribute_label, entity_label
from .trimming import CHARACTERS, WORDS, size, trim
from .verifier import verify

Render = Callable[..., str]
"""Renders the template ``floor_reply`` in the answer's language with the variables that it declares."""

_MOST_QUOTATIONS = 2
_MOST_IN_STORY = 5
_FRAME = 9
"""Words (or characters) that the template puts around one quotation."""
_LEAST = 6
_MOST_NOTES = 4


@dataclass(frozen=True, slots=True)
class _Quotation:
    turn: Turn
    span: Span
    items: tuple[int, ...]

    @property
    def text(self) -> str:
        return self.span.cut(self.turn.text)


def compose(
    question: Question,
    evidence: Sequence[Evidence],
    turns: Mapping[int, Turn],
    items: Mapping[int, Sequence[Item]],
    *,
    render: Render,
) -> Answer:
    """Answer a question by quoting the evidence, or decline where there is none.

    At most 2 quotations within 60 words (120 Chinese characters), the best first; to a question about order, causes or
    a list up to 5, in the order of the evidence.

    Args:
        question: The understood question; its language is the answer's.
        evidence: What selection chose, in the order in which it is to be told.
        turns: The turns of the evidence, by number.
        items: The items of those turns, by turn number.
        render: The template.
    """
    chosen = [_quotation(one, turns) for one in evidence if one.turn in turns]
    if not chosen:
        return decline(question, render=render)
    tells = question.story or question.only_time or bool(question.kinds)
    quoted = _fitted(chosen, question, _MOST_IN_STORY if tells else _MOST_QUOTATIONS)
    lead = "" if tells else lead_value(question, quoted[0].turn, quoted[0].span, _items_of(quoted[0], items))
    text = _answer(render, question, quoted, lead, more=tells and len(chosen) > len(quoted))
    if size(text, question.language) > _limit(question) and not tells:
        text = _answer(render, question, quoted[:1], "", more=False)
        quoted = quoted[:1]
    shown = [Evidence(one.turn.number, one.span, 1.0, one.items) for one in quoted]
    claims = verify(text, shown, turns, question.language)
    if any(claim.verdict != "supported" for claim in claims):
        return decline(question, render=render)
    return Answer(text, False, "floor", tuple(claims), tuple(_citation(one) for one in quoted))


def decline(question: Question, *, render: Render) -> Answer:
    """The answer where the records do not suffice."""
    reply = "general" if question.general else "abstain"
    reply = "command" if question.asks == "command" else reply
    return Answer(_render(render, reply), True, "floor")


def acknowledge(
    act: Act,
    language: Language,
    recorded: Sequence[Item],
    closed: Sequence[Item],
    turns: Mapping[int, Turn],
    *,
    render: Render,
) -> Answer:
    """Answer what is no question: say what was noted, what it replaces and what is done, or reply fittingly.

    Args:
        act: What the turn does.
        language: The language to answer in.
        recorded: The items stored from the turn.
        closed: The items that the turn replaced, corrected, retracted or completed.
        turns: The turns of those items, by number.
        render: The template.
    """
    noted = [item for item in recorded if item.kind != "question"][:_MOST_NOTES]
    gone = [item for item in closed if item.superseded_by is None or item.closed_by == "completion"]
    if not noted and not gone:
        return Answer(_render(render, _quiet(act)), False, "floor")
    text = _render(
        render,
        "noted",
        notes=[_note(item, closed, turns, language) for item in noted],
        gone=[{"value": item.quote, "id": f"t{item.turn}", "done": item.closed_by == "completion"} for item in gone],
    )
    quoted = [_Quotation(turns[i.turn], i.quote_span, (i.number,)) for i in (*noted, *gone, *closed) if i.turn in turns]
    shown = [Evidence(one.turn.number, one.span, 1.0, one.items) for one in quoted]
    cited = {one.turn.number: one for one in reversed(quoted)}
    return Answer(
        text,
        False,
        "floor",
        tuple(verify(text, shown, turns, language)),
        tuple(_citation(one) for one in cited.values()),
    )


def _quiet(act: Act) -> str:
    if act in {"greeting", "leave", "small_talk", "acknowledgement"}:
        return act
    return "command" if act in {"correction", "request"} else "nothing"


def _note(item: Item, closed: Sequence[Item], turns: Mapping[int, Turn], language: Language) -> dict[str, object]:
    replaced = [old for old in closed if old.superseded_by == item.number and old.closed_by != "completion"]
    plain = item.kind in {"fact", "choice"} and item.polarity == "positive" and item.modality == "asserted"
    names = (entity_label(item, turns.get(item.turn), language), attribute_label(item.attribute, language))
    label = " ".join(name for name in names if name) if plain else ""
    return {
        "label": label,
        "value": item.value if plain else item.quote,
        "id": f"t{item.turn}",
        "replaces": [{"value": old.value, "id": f"t{old.turn}"} for old in replaced],
    }


def _quotation(evidence: Evidence, turns: Mapping[int, Turn]) -> _Quotation:
    return _Quotation(turns[evidence.turn], Span(*evidence.span), tuple(evidence.items))


def _limit(question: Question) -> int:
    return CHARACTERS if question.language == "zh" else WORDS


def _fitted(chosen: Sequence[_Quotation], question: Question, most: int) -> list[_Quotation]:
    """As many quotations as the limits allow, shortened where needed; the first is always there."""
    limit = _limit(question)
    if question.story or question.only_time or question.kinds:
        room = max(_LEAST, 2 * limit // max(1, min(most, len(chosen))) - _FRAME)
        return [_trimmed(one, question, room) for one in chosen[:most]]
    quoted = [_trimmed(chosen[0], question, limit - _FRAME - _LEAST)]
    left = limit - 2 * _FRAME - _LEAST - size(quoted[0].text, question.language)
    quoted.extend(one for one in chosen[1:most] if size(one.text, question.language) <= left)
    return quoted


def _trimmed(one: _Quotation, question: Question, room: int) -> _Quotation:
    return _Quotation(one.turn, trim(one.turn.text, one.span, question, room), one.items)


def _items_of(one: _Quotation, items: Mapping[int, Sequence[Item]]) -> list[Item]:
    """The items of a quotation, those that the evidence rests on first."""
    known = {item.number: item for item in items.get(one.turn.number, ())}
    return [known[number] for number in one.items if number in known]


def _answer(render: Render, question: Question, quoted: Sequence[_Quotation], lead: str, *, more: bool) -> str:
    quotes = [
        {
            "date": local_date(one.turn.observed_at, question.time_zone),
            "by": _speaker(one.turn),
            "asks": is_interrogative(Passage(one.turn, one.span)),
            "quote": one.text,
            "id": one.turn.id,
        }
        for one in quoted
    ]
    return _render(render, "answer", lead=lead, quotes=quotes, more=more)


def _speaker(turn: Turn) -> str:
    return "assistant" if turn.source == "ai_generated" else turn.speaker


def local_date(moment: datetime, time_zone: str) -> str:
    """The date of a moment in a zone, ISO 8601."""
    return moment.astimezone(ZoneInfo(time_zone)).date().isoformat()


def _render(
    render: Render,
    reply: str,
    *,
    lead: str = "",
    quotes: Sequence[Mapping[str, object]] = (),
    notes: Sequence[Mapping[str, object]] = (),
    gone: Sequence[Mapping[str, object]] = (),
    more: bool = False,
) -> str:
    return render(reply=reply, lead=lead, quotes=quotes, notes=notes, gone=gone, more=more)


def _citation(one: _Quotation) -> Citation:
    return Citation(
        id=f"f{one.items[0]}" if one.items else one.turn.id,
        turn_id=one.turn.id,
        external_id=one.turn.external_id,
        quote=one.text,
        observed_at=one.turn.observed_at,
        speaker=one.turn.speaker,
        source=one.turn.source,
    )
