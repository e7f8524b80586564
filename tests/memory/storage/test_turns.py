"""The turn log keeps every utterance once, verbatim and in order."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from veridical.memory.records import NewTurn
from veridical.memory.storage import turns
from veridical.memory.storage.database import Database
from veridical.memory.storage.tables import outbox

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
USERS = ["a", "ab", "a_b", "a-b", "%", "a@b.example", "a.b", "用户"]


def said(text: str, *, user: str = "a", session: str = "s", external: str = "1") -> NewTurn:
    return NewTurn(
        user_id=user,
        session_id=session,
        external_id=external,
        role="user",
        source="user_input",
        speaker="user",
        text=text,
        language="en",
        observed_at=NOW - timedelta(days=1),
        time_zone="UTC",
        act="statement",
    )


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path)
    yield opened
    opened.close()


def test_a_turn_comes_back_as_it_was_said(database: Database):
    with database.write() as connection:
        turn, is_new = turns.append_turn(connection, said("  Ünïcode 你好\n"), now=NOW)
    with database.read() as connection:
        assert turns.get_turns(connection, "a", [turn.number]) == {turn.number: turn}
    assert is_new
    assert turn.text == "  Ünïcode 你好\n"


@pytest.mark.requirement("C20")
def test_a_turn_keeps_when_it_was_said_apart_from_when_it_was_recorded(database: Database):
    with database.write() as connection:
        turn, _ = turns.append_turn(connection, said("hello"), now=NOW)
    assert (turn.observed_at, turn.recorded_at) == (NOW - timedelta(days=1), NOW)


@pytest.mark.requirement("P3")
def test_the_same_identity_is_recorded_once_and_never_edited(database: Database):
    with database.write() as connection:
        first, _ = turns.append_turn(connection, said("first words"), now=NOW)
        again, is_new = turns.append_turn(connection, said("other words"), now=NOW)
        assert turns.count_turns(connection, "a") == 1
    assert (again, is_new) == (first, False)


@pytest.mark.requirement("IDS-PER-USER")
def test_numbers_run_per_user_and_positions_per_session(database: Database):
    with database.write() as connection:
        placed = [
            turns.append_turn(connection, said("x", user=user, session=session, external=external), now=NOW)[0]
            for user, session, external in [("a", "s", "1"), ("b", "s", "1"), ("a", "t", "1"), ("a", "s", "2")]
        ]
    assert [(turn.id, turn.position) for turn in placed] == [("t1", 0), ("t1", 0), ("t2", 0), ("t3", 1)]


@pytest.mark.requirement("P7")
def test_every_new_turn_leaves_an_outbox_row_in_its_transaction(database: Database):
    with database.write() as connection:
        turn, _ = turns.append_turn(connection, said("x"), now=NOW)
        assert connection.execute(select(outbox.c.turn)).scalars().all() == [turn.number]


@pytest.mark.requirement("P6", "C32")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(USERS), st.sampled_from(["s", "s/1", "%"])), max_size=20))
def test_users_whose_ids_resemble_each_other_are_never_mixed(database: Database, said_by: list[tuple[str, str]]):
    with database.write() as connection:
        before = {user: turns.count_turns(connection, user) for user in USERS}
        for user, session in said_by:
            last = turns.recent_turns(connection, user, 1)
            external = str(last[0].number + 1 if last else 1)
            turns.append_turn(connection, said(f"by {user}", user=user, session=session, external=external), now=NOW)
        for user in USERS:
            mine = turns.recent_turns(connection, user, 1000)
            assert len(mine) == before[user] + sum(1 for by, _ in said_by if by == user)
            assert {turn.text for turn in mine} <= {f"by {user}"}


def test_recent_turns_come_oldest_first_and_end_before_the_one_named(database: Database):
    with database.write() as connection:
        for number in range(1, 6):
            turns.append_turn(connection, said(str(number), external=str(number)), now=NOW)
        recent = turns.recent_turns(connection, "a", 2, session_id="s", before=5)
    assert [turn.text for turn in recent] == ["3", "4"]


@pytest.mark.requirement("THREAD-OWNER")
def test_a_thread_belongs_to_whoever_claims_it(database: Database):
    with database.write() as connection:
        assert turns.thread_owner(connection, "t") is None
        turns.claim_thread(connection, "t", "a", NOW)
        assert turns.thread_owner(connection, "t") == "a"


def test_a_naive_time_is_refused(database: Database):
    naive = replace(said("x"), observed_at=datetime(2026, 1, 1))  # noqa: DTZ001 - the fault under test
    with pytest.raises(Exception, match="naive"), database.write() as connection:
        turns.append_turn(connection, naive, now=NOW)
