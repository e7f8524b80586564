"""Whatever several users do in whatever order, nothing of one is in what another is told: by the memory itself."""

import json
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from veridical.graph.build import build_graph
from veridical.graph.recall import recall
from veridical.memory.correcting import correct
from veridical.memory.errors import ThreadOwned, VeridicalError
from veridical.memory.forgetting import What, forget, preview
from veridical.memory.handles import registry
from veridical.memory.handles.records import Handle, NewHandle, Origin, StaleVersion
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.records import NewTurn
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.items import list_items
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

from .told import SECRETS, USERS, examined, exported, strangers, told

WHO = st.integers(0, 3)
"""Few at a time, so that they meet in what they do."""
# Everybody's order has the same number.
ERRANDS = [
    "I ordered a {word} kettle, order #12345.",
    "Please cancel order #12345.",
    "Undo that.",
    "Remind me to call {word} tomorrow.",
    "我下了订单，订单号12345，是{word}水壶。",
    "取消订单12345。",
]
QUESTIONS = [
    "What is my locker code?",
    "What did I order?",
    "What is the status of order #12345?",
    "What is everybody's locker code?",
    "What do I have to do?",
    "我的订单怎么样了？",
]
COMPLAINTS = ["That is wrong.", "不对，你记错了。"]


class Users(RuleBasedStateMachine):
    """Users of one folder who do whatever can be done, each with a word of their own."""

    @initialize(users=st.lists(st.sampled_from(USERS), min_size=4, max_size=4, unique=True))
    def open_memory(self, users: list[str]) -> None:
        self.users = users
        self.folder = tempfile.TemporaryDirectory()
        self.memory = Memory(Path(self.folder.name) / "data", open_embedder("hashing:16"))
        self.seconds, self.leapt = count(), timedelta()
        self.resources = Resources(memory=self.memory, clock=self.clock, time_zone="UTC", summary_after=3)
        self.graph = build_graph(self.resources)
        self.handles: dict[str, list[Handle]] = {user: [] for user in users}
        self.said: dict[str, int] = dict.fromkeys(users, 0)

    def teardown(self) -> None:
        self.memory.close()
        self.folder.cleanup()

    def clock(self) -> datetime:
        return datetime(2026, 3, 2, 9, tzinfo=UTC) + self.leapt + timedelta(seconds=next(self.seconds))

    def _tell(self, user: str, text: str, *, session: str = "", record: bool = True) -> None:
        """Say something to the agent and hold what it answers to the promise."""
        self.said[user] += record
        session = session or f"talk {self.users.index(user)}"
        context = Context(user_id=user, session_id=session, record=record)
        result = self.graph.invoke({"messages": [("user", text)]}, context=context)
        heard = "\n".join([repr(result["answer"]), *(str(message.content) for message in result["messages"])])
        assert not strangers(user, heard), (user, text, heard)

    @rule(who=WHO, session=st.sampled_from(["s", "S", "%", ""]))
    def say(self, who: int, session: str) -> None:
        user = self.users[who]
        self.said[user] += 1
        text = f"My locker code is {SECRETS[user]}{self.said[user]}."
        name = f"x{self.said[user]}"
        new = NewTurn(
            user, session, name, "user", "user_input", "user", text, "en", self.clock(), "UTC", "statement"
        )  # fmt: skip
        self.memory.record(new, now=self.clock())

    @rule(who=WHO, line=st.sampled_from(ERRANDS))
    def run_an_errand(self, who: int, line: str) -> None:
        user = self.users[who]
        self._tell(user, line.format(word=SECRETS[user]))

    @rule(who=WHO, line=st.sampled_from(COMPLAINTS))
    def complain(self, who: int, line: str) -> None:
        user = self.users[who]
        self._tell(user, line)

    @rule(who=WHO, line=st.sampled_from(QUESTIONS), record=st.booleans())
    def ask(self, who: int, line: str, record: bool) -> None:
        user = self.users[who]
        self._tell(user, line, record=record)

    @rule(who=WHO, line=st.sampled_from(QUESTIONS))
    def search(self, who: int, line: str) -> None:
        user = self.users[who]
        found = json.dumps(recall(self.resources, line, Context(user_id=user, session_id="recall")))
        assert not strangers(user, found), (user, line, found)

    @rule(who=WHO, whose=WHO)
    def enter_anothers_conversation(self, who: int, whose: int) -> None:
        user, other = self.users[who], self.users[whose]
        if user != other and self.said[other]:
            self._tell(other, "Hello.")
            with pytest.raises(ThreadOwned) as raised:
                self._tell(user, "What is my locker code?", session=f"talk {self.users.index(other)}", record=False)
            assert not strangers(user, str(raised.value))

    @rule(who=WHO)
    def correct(self, who: int) -> None:
        user = self.users[who]
        with self.memory.database.write(user) as connection:
            found = list_items(connection, user, limit=1)
            if found:
                self.said[user] += 1
                value = f"{SECRETS[user]}c{self.said[user]}"
                correct(connection, user, found[0].number, value, time_zone="UTC", terminal="t", now=self.clock())

    @rule(who=WHO, ends=st.booleans())
    def register(self, who: int, ends: bool) -> None:
        user = self.users[who]
        end = self.clock() + timedelta(hours=1) if ends else None
        with self.memory.database.write(user) as connection:
            new = NewHandle("note", {"name": SECRETS[user]}, {"word": SECRETS[user]}, end)
            made = registry.register(connection, user, new, Origin("t", SECRETS[user]), now=self.clock())
        self.handles[user].append(made)

    @rule(who=WHO, behind=st.booleans())
    def change_a_handle(self, who: int, behind: bool) -> None:
        """Also with a version that is no longer the current one: the refusal tells of the handle as it stands."""
        user = self.users[who]
        if self.handles[user]:
            self.said[user] += 1
            known = self.handles[user][-1]
            if behind:
                with pytest.raises(StaleVersion) as raised:
                    self._change(user, known, known.version - behind)
                assert not strangers(user, f"{raised.value} {raised.value.current}")
            else:
                self.handles[user][-1] = self._change(user, known, known.version)

    def _change(self, user: str, handle: Handle, version: int) -> Handle:
        delta, now = {"word": f"{SECRETS[user]}v{self.said[user]}"}, self.clock()
        with self.memory.database.write(user) as connection:
            return registry.change(
                connection, user, handle.handle, delta, version=version, origin=Origin("t", SECRETS[user]), now=now
            )

    @rule()
    def let_handles_expire(self) -> None:
        self.leapt += timedelta(hours=2)
        with self.memory.database.write() as connection:
            registry.expire(connection, now=self.clock())
        for user, known in self.handles.items():
            self.handles[user] = [handle for handle in known if handle.expires_at is None]

    @rule(who=WHO)
    def add_document(self, who: int) -> None:
        user = self.users[who]
        text = f"The gate code is {SECRETS[user]}."
        self.memory.knowledge.add(user, ReadDocument("gate.md", "text/markdown", text, "en"), now=self.clock())

    @rule(who=WHO, whose=WHO)
    def ask_for_anothers(self, who: int, whose: int) -> None:
        """What is another's is not there, in the very words in which what nobody has is not there."""
        user, other = self.users[who], self.users[whose]
        if user == other or not self.handles[other]:
            return
        name, made_up = self.handles[other][0].handle, "mem_" + "0" * 24

        def change(wanted: str) -> None:
            origin, now = Origin("t", "s"), self.clock()
            with self.memory.database.write(user) as connection:
                registry.change(connection, user, wanted, {"word": "x"}, version=1, origin=origin, now=now)

        def read(wanted: str) -> None:
            with self.memory.database.read() as connection:
                registry.read(connection, user, wanted, now=self.clock())

        for do in (read, change):
            assert self._refused(do, name) == self._refused(do, made_up)

    def _refused(self, do: Callable[[str], None], wanted: str) -> tuple[type, str]:
        with pytest.raises(VeridicalError) as raised:
            do(wanted)
        return type(raised.value), str(raised.value).replace(wanted, "")

    @precondition(lambda self: any(self.said.values()))
    @rule(who=WHO, kind=st.sampled_from(["value", "source", "all"]))
    def forget(self, who: int, kind: str) -> None:
        """What is forgotten is gone from what its user is told; of the others' memories not a line is another one."""
        user = self.users[who]
        codes = tuple(f"{SECRETS[user]}{number}" for number in range(self.said[user] + 1))
        names = {"value": (SECRETS[user], *codes), "source": ("user_input",)}.get(kind, ())
        others = [other for other in self.users if other != user]
        before = [exported(self.memory, other, now=self.clock()) for other in others]
        planned = preview(self.memory, user, What(kind, names))
        report = forget(self.memory, None, user, What(kind, names), now=self.clock())
        assert not strangers(user, f"{planned} {report.document()}")
        # Of a value and a source others may speak by themselves: a document, a service.
        assert kind != "all" or SECRETS[user] not in "\n".join(told(self.memory, user, now=self.clock()))
        assert [exported(self.memory, other, now=self.clock()) for other in others] == before
        with self.memory.database.read() as connection:
            self.handles[user] = registry.list_handles(connection, user, now=self.clock())

    @rule(who=WHO)
    def see_the_doctor(self, who: int) -> None:
        user = self.users[who]
        self.memory.embed_waiting()
        assert not strangers(user, examined(self.memory, user))

    @invariant()
    def nobody_is_told_of_another(self) -> None:
        if not hasattr(self, "memory"):
            return
        for user in self.users:
            heard = "\n".join(told(self.memory, user, now=self.clock()))
            assert not strangers(user, heard), user


def _run(examples: int, steps: int) -> None:
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large]
    chosen = settings(max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=checks)
    run_state_machine_as_test(Users, settings=chosen)


@pytest.mark.requirement("ISOLATION", "P6", "C32", "C33")
def test_nothing_of_one_user_is_in_what_another_is_told() -> None:
    _run(examples=3, steps=15)


@pytest.mark.long
@pytest.mark.requirement("ISOLATION", "P6")
def test_nothing_of_one_user_is_in_what_another_is_told_whatever_they_do() -> None:
    _run(examples=60, steps=40)
