"""Writers of one process stand in line."""

import os
import threading
from itertools import groupby
from pathlib import Path

import pytest

from veridical.memory.storage.lines import Lines

pytestmark = pytest.mark.requirement("C36")


class Busy(Exception):
    pass


def test_writers_take_turns_however_often_each_comes_again(tmp_path: Path) -> None:
    lines, together, order = Lines(60, Busy), threading.Barrier(4), []

    def write(name: str) -> None:
        with (tmp_path / name).open("wb") as file:
            together.wait()
            for _ in range(40):
                with lines.first_in(["ann"]):
                    order.append(name)
                    file.write(b"x")
                    os.fsync(file.fileno())

    writers = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    longest = max(len(list(run)) for _, run in groupby(order[: len(order) // 2]))
    assert longest <= 4, order


def test_who_waited_for_too_long_is_told_and_leaves_no_gap() -> None:
    lines = Lines(0.01, Busy)
    with lines.first_in(["ann"]):
        raised: list[BaseException] = []

        def wait() -> None:
            try:
                with lines.first_in(["bob", "ann"]):
                    pass
            except Busy as error:
                raised.append(error)

        impatient = threading.Thread(target=wait)
        impatient.start()
        impatient.join()
        assert len(raised) == 1
        with lines.first_in(["bob"]):
            pass
    with lines.first_in(["ann", "bob"]):
        pass
