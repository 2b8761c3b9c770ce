"""Golden playthroughs: they are recorded and replayed, and a difference is named."""

from pathlib import Path

import pytest

from bench.free_spots import FreeSpots, FreeSpotsOptions
from railbird_engine.kernel import playthroughs


class Newer(FreeSpots):
    version = 2


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    path = tmp_path / "playthroughs" / "short.json"
    playthroughs.record(FreeSpots(), 2, FreeSpotsOptions(boards=1), "golden", path)
    return path


def test_a_recorded_game_replays_to_the_same_bytes(recorded: Path) -> None:
    before = recorded.read_bytes()
    playthroughs.check(FreeSpots(), recorded, "make golden")
    playthroughs.record(FreeSpots(), 2, FreeSpotsOptions(boards=1), "golden", recorded)
    assert recorded.read_bytes() == before
    assert before.count(b"\n") == 1 + 1 + 69 + 1 + 1, "the head, 69 commits and the result"


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (b'"stake":1,"odds":"1x"', b'"stake":2,"odds":"1x"', "commit 1 replays differently"),
        (b'"ranking":[[', b'"ranking":[[7,', "the game ends differently"),
    ],
)
def test_a_difference_is_named(recorded: Path, old: bytes, new: bytes, found: str) -> None:
    content = recorded.read_bytes()
    assert old in content
    recorded.write_bytes(content.replace(old, new, 1))
    with pytest.raises(AssertionError, match=f"{found}; raise FreeSpots.version if version 1 was"):
        playthroughs.check(FreeSpots(), recorded, "make golden")


def test_a_playthrough_of_another_version_is_named(recorded: Path) -> None:
    with pytest.raises(
        AssertionError, match=r"is of free_spots 1; .* then regenerate: make golden"
    ):
        playthroughs.check(Newer(), recorded, "make golden")
