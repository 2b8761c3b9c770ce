"""The example of a game in a package of its own, and the games that `new_game` writes."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from packages import build

EXAMPLE = build.ROOT / "examples" / "crown_and_anchor"


def python(
    folder: Path, *arguments: str | Path, code: int = 0, variables: Mapping[str, str] = {}
) -> str:
    """Run Python in a folder, and return what it printed."""
    paths = os.pathsep.join([str(folder), str(folder / "engine"), str(build.ROOT)])
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1", "COLUMNS": "200", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_crown_and_anchor_conforms() -> None:
    pytest_alone = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull)
    assert "passed" in python(EXAMPLE, *pytest_alone, "--rootdir", ".")


@pytest.mark.slow
def test_a_new_game_outside_the_server_passes_all_checks(tmp_path: Path) -> None:
    folder = tmp_path / "dice"
    told = python(build.ROOT, "manage.py", "new_game", "under_and_over", "--outside", folder)
    written = [Path(name) for name in re.findall(r"^written (.*)$", told, re.MULTILINE)]
    assert written
    assert all(path.is_file() for path in written)
    assert not re.search("coin.?toss", told, re.IGNORECASE)
    assert f"bin/uv pip install --editable {folder}\n" in told
    assert f"bin/uv run manage.py check_game under_and_over --tests {folder / 'tests'}\n" in told
    assert (folder / "tests" / "playthroughs" / "default.json").is_file()
    for looks in (["check", "--select", "I"], ["format", "--check"]):
        options = ["--isolated", "--quiet", "--line-length", "100"]
        python(folder, "-m", "ruff", *looks, *options, ".")
    page = folder / "docs" / "games" / "under_and_over.md"
    generated = page.read_text()
    assert "## Commands" in generated
    check = ("manage.py", "check_game", "under_and_over", "--tests", folder / "tests")
    variables = {"EXTRA_RULES": "under_and_over", "PYTHONPATH": str(folder)}
    page.write_text(generated.replace("| `stake` |", ""))
    told = python(build.ROOT, *check, "--rewrite-page", variables=variables)
    assert "✓ page" in told
    assert "under_and_over passes" in told
    assert page.read_text() == generated
    page.write_text(generated + "More.\n")
    (folder / "under_and_over" / "refusals.py").write_text("REFUSALS = frozenset({'game_over'})\n")
    told = python(build.ROOT, *check, code=1, variables=variables)
    assert "✗ refusals: `refusals` lacks already_chosen" in told
    assert "✗ page: the page is not as generated: pass --rewrite-page" in told
    assert "under_and_over does not pass." in told


@pytest.mark.slow
def test_a_new_game_inside_a_clone_passes_all_checks(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", build.ROOT, clone], check=True)
    python(clone, "manage.py", "new_game", "lucky_dice")
    entry = 'lucky_dice = "railbird_engine.rules.lucky_dice"'
    assert entry in (clone / "engine" / "pyproject.toml").read_text()
    check = ("manage.py", "check_game", "lucky_dice")
    extra = {"EXTRA_RULES": "railbird_engine.rules.lucky_dice"}
    assert "lucky_dice passes" in python(clone, *check, variables=extra)
    again = python(clone, "manage.py", "new_game", "lucky_dice", code=1)
    assert "exists: nothing was written" in again


@pytest.mark.parametrize(
    ("slug", "reason"),
    [("Lucky Dice", "is no slug"), ("free_spots", "There is a game free_spots already")],
)
def test_a_wrong_slug_is_refused(tmp_path: Path, slug: str, reason: str) -> None:
    told = python(build.ROOT, "manage.py", "new_game", slug, "--outside", tmp_path / "x", code=1)
    assert reason in told
    assert not (tmp_path / "x").exists()
