"""The releases in `schema/releases/`: documents, commits, and histories that stay true."""

import re
from pathlib import Path

import pytest

from railbird_engine.audit.__main__ import NEEDED, OK, main

RELEASES = Path(__file__).parents[2] / "schema" / "releases"
ALL = sorted(path.name for path in RELEASES.iterdir())


def test_the_first_release_is_here() -> None:
    assert "0.1.0" in ALL


@pytest.mark.parametrize("version", ALL)
def test_a_release_has_its_documents_and_its_commit(version: str) -> None:
    folder = RELEASES / version
    documents = {"openapi.yaml", "asyncapi.yaml", "schema.graphql", "games"}
    assert documents < {path.name for path in folder.iterdir()}
    assert re.fullmatch(r"[0-9a-f]{40}\n", (folder / "commit").read_text())


@pytest.mark.parametrize("version", ALL)
def test_a_history_of_a_release_is_never_called_altered(
    version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RELEASES / version
    code = main(["verify", str(folder / "game.bundle"), "--key", str(folder / "log_keys")])
    told = capsys.readouterr().out
    is_verified = (code, "verified: 1 game (" in told) == (OK, True)
    assert is_verified or (code, ": needs the verifier of release " in told) == (NEEDED, True), told
