"""What the channels found for all queries of a turn, as columns: hundreds of hits are added up many times."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, get_args

import numpy as np
from numpy.typing import NDArray

from ..records import Channel, Hit

Scores = NDArray[np.float64]
_CHANNELS: tuple[Channel, ...] = get_args(Channel)


@dataclass(frozen=True, slots=True)
class Finds:
    """Hits in columns. Values per turn are in the order of ``turns``."""

    turns: NDArray[np.int64]
    """Every turn that was found, once, ascending."""
    place: NDArray[np.int64]
    """Of each hit, the place of its turn among ``turns``."""
    channel: NDArray[np.int64]
    query: NDArray[np.int64]
    score: Scores

    @classmethod
    def of(cls, hits: Sequence[Hit]) -> Self:
        """The columns of one hit or more."""
        numbers, channels, queries, scores, _ = zip(*hits, strict=True)
        turns, place = np.unique(np.array(numbers, dtype=np.int64), return_inverse=True)
        codes = {channel: code for code, channel in enumerate(_CHANNELS)}
        return cls(
            turns=turns,
            place=place,
            channel=np.array([codes[channel] for channel in channels], dtype=np.int64),
            query=np.array(queries, dtype=np.int64),
            score=np.array(scores, dtype=np.float64),
        )

    def summed(self, channel: Channel, weights: Scores) -> Scores:
        """Per turn, the channel's scores over all queries, each times its query's weight."""
        of = self._of(channel)
        return self._per_turn(of, weights[self.query[of]] * self.score[of])

    def summed_ranges(self, channel: Channel, weights: Scores, *, from_zero: bool) -> Scores:
        """The same with scores scaled to 0..1 for each query: from its worst, or from zero, to its best."""
        of = self._of(channel)
        query, score = self.query[of], self.score[of]
        low, high = np.full(len(weights), np.inf), np.full(len(weights), -np.inf)
        np.minimum.at(low, query, 0.0 if from_zero else score)
        np.maximum.at(high, query, score)
        width = (high - low)[query]
        scaled = np.where(width > 0.0, (score - low[query]) / np.where(width > 0.0, width, 1.0), 1.0)
        return self._per_turn(of, weights[query] * scaled)

    def best(self, channel: Channel) -> Scores:
        """Per turn, the channel's best score; 0 where it did not find the turn."""
        best = np.zeros(len(self.turns))
        of = self._of(channel)
        np.maximum.at(best, self.place[of], self.score[of])
        return best

    def at(self, numbers: NDArray[np.int64], values: Scores) -> Scores:
        """Values per turn, for turns of these numbers; 0 for those that were not found."""
        place = np.minimum(np.searchsorted(self.turns, numbers), len(self.turns) - 1)
        return np.where(self.turns[place] == numbers, values[place], 0.0)

    def _of(self, channel: Channel) -> NDArray[np.int64]:
        return np.flatnonzero(self.channel == _CHANNELS.index(channel))

    def _per_turn(self, of: NDArray[np.int64], values: Scores) -> Scores:
        return np.bincount(self.place[of], weights=values, minlength=len(self.turns)).astype(np.float64)
