"""Users who resemble each other, a word of each that nobody else says, and everything that the memory tells one."""

import json
import re
from collections.abc import Iterator
from datetime import datetime

from veridical.memory.bundles import export_bundle
from veridical.memory.doctor import examine
from veridical.memory.handles import history, registry
from veridical.memory.storage.events import events_after
from veridical.memory.storage.intents import list_intents, steps_of
from veridical.memory.storage.items import list_items
from veridical.memory.storage.summaries import list_summaries
from veridical.memory.storage.turns import count_turns, list_sessions, recent_turns
from veridical.memory.store import Memory

# They resemble each other, differ in case or in how Unicode writes them, and hold what paths, SQL and LIKE read.
USERS = ["a", "A", "ab", "a_b", "a-b", "a%b", "%", "_", "..", "../a", "a/b", "a\\b", "'; --", "ann@example.com", "é", "e\u0301",
         "小明", "a ", "a\u200b", "local", "x" * 300]  # fmt: skip
SECRETS = {user: f"zq{place:02d}zq" for place, user in enumerate(USERS)}
"""One word that only its user ever says."""
_ANY = re.compile(r"zq\d\dzq")


def strangers(user: str, told: str) -> set[str]:
    """The words of others in what a user is told."""
    return set(_ANY.findall(told)) - {SECRETS[user]}


def told(memory: Memory, user: str, *, now: datetime) -> Iterator[str]:
    """Everything that the memory tells a user."""
    with memory.database.read() as connection:
        turns = recent_turns(connection, user, 200)
        assert count_turns(connection, user) == len(turns)
        assert {turn.user_id for turn in turns} <= {user}
        events = events_after(connection, user, 0, limit=200)
        assert [event.number for event in events] == list(range(1, len(events) + 1))
        yield repr([turns, list_items(connection, user, live_only=False), list_sessions(connection, user, limit=50)])
        yield json.dumps([history.event_json(event) for event in events])
        yield repr(
            [
                history.present(connection, user),
                history.snapshot(connection, user, now),
                registry.list_handles(connection, user, now=now),
            ]
        )
        errands = list_intents(connection, user)
        yield repr([errands, steps_of(connection, user, [one.number for one in errands])])
        yield repr(list_summaries(connection, user, limit=50))
    yield memory.state(user).model_dump_json()
    yield repr(memory.knowledge.documents(user, everything=True))
    yield json.dumps(list(_answers(memory, user)))
    yield "\n".join(exported(memory, user, now=now))


def _answers(memory: Memory, user: str) -> Iterator[object]:
    """The last answer's trace, and that of every one: numbers are each user's own."""
    last = memory.answer(user)
    if last is not None:
        newest = int(last["answer_id"].removeprefix("a"))
        yield from (memory.answer(user, number) for number in range(newest + 2))


def examined(memory: Memory, user: str) -> str:
    """What the doctor says of a user's memory."""
    report = examine(memory.database, embedder=memory.embedder.name, index=memory.vectors, user_id=user)
    assert report.healthy, report.document()
    return json.dumps(report.document())


def exported(memory: Memory, user: str, *, now: datetime) -> list[str]:
    """The lines of a user's bundle, without its head, in which the time stands."""
    path = memory.folder.with_name("export.jsonl")
    export_bundle(memory.database, user, path, now=now, replace=True)
    return path.read_text(encoding="utf-8").splitlines()[1:]
