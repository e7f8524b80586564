"""What the answer says of errands: what was settled, or what was asked about them, with what else the turn noted."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..intents.domains import Domains
from ..intents.inquiries import Inquiry
from ..intents.outcomes import Outcome
from ..intents.records import read_records
from ..intents.replies import to_outcomes
from ..intents.telling import to_inquiry
from ..memory.calibration.questions import Question
from ..memory.records import Answer, Item
from ..prompts.library import Prompt
from ..prompts.reference import PromptRef
from .contract import Perceived, Resources
from .floor import noted_in, to_statement
from .prompting import prompt
from .release import Said
from .settling import looks, spans_of


@dataclass(frozen=True, slots=True)
class Errands:
    """What a turn did to errands, or asked about them."""

    turn: Perceived
    inquiry: Inquiry | None
    settled: Sequence[Outcome]
    domains: Domains

    def come_first(self, recall: bool) -> bool:
        """Whether they are told of before anything else: where nothing was changed, what is recalled answers better."""
        if self.inquiry is not None or not self.settled:
            return self.inquiry is not None
        return not recall or not all(looks(one, self.domains) for one in self.settled)

    def say(
        self, release: Said, question: Question, reply: Prompt, used: list[PromptRef], resources: Resources
    ) -> Answer | None:
        """Say what was done to errands, or is asked about them, and what else the turn noted.

        Returns:
            What was said of them; ``None`` where there was nothing to say.
        """
        if self.inquiry is None and not self.settled:
            return None
        wording = prompt("intent_reply", self.turn.language, resources)
        said = self._reply(wording, resources)
        if said is None:
            return None
        used.append(wording.ref)
        beside = self._beside(question, reply, resources)
        for one in filter(None, (said, beside)):
            release.say_answer(one)
        return said

    def _reply(self, wording: Prompt, resources: Resources) -> Answer | None:
        """The answer; ``None`` where their record bears none out."""
        turn, memory, domains = self.turn, resources.memory, resources.domains
        with memory.database.read() as connection:
            numbers = None if self.inquiry is None else self.inquiry.intents
            records = read_records(connection, turn.user_id, numbers)
        if self.inquiry is not None:
            return to_inquiry(self.inquiry, turn.language, domains, records, wording.render)
        said = memory.turns(turn.user_id, [turn.number])[turn.number] if turn.number is not None else None
        return to_outcomes(self.settled, said, turn.language, domains, records, wording.render)

    def _beside(self, question: Question, reply: Prompt, resources: Resources) -> Answer | None:
        """What the turn noted besides, in words of its own; ``None`` where there is nothing else."""
        others = [item for item in noted_in(self.turn, resources) if not self._is_of_them(item)]
        if self.inquiry is not None or not others:
            return None
        return to_statement(self.turn, question, reply, resources, only={item.number for item in others})

    def _is_of_them(self, item: Item) -> bool:
        """Whether an item is what a step left, closed or stated: the reply tells of it already."""
        touched = {number for one in self.settled for number in (one.left, *one.retracted)}
        about = {one.entity for one in self.settled}
        own = item.turn == self.turn.number and any(map(item.value_span.overlaps, spans_of(self.settled)))
        return item.number in touched or item.entity in about or own
