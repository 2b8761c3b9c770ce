"""The soak: nothing grows while tables play for a long time. `SOAK_MINUTES` shortens it."""

import os
from pathlib import Path

import pytest

from tests.end_to_end.commands import measured
from tests.waiting import WITHIN_S

MINUTES = float(os.environ.get("SOAK_MINUTES", "30"))
WARM_MINUTES = min(10.0, MINUTES / 3)
GROWTH_MAX = 1.05
FEW = 8
"""Files and connections that pools may open later."""


@pytest.mark.slow
def test_nothing_grows_at_sixty_tables(tmp_path: Path) -> None:
    options = ("--tables", "60", "--minutes", str(MINUTES))
    samples = measured(tmp_path, "soak", *options, within_s=MINUTES * 60 + WITHIN_S)["soak"]
    warm = [each for each in samples if each["minute"] >= WARM_MINUTES]
    first, last = warm[0], warm[-1]
    assert last["commits"] > first["commits"]
    assert last["lost"] == 0
    for name in ("web", "worker"):
        assert last["memory_mb"][name] <= GROWTH_MAX * first["memory_mb"][name], name
        assert last["files"][name] <= first["files"][name] + FEW, name
    assert last["backends"] <= first["backends"] + FEW
