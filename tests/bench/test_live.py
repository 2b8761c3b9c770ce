"""The measurement of live tables, on servers of its own."""

from pathlib import Path

import pytest

from tests.end_to_end.commands import measured


@pytest.mark.slow
def test_live_tables_are_played_by_people_and_bots(tmp_path: Path) -> None:
    stages = ("--stages", "2", "4", "--seconds", "10")
    few, more = measured(tmp_path, "live", *stages)["live"]
    assert (few["tables"], more["tables"]) == (2, 4)
    for stage in (few, more):
        assert stage["accepted"] > 0
        assert stage["commits_per_s"] * 10 > stage["accepted"], "bots and the clock commit as well"
