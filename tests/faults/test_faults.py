"""A few faults of each sort; `python -m tests.faults` injects thousands."""

from pathlib import Path

import pytest

from tests.faults.campaign import table
from tests.faults.cluster import Cluster
from tests.faults.rounds import Round, Struck, append, play_round, read

pytestmark = pytest.mark.xdist_group("clock")

KINDS = ["cut client", "cut PostgreSQL", "half-open Valkey", "kill worker"]

KILL = Struck(
    seed=1,
    kind="kill web",
    of_connections=False,
    faults=1,
    at=0.0,
    recovery_ms=700,
    starting_ms=400,
    lost=1,
    late_ms=90,
)
ROUND = Round(
    seed=1, web=2, load=1.5, games=4, accepted=9, refused=1, commits=9, findings=[], struck=[KILL]
)


@pytest.mark.slow
async def test_faults_lose_and_double_nothing(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, web=2, workers=1, servers=[])
    await cluster.start()
    try:
        played = await play_round(cluster, 1, KINDS, tables=4, waves_max=2)
    finally:
        await cluster.stop()
    assert played.findings == []
    assert [struck.kind for struck in played.struck] == KINDS
    assert not any(struck.lost or struck.doubled for struck in played.struck)
    assert all(struck.late_ms is not None for struck in played.struck)
    assert played.accepted > len(KINDS)


def test_results_are_appended_and_summed_up(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    assert read(results) == []
    append(results, ROUND)
    append(results, ROUND)
    assert read(results) == [ROUND, ROUND]
    summary = table(read(results))
    assert "| kill web | 2 | 2 | 2 | 0 | 700 | 700 | 400 | 90 |" in summary
    assert "2 rounds (2 on 2 web), 8 games, 18 accepted and 2 refused commands" in summary
