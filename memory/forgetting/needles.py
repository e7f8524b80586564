"""Finding any of thousands of byte strings in files of any size, in one pass."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SHORTEST = 4
"""Bytes that a needle has at least: shorter ones occur in any file by chance."""
_BITS = 20
_LONG = 8
"""Bytes by which longer needles are told apart before they are compared: four are the same in too many words."""
_FACTOR = np.uint32(2654435761)
_OTHER_FACTOR = np.uint32(2246822519)
_CHUNK = 1 << 22


class Found(NamedTuple):
    """Where a needle stands: its index among the needles, and the offset of its first byte."""

    needle: int
    offset: int


class Needles:
    """Byte strings to look for, by tables of their first bytes; what the tables let pass is compared."""

    def __init__(self, needles: Sequence[bytes]) -> None:
        """Prepare the search; needles below ``SHORTEST`` bytes are never found."""
        self._needles = needles
        # By head, then by length: many needles may begin alike, and few lengths differ.
        self._by_head: dict[bytes, dict[int, dict[bytes, int]]] = {}
        for index, needle in enumerate(needles):
            if len(needle) >= SHORTEST:
                lengths = self._by_head.setdefault(needle[:SHORTEST], {})
                lengths.setdefault(len(needle), {})[needle] = index
        short = {needle[:SHORTEST] for needle in needles if SHORTEST <= len(needle) < _LONG}
        long = {needle[:_LONG] for needle in needles if len(needle) >= _LONG}
        self._short = _table(_hashed(_words(short)))
        self._heads_of_long = _table(_hashed(_words({head[:SHORTEST] for head in long})))
        halves = _words(long)
        self._long = _table(_hashed_pair(halves[0::2], halves[1::2]))
        self._longest = max((len(needle) for needle in needles), default=SHORTEST)

    def in_bytes(self, data: bytes) -> Iterator[Found]:
        """Every occurrence in ``data``, in order."""
        for offset in self._heads(data):
            lengths = self._by_head.get(data[offset : offset + SHORTEST])
            for length, known in lengths.items() if lengths else ():
                index = known.get(data[offset : offset + length])
                if index is not None and self._stands_alone(index, data, offset):
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
        hashed = _hashed(heads)
        begun = np.flatnonzero(self._heads_of_long[hashed])
        begun = begun[begun + SHORTEST < len(heads)]
        long = begun[self._long[_hashed_pair(heads[begun], heads[begun + SHORTEST])]]
        offsets: list[int] = np.union1d(np.flatnonzero(self._short[hashed]), long).tolist()
        return offsets


def _words(heads: set[bytes]) -> NDArray[np.uint32]:
    """Byte strings of whole words, one after the other."""
    return np.frombuffer(b"".join(sorted(heads)), dtype="<u4").astype(np.uint32)


def _table(hashes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    table = np.zeros(1 << _BITS, dtype=np.bool_)
    table[hashes] = True
    return table


def _hashed_pair(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.uint32]:
    return _hashed(first ^ (second.astype(np.uint32) * _OTHER_FACTOR))


def _hashed(heads: NDArray[Any]) -> NDArray[np.uint32]:
    return (heads.astype(np.uint32) * _FACTOR) >> np.uint32(32 - _BITS)
