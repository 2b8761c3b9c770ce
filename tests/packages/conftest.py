"""Tests of packages. Those that use the database ask for it."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from packages import build
from tests import servers  # noqa: F401 -- sets Django up


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The built wheels, by the name of their package."""
    if not (build.SITE / "index.html").is_file():
        subprocess.run([".ci/run", "docs"], cwd=build.ROOT, check=True)
    files = build.wheels(tmp_path_factory.mktemp("wheels"))
    return {file.name.partition("-")[0]: file for file in files}
