"""Turn after turn, what a turn takes and what the process holds stay as they were."""

from pathlib import Path

import pytest

from tests.reliability.soak import soak


@pytest.mark.requirement("SOAK")
def test_handles_and_checkpoints_do_not_grow_with_the_turns(tmp_path: Path) -> None:
    held = soak(tmp_path / "data", 24, every=8).held
    # The first turns open the connections that the later ones use.
    assert held[-1]["handles"] <= held[0]["handles"] + 4
    assert held[-1]["threads"] == held[0]["threads"]
    assert held[-1].get("checkpoints.db_mb", 0) < 2


@pytest.mark.long
@pytest.mark.requirement("SOAK")
def test_six_hundred_turns_take_no_more_time_and_memory_at_their_end_than_after_their_beginning(tmp_path: Path) -> None:
    measured = soak(tmp_path / "data", 600, every=50)
    warm, last = measured.held[3], measured.held[-1]
    assert last["handles"] == warm["handles"]
    assert last["own_mb"] <= 1.10 * warm["own_mb"]
    # The processor's time: what else the machine does is not the memory's doing.
    assert measured.p95("cpu", 400, 600) <= 1.5 * measured.p95("cpu", 100, 300)
