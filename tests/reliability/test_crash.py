"""Killed at any point of its work, the memory keeps what it acknowledged and puts itself right at its next start."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.reliability.lives import POINTS, Forge, Store
from tests.stores.servers import Postgres, chroma, postgres

_OF_A_STORE = 25
"""Kills that one store goes through: then it is a few hundred turns long, and the next one begins."""


@pytest.fixture(scope="module")
def forge() -> Iterator[Forge]:
    opened = Forge()
    yield opened
    opened.close()


def _killed(store: Store, kills: int) -> Counter[str]:
    """Let a store be killed so often; its last life is spared, so that it ends whole."""
    while store.kills.total() < kills:
        store.live()
        assert store.lives <= 3 * kills, "the kills miss"
    store.live(kill=False)
    return store.kills


def _killed_over(make: Callable[[int], Store], kills: int) -> Counter[str]:
    total: Counter[str] = Counter()
    for seed in range(kills // _OF_A_STORE):
        total += _killed(make(seed), _OF_A_STORE)
    operations = {name.partition(" at ")[0] for name in total}
    points = {name.partition(" at ")[2] for name in total}
    assert {"turn", "document", "forgetting", "importing", "reindexing"} <= operations, total
    assert {"statement", "commit", "seconds"} <= points <= set(POINTS), total
    print(f"killed {total.total()} times: {dict(sorted(total.items()))}")  # noqa: T201 - a figure of docs/reliability.md
    return total


def _tables_holding(server: Postgres, name: str, text: str) -> list[str]:
    """The tables of a database in which a text stands, as text or as bytes."""
    tables = [str(row[0]) for row in server.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", name)]
    needles = f"array['%{text}%', '%{text.encode().hex()}%']"
    found = 'SELECT 1 FROM "{}" AS whole WHERE whole::text LIKE ANY ({}) LIMIT 1'
    return [table for table in tables if server.run(found.format(table, needles), name)]


@pytest.mark.requirement("CRASH-SAFE", "P3", "P7")
def test_a_process_that_is_killed_loses_nothing_that_it_acknowledged(forge: Forge, tmp_path: Path) -> None:
    assert _killed(Store(forge, tmp_path / "data", seed=1), 8).total() == 8


@pytest.mark.long
@pytest.mark.requirement("CRASH-SAFE", "P3", "P7", "P8")
def test_a_hundred_and_fifty_kills_over_a_folder_lose_nothing(forge: Forge, tmp_path: Path) -> None:
    total = _killed_over(lambda seed: Store(forge, tmp_path / f"folder {seed}", seed=100 + seed), 150)
    assert total.total() == 150


@pytest.mark.long
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.requirement("CRASH-SAFE", "P3", "P7", "P8")
def test_seventy_five_kills_over_postgresql_and_a_chroma_server_lose_nothing(forge: Forge, tmp_path: Path) -> None:
    with ExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory(prefix="veridical-pg-")))
        server = stack.enter_context(postgres(home / "data"))
        chroma_url = stack.enter_context(chroma(tmp_path / "chroma"))

        def make(seed: int) -> Store:
            name = server.create()
            return Store(
                forge,
                tmp_path / f"servers {seed}",
                seed=200 + seed,
                database_url=server.url(name),
                chroma_url=chroma_url,
                elsewhere=partial(_tables_holding, server, name),
            )

        assert _killed_over(make, 75).total() == 75
