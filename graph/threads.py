"""The threads beside a memory, for those who forget: opened only where there are any."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime

from ..memory.forgetting import Threads, replay
from ..memory.forgetting.forget import finish
from ..memory.forgetting.ledger import FILE_NAME as LEDGER
from ..memory.forgetting.unfinished import noted
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
    """Forget what a restored backup has brought back, and clean what a forgetting that was cut short left.

    Returns:
        How many turns were forgotten again.
    """
    known = (memory.folder / LEDGER).is_file()
    with memory.database.read() as connection:
        cut_short = noted(connection)
    if not known and not cut_short:
        return 0
    with open_threads(memory) as threads:
        finish(memory, threads, cut_short)
        return replay(memory, threads, now=now) if known else 0
