"""The measurement of live tables, on servers of its own."""

import json

import pytest

from tests.end_to_end.test_demo_and_bench import run_alone


@pytest.mark.slow
def test_live_tables_are_played_by_people_and_bots() -> None:
    done = run_alone("bench", "live", "--stages", "2", "4", "--seconds", "10", "--json")
    assert done.returncode == 0, done.stderr
    few, more = json.loads(done.stdout)["live"]
    assert (few["tables"], more["tables"]) == (2, 4)
    for stage in (few, more):
        assert stage["accepted"] > 0
        assert stage["commits_per_s"] * 10 > stage["accepted"], "bots and the clock commit as well"
