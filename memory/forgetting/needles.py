"""Finding any of thousands of byte strings in files of any size, in one pass."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SHORTEST = 4
"""Bytes that a needle has at least: shorter ones occur in any file by chance."""
_BITS = 20
_FACTOR = np.uint32(2654435761)
_CHUNK = 1 << 22


class Found(NamedTuple):
    """Where a needle stands: its index among the needles, and the offset of its first byte."""

    needle: int
    offset: int


class Needles:
    """Byte strings to look for, by a table of their first four bytes; what the table lets pass is compared."""

    def __init__(self, needles: Sequence[bytes]) -> None:
        """Prepare the search; needles below ``SHORTEST`` bytes are never found."""
        self._needles = needles
        self._by_head: dict[bytes, list[int]] = {}
        for index, needle in enumerate(needles):
            if len(needle) >= SHORTEST:
                self._by_head.setdefault(needle[:SHORTEST], []).append(index)
        self._table = np.zeros(1 << _BITS, dtype=np.bool_)
        if self._by_head:
            heads = np.frombuffer(b"".join(self._by_head), dtype="<u4")
            self._table[_hashed(heads)] = True
        self._longest = max((len(needle) for needle in needles), default=SHORTEST)

    def in_bytes(self, data: bytes) -> Iterator[Found]:
        """Every occurrence in ``data``, in order."""
        for offset in self._heads(data):
            for index in self._by_head.get(data[offset : offset + SHORTEST], ()):
                if data.startswith(self._needles[index], offset) and self._stands_alone(index, data, offset):
                    yield Found(index, offset)

    def in_file(self, path: Path) -> Iterator[Found]:
        """Every occurrence in a file, in order, read piece by piece."""
        with path.open("rb") as file:
            base, held = 0, b""
            while piece := file.read(_CHUNK):
                data = held + piece
                # What begins in the last bytes may end in the next piece: it is looked at together with that.
                kept = max(len(data) - self._longest + 1, 0)
                yield from self._shifted(data, base, kept)
                base, held = base + kept, data[kept:]
            yield from self._shifted(held, base, len(held))

    def _shifted(self, data: bytes, base: int, end: int) -> Iterator[Found]:
        return (Found(index, base + offset) for index, offset in self.in_bytes(data) if offset < end)

    def _stands_alone(self, index: int, data: bytes, offset: int) -> bool:
        """Whether digits are a number of their own, and not a part of a score, of an id or of a longer number."""
        needle = self._needles[index]
        if not needle.isdigit():
            return True
        before, after = data[max(offset - 1, 0) : offset], data[offset + len(needle) : offset + len(needle) + 1]
        return not (before.isalnum() or before == b"." or after.isalnum())

    def _heads(self, data: bytes) -> Iterable[int]:
        if not self._by_head or len(data) < SHORTEST:
            return ()
        octets = np.frombuffer(data, dtype=np.uint8).astype(np.uint32)
        heads = octets[:-3] | octets[1:-2] << 8 | octets[2:-1] << 16 | octets[3:] << 24
        offsets: list[int] = np.flatnonzero(self._table[_hashed(heads)]).tolist()
        return offsets


def _hashed(heads: NDArray[Any]) -> NDArray[np.uint32]:
    return (heads.astype(np.uint32) * _FACTOR) >> np.uint32(32 - _BITS)
