"""The threads beside a memory, for those who forget: opened only where there are any."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime

from ..memory.forgetting import Threads, replay
from ..memory.forgetting.ledger import FILE_NAME as LEDGER
from ..memory.store import Memory
from .checkpointer import FILE_NAME, open_checkpointer


@contextmanager
def open_threads(memory: Memory) -> Iterator[Threads | None]:
    """The checkpoints beside a memory; ``None`` where there are none in its folder, and none are made."""
    if not memory.database.on_server and not (memory.folder / FILE_NAME).is_file():
        yield None
        return
    saver = open_checkpointer(memory.folder, memory.database.url)
    with closing(saver.conn):
        yield saver


def forget_again(memory: Memory, *, now: datetime) -> int:
    """Forget what a restored backup has brought back; returns how many turns."""
    if not (memory.folder / LEDGER).is_file():
        return 0
    with open_threads(memory) as threads:
        return replay(memory, threads, now=now)
