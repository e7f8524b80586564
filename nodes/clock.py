"""Measuring what a node spends."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


@contextmanager
def spent(name: str) -> Iterator[dict[str, float]]:
    """Yield a mapping that holds ``{name: milliseconds}`` once the block has ended."""
    timings: dict[str, float] = {}
    start = perf_counter()
    yield timings
    timings[name] = (perf_counter() - start) * 1000
