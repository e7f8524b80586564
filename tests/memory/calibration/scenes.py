"""Hand-made conversations for the tests of calibration and grounding: turns and items without a store."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from veridical.memory.calibration.expansion import expand
from veridical.memory.calibration.questions import Listed, Question, Topic, analyse
from veridical.memory.calibration.rules import Calibration, calibrate
from veridical.memory.grounding.composer import compose
from veridical.memory.grounding.selection import select
from veridical.memory.language.folding import detect_language
from veridical.memory.language.tokens import content_stems
from veridical.memory.records import Act, Answer, Candidate, Evidence, Item, RecallFilter, Span, Turn
from veridical.prompts.library import load

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass
class Talk:
    """A conversation that grows turn by turn, and can be asked about."""

    zone: str = "UTC"
    now: datetime = START
    turns: dict[int, Turn] = field(default_factory=dict)
    items: dict[int, list[Item]] = field(default_factory=dict)
    topic: Topic = field(default_factory=Topic)

    def say(
        self,
        text: str,
        *,
        by: str = "user",
        at: datetime | None = None,
        session: str = "s1",
        act: Act | None = None,
    ) -> Turn:
        """Add a turn, one hour after the one before unless a time is given."""
        self.now = at or self.now + timedelta(hours=1)
        number = len(self.turns) + 1
        generated = by == "assistant"
        guessed: Act = "question" if text.rstrip().endswith(("?", "？")) else "statement"
        turn = Turn(
            user_id="local",
            number=number,
            session_id=session,
            position=sum(turn.session_id == session for turn in self.turns.values()),
            external_id=f"x{number}",
            role="assistant" if generated else "user",
            source="ai_generated" if generated else "user_input",
            speaker=by,
            text=text,
            language=detect_language(text),
            observed_at=self.now,
            time_zone=self.zone,
            recorded_at=self.now,
            act=act or guessed,
        )
        self.turns[number] = turn
        self.items[number] = []
        return turn

    def fact(self, turn: Turn, attribute: str, value: str, *, entity: str = "user", **changes: object) -> Item:
        """Add an item that quotes ``value`` from a turn; a single-valued one closes the one before it."""
        start = turn.text.index(value)
        item = Item(
            user_id="local",
            number=1 + sum(map(len, self.items.values())),
            kind="fact",
            entity=entity,
            attribute=attribute,
            value=value,
            normal=value.casefold(),
            value_type="text",
            unit=None,
            polarity="positive",
            single_valued=True,
            modality="asserted",
            source=turn.source,
            speaker=turn.speaker,
            turn=turn.number,
            value_span=Span(start, start + len(value)),
            quote_span=Span(0, len(turn.text)),
            quote=turn.text,
            confidence=1.0,
            observed_at=turn.observed_at,
            recorded_at=turn.recorded_at,
            valid_from=turn.observed_at,
            valid_to=None,
            closed_at=None,
            closed_by=None,
            superseded_by=None,
            due_at=None,
        )
        item = replace(item, **changes)
        if item.single_valued and item.kind == "fact":
            self._supersede(item)
        self.items[turn.number].append(item)
        return item

    def todo(self, turn: Turn, quote: str, *, done: bool = False) -> Item:
        """Add an errand."""
        start = turn.text.index(quote)
        ending: dict[str, object] = (
            {"valid_to": turn.observed_at, "closed_at": turn.observed_at, "closed_by": "completion"} if done else {}
        )
        return self.fact(
            turn,
            "todo",
            quote,
            kind="todo",
            single_valued=False,
            quote=quote,
            quote_span=Span(start, start + len(quote)),
            **ending,
        )

    def _supersede(self, new: Item) -> None:
        for known in self.items.values():
            for place, item in enumerate(known):
                same = (item.entity, item.attribute, item.single_valued) == (new.entity, new.attribute, True)
                if same and item.closed_at is None:
                    known[place] = replace(
                        item,
                        valid_to=new.valid_from,
                        closed_at=new.recorded_at,
                        closed_by="change",
                        superseded_by=new.number,
                    )

    def understand(self, text: str) -> Question:
        """Analyse a question asked one hour after the last turn."""
        return analyse(text, detect_language(text), self.now + timedelta(hours=1), self.zone, self.topic)

    def candidates(self, question: Question) -> list[Candidate]:
        """Every turn, those that share words with the expanded question first, the later ones first among equals."""
        queries, _ = expand(question)
        wanted = {word for query in queries for word in content_stems(query.text)}
        scored = [(len(wanted & set(content_stems(t.text))), n) for n, t in self.turns.items()]
        return [Candidate(turn=n, score=float(s)) for s, n in sorted(scored, reverse=True)]

    def calibrate(self, text: str, *, k: int = 10, limits: RecallFilter | None = None) -> Calibration:
        """Understand a question and calibrate every turn for it."""
        question = self.understand(text)
        limits = limits or expand(question)[1]
        return calibrate(question, self.candidates(question), self.turns, self.items, limits, k=k)

    def evidence(self, text: str, *, limits: RecallFilter | None = None) -> list[Evidence]:
        """The quotations chosen for a question."""
        question = self.understand(text)
        kept = self.calibrate(text, limits=limits).kept
        return select(question, kept, self.turns, self.items, limits=limits)

    def ask(self, text: str, *, limits: RecallFilter | None = None) -> Answer:
        """The floor's answer; follow-ups are resolved by what was asked and answered before."""
        question = self.understand(text)
        evidence = self.evidence(text, limits=limits)
        render = load("floor_reply", question.language).render
        answer = compose(question, evidence, self.turns, self.items, render=render)
        self.topic = replace(
            self.topic,
            question=text,
            earlier=(self.topic.question, *self.topic.earlier) if self.topic.question else (),
            answer_turns=tuple(one.turn for one in evidence),
            answer_items=tuple(number for one in evidence for number in one.items),
        )
        return answer

    def about(self, entity: str, *, known: Sequence[str] = (), listed: Sequence[Item] = ()) -> None:
        """Set the topic, as the memory state would."""
        self.topic = replace(
            self.topic,
            entity=entity or None,
            known=(*self.topic.known, *known),
            listed=tuple(Listed(item.turn, item.quote, item.number) for item in listed),
        )


def quoted(answer: Answer) -> list[str]:
    """The turn ids that an answer cites, in order."""
    return [citation.turn_id for citation in answer.citations]
