"""Many at once on one memory: no error, nothing lost, nothing twice, and each conversation in its order."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.reliability.conftest import World
from veridical.memory.records import NewTurn
from veridical.memory.storage.turns import count_turns

Open = Callable[..., World]


def _write(world: World, writer: int, count: int) -> list[str]:
    said = []
    for place in range(count):
        text, now = f"Crate {place} of writer {writer} holds {place} lamps.", world.clock()
        identity = (f"session {writer}", f"w{writer}-{place}")
        new = NewTurn("ann", *identity, "user", "user_input", "user", text, "en", now, "UTC", "statement")
        said.append(world.memory.record(new, now=now).turn.text)
    return said


def _writers_beside_readers(world: World, writers: int, each: int) -> None:
    over, seen = threading.Event(), []

    def read() -> int:
        counts = []
        while not over.is_set():
            counts.append(len(world.memory.turns("ann", range(1, 100))))
            world.memory.state("ann")
            world.memory.vectors.search("ann", world.memory.vectors.embed_queries(["lamps"]), 5)
        seen.extend(counts)
        return len(counts)

    with ThreadPoolExecutor(writers + 2) as pool:
        reading = [pool.submit(read) for _ in range(2)]
        try:
            said = [text for part in pool.map(lambda n: _write(world, n, each), range(writers)) for text in part]
        finally:
            over.set()
        assert all(future.result() for future in reading), "the readers read meanwhile"
    with world.memory.database.read() as connection:
        assert count_turns(connection, "ann") == writers * each
    held = world.memory.turns("ann", range(1, writers * each + 1))
    assert Counter(turn.text for turn in held.values()) == Counter(said)
    assert world.problems() == []


@pytest.mark.requirement("C36")
def test_writers_and_readers_at_once_see_no_error_and_leave_the_exact_count(open_world: Open):
    _writers_beside_readers(open_world(), 8, 6)


@pytest.mark.long
@pytest.mark.requirement("C36")
def test_eight_threads_of_two_hundred_writes_beside_readers_see_no_error_and_leave_the_exact_count(open_world: Open):
    _writers_beside_readers(open_world(), 8, 200)


def _talks(world: World, sessions: int, turns: int) -> None:
    """Conversations of one user at once; each takes leave in between, so that summaries are made while turns arrive."""

    def talk(session: int) -> list[str]:
        answers = []
        for place in range(turns):
            line = "Thanks, bye!" if place % 3 == 2 else f"The budget of shelf {session} is {place + 20} dollars."
            answers.append(world.say(line, session=f"talk {session}"))
        answers.append(world.say(f"What is the budget of shelf {session}?", session=f"talk {session}"))
        return answers

    with ThreadPoolExecutor(sessions) as pool:
        answered = list(pool.map(talk, range(sessions)))
    last = max(place for place in range(turns) if place % 3 != 2) + 20
    assert [str(last) in answers[-1] for answers in answered] == [True] * sessions
    with world.memory.database.read() as connection:
        assert count_turns(connection, "ann") == sessions * (turns + 1) * 2
    for session in range(sessions):
        said = world.memory.opening("ann", f"talk {session}", 100)
        assert [turn.role for turn in said] == ["user", "assistant"] * (turns + 1)
        # What no summary covers is what was said since the last leave was taken.
        covered = (turns // 3) * 6
        assert len(world.memory.unsummarised("ann", f"talk {session}")) <= len(said) - covered + 1
    assert world.problems() == []


@pytest.mark.requirement("C36", "C28")
def test_chats_of_one_user_at_once_are_each_answered_and_summarised_while_turns_arrive(open_world: Open):
    _talks(open_world(), sessions=4, turns=3)


@pytest.mark.long
@pytest.mark.requirement("C36", "C28")
def test_sixteen_chats_of_one_user_at_once_are_each_answered_and_summarised(open_world: Open):
    _talks(open_world(), sessions=16, turns=12)
