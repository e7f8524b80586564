"""Whatever several users do in whatever order, nothing of one is in what another is told: by the memory itself."""

import json
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from veridical.memory.bundles import export_bundle
from veridical.memory.correcting import correct
from veridical.memory.errors import VeridicalError
from veridical.memory.handles import history, registry
from veridical.memory.handles.records import NewHandle, Origin
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.records import NewTurn
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.events import events_after
from veridical.memory.storage.items import list_items
from veridical.memory.storage.turns import count_turns, list_sessions, recent_turns
from veridical.memory.store import Memory

# They resemble each other, differ in case or in how Unicode writes them, and hold what paths, SQL and LIKE read.
USERS = ["a", "A", "ab", "a_b", "a-b", "a%b", "%", "_", "..", "../a", "a/b", "a\\b", "'; --", "ann@example.com", "é", "e\u0301",
         "小明", "a ", "a\u200b", "local", "x" * 300]  # fmt: skip
SECRETS = {user: f"zq{place:02d}zq" for place, user in enumerate(USERS)}
"""One word that only its user ever says."""


class Users(RuleBasedStateMachine):
    """Users of one folder who say, note, correct and register things, each with a word of their own."""

    @initialize()
    def open_memory(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.memory = Memory(Path(self.folder.name) / "data", open_embedder("hashing:16"))
        self.now = datetime(2026, 3, 2, 9, tzinfo=UTC)
        self.handles: dict[str, list[str]] = {user: [] for user in USERS}
        self.said: dict[str, int] = dict.fromkeys(USERS, 0)

    def teardown(self) -> None:
        self.memory.close()
        self.folder.cleanup()

    def clock(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    @rule(user=st.sampled_from(USERS), session=st.sampled_from(["s", "S", "%", ""]))
    def say(self, user: str, session: str) -> None:
        self.said[user] += 1
        text = f"My locker code is {SECRETS[user]}{self.said[user]}."
        new = NewTurn(
            user,
            session,
            f"x{self.said[user]}",
            "user",
            "user_input",
            "user",
            text,
            "en",
            self.clock(),
            "UTC",
            "statement",
        )
        self.memory.record(new, now=self.clock())

    @rule(user=st.sampled_from(USERS))
    def correct(self, user: str) -> None:
        with self.memory.database.write(user) as connection:
            found = list_items(connection, user, limit=1)
            if found:
                self.said[user] += 1
                value = f"{SECRETS[user]}c{self.said[user]}"
                correct(connection, user, found[0].number, value, time_zone="UTC", terminal="t", now=self.clock())

    @rule(user=st.sampled_from(USERS))
    def register(self, user: str) -> None:
        with self.memory.database.write(user) as connection:
            new = NewHandle("note", {"name": SECRETS[user]}, {"word": SECRETS[user]})
            made = registry.register(connection, user, new, Origin("t", SECRETS[user]), now=self.clock())
        self.handles[user].append(made.handle)

    @rule(user=st.sampled_from(USERS))
    def add_document(self, user: str) -> None:
        text = f"The gate code is {SECRETS[user]}."
        self.memory.knowledge.add(user, ReadDocument("gate.md", "text/markdown", text, "en"), now=self.clock())

    @rule(user=st.sampled_from(USERS), other=st.sampled_from(USERS))
    def ask_for_anothers(self, user: str, other: str) -> None:
        """What is another's is not there, in the very words in which what nobody has is not there."""
        if user == other or not self.handles[other]:
            return
        name, made_up = self.handles[other][0], "mem_" + "0" * 24
        told = []
        for wanted in (name, made_up):
            with self.memory.database.read() as connection, pytest.raises(VeridicalError) as raised:
                registry.read(connection, user, wanted, now=self.now)
            told.append((type(raised.value), str(raised.value).replace(wanted, "")))
        assert told[0] == told[1]

    @invariant()
    def nobody_is_told_of_another(self) -> None:
        if not hasattr(self, "memory"):
            return
        for user in [one for one in USERS if self.said[one] or self.handles[one]][-4:]:
            told = "\n".join(self._told(user))
            strangers = [other for other in USERS if other != user and SECRETS[other] in told]
            assert strangers == [], (user, strangers)

    def _told(self, user: str) -> Iterator[str]:
        """Everything that the memory tells a user."""
        with self.memory.database.read() as connection:
            turns = recent_turns(connection, user, 100)
            assert count_turns(connection, user) == len(turns)
            assert {turn.user_id for turn in turns} <= {user}
            events = events_after(connection, user, 0, limit=100)
            assert [event.number for event in events] == list(range(1, len(events) + 1))
            yield repr(
                [turns, list_items(connection, user, live_only=False), list_sessions(connection, user, limit=50)]
            )
            yield json.dumps([history.event_json(event) for event in events])
            yield repr(
                [history.snapshot(connection, user, as_of=None), registry.list_handles(connection, user, now=self.now)]
            )
        yield self.memory.state(user).model_dump_json()
        yield repr([self.memory.knowledge.documents(user, everything=True), self.memory.answer(user)])
        path = Path(self.folder.name) / "export.jsonl"
        export_bundle(self.memory.database, user, path, now=self.now)
        yield path.read_text(encoding="utf-8")
        path.unlink()


def _run(examples: int, steps: int) -> None:
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    chosen = settings(max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=checks)
    run_state_machine_as_test(Users, settings=chosen)


@pytest.mark.requirement("ISOLATION", "P6", "C32", "C33")
def test_nothing_of_one_user_is_in_what_another_is_told() -> None:
    _run(examples=3, steps=12)


@pytest.mark.long
@pytest.mark.requirement("ISOLATION", "P6")
def test_nothing_of_one_user_is_in_what_another_is_told_whatever_they_do() -> None:
    _run(examples=60, steps=40)
