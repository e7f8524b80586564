"""How vectors of a store lie: their mean and spread, by which a cosine becomes a standard score.

Sentence embeddings crowd in a narrow cone: E5's cosines all lie between .7 and .9. Subtracting the mean opens the cone
(Mu and Viswanath, "All-but-the-Top", 2018), and a standard score says how unusual a likeness is in this store.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .embedders import Matrix, unit_rows

_PRIOR = 16.0
"""An unknown store's mean (nothing) and spread count like those of so many vectors: a small store's own are noise."""
_USUAL_SPREAD = 0.15


@dataclass(frozen=True, slots=True)
class Spread:
    """The centre of a store and the directions of a sample of its vectors around it."""

    centre: Matrix
    around: Matrix

    @classmethod
    def of(cls, sample: Matrix) -> Self:
        """Describe the vectors of a sample, shape ``(n, dimensions)``."""
        count = len(sample)
        centre = sample.sum(axis=0, dtype=np.float32) / np.float32(count + _PRIOR)
        return cls(centre, unit_rows(sample - centre))

    def standard_scores(self, queries: Matrix, rows: Matrix, among: Matrix | None = None) -> NDArray[np.float64]:
        """How like each row is to each query, in standard deviations above what is usual: ``(queries, rows)``.

        A query of zeros could not be embedded: no row is like or unlike it.

        Args:
            queries: what is asked.
            rows: what is scored.
            among: vectors of other texts of the queries' sort, where that is another sort than the store's.
        """
        centre = self.centre if among is None else among.mean(axis=0, dtype=np.float32)
        asked = unit_rows((queries - centre) * queries.any(axis=1, keepdims=True))
        usual = _products(asked, self.around)
        count = usual.shape[1]
        mean = usual.sum(axis=1) / (count + _PRIOR)
        squares = ((usual - mean[:, None]) ** 2).sum(axis=1) + _PRIOR * _USUAL_SPREAD**2
        found = _products(asked, unit_rows(rows - self.centre))
        return np.asarray((found - mean[:, None]) / np.sqrt(squares / (count + _PRIOR))[:, None])


def _products(left: Matrix, right: Matrix) -> NDArray[np.float64]:
    # Not by BLAS: for matrices of this size its threads wait for each other longer than they work.
    return np.asarray(np.einsum("ij,kj->ik", left, right), dtype=np.float64)
