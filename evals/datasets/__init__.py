"""The data sets: each module reads the published form of one, and says what is wrong with a file that is not of it."""

from collections.abc import Callable

from ..records import Dataset, Source
from . import locomo

Loader = Callable[[Source], Dataset]

LOADERS: dict[str, Loader] = {
    "locomo": locomo.load,
}
"""The loaders by the name that ``veridical eval run`` takes."""
