"""The scene of one recall: the question, the turns and what stands around them, the items, and the time meant."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from ..language.folding import fold
from ..records import Item, RecallFilter, Turn
from . import wording
from .asked import Question
from .parsing import capitalised_names
from .validity import Moment

_CONTEXT_TURNS = 2
_OPENING = re.compile(r"\W*([A-Z][a-z]+)\b")


@dataclass(frozen=True, slots=True)
class Scene:
    """What the passages of one recall are weighed in."""

    question: Question
    turns: Mapping[int, Turn]
    items: Mapping[int, Sequence[Item]]
    moment: Moment

    @classmethod
    def of(
        cls,
        question: Question,
        turns: Mapping[int, Turn],
        items: Mapping[int, Sequence[Item]],
        limits: RecallFilter | None,
    ) -> Self:
        """The scene of a question; the filter's times win over the question's."""
        limits = limits or RecallFilter()
        moment = Moment(question.asked_at, limits.as_of or question.as_of, limits.recorded_as_of)
        return cls(question, turns, items, moment)

    def every_item(self) -> list[Item]:
        """All items of all turns."""
        return [item for items in self.items.values() for item in items]

    def before(self, turn: Turn) -> list[Turn]:
        """The turns just before in the same session that tell what a turn is about, nearest first.

        A user's turn is explained by the user's own words, one of the assistant by what the assistant was asked.
        """
        near = self._near(turn)
        if turn.source != "ai_generated":
            near = [other for other in near if other.source == turn.source and other.act != "question"]
        return near[:_CONTEXT_TURNS]

    def answered(self, turn: Turn) -> Turn | None:
        """The question of another person to which the turn replies."""
        before = next((other for other in self._near(turn) if other.position == turn.position - 1), None)
        if before is None or before.speaker == turn.speaker or {before.source, turn.source} != {"user_input"}:
            return None
        return before if before.text.rstrip().endswith(("?", "？")) else None

    def opening_name(self, text: str) -> frozenset[str]:
        """The word that opens a text, folded, where other turns show that it is a name: they capitalise it too."""
        match = _OPENING.match(text)
        if match is None:
            return frozenset()
        word = fold(match.group(1))
        shown = any(
            match.group(1) in turn.text and word in capitalised_names(turn.text) for turn in self.turns.values()
        )
        return frozenset({word}) if shown else frozenset()

    def _near(self, turn: Turn) -> list[Turn]:
        found = [
            other
            for other in self.turns.values()
            if other.session_id == turn.session_id and 0 < turn.position - other.position <= 2 * _CONTEXT_TURNS
        ]
        return sorted(found, key=lambda other: -other.position)


def points_back(text: str) -> bool:
    """Whether a text of evidence leans on what was said before it ("it is due in May", 那个是周五)."""
    return bool(wording.pattern("anaphora").search(fold(text)))
