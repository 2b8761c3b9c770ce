"""The example game, and the games that `railbird-new-game` writes from it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from packages import build

NEW = ("-m", "railbird_engine.new_game")
CHECK = ("-m", "railbird_engine.check_game")


def python(folder: Path, *arguments: str | Path, code: int = 0) -> str:
    """Run Python in a folder, and return what it printed."""
    paths = os.pathsep.join([str(folder), str(folder / "engine"), str(build.ROOT)])
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_example_passes_its_tests(tmp_path: Path) -> None:
    python(build.ROOT, *NEW, "coin_toss", "--outside", tmp_path / "coin")
    pytest_alone = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull)
    assert "passed" in python(tmp_path / "coin", *pytest_alone, "--rootdir", ".", "tests")


@pytest.mark.slow
def test_a_new_game_outside_the_server_passes_all_checks(tmp_path: Path) -> None:
    folder = tmp_path / "dice"
    told = python(build.ROOT, *NEW, "under_and_over", "--outside", folder)
    written = [Path(name) for name in re.findall(r"^written (.*)$", told, re.MULTILINE)]
    assert written
    assert all(path.is_file() for path in written)
    assert not re.search("coin.?toss", told, re.IGNORECASE)
    assert f"bin/uv pip install --editable {folder}\n" in told
    assert f"bin/uv run railbird-check-game under_and_over --tests {folder / 'tests'}\n" in told
    assert (folder / "tests" / "playthroughs" / "default.json").is_file()
    for looks in (["check", "--select", "I"], ["format", "--check"]):
        options = ["--isolated", "--quiet", "--line-length", "100"]
        python(folder, "-m", "ruff", *looks, *options, ".")
    page = folder / "docs" / "games" / "under_and_over.md"
    generated = page.read_text()
    assert "## Commands" in generated
    check = (*CHECK, "under_and_over", "--tests", folder / "tests")
    page.write_text(generated.replace("| `rounds` |", ""))
    told = python(folder, *check, "--rewrite-page")
    assert "✓ page" in told
    assert "under_and_over passes" in told
    assert page.read_text() == generated
    page.write_text(generated + "More.\n")
    (folder / "under_and_over" / "refusals.py").write_text("REFUSALS = frozenset({'game_over'})\n")
    told = python(folder, *check, code=1)
    assert "✗ refusals: `refusals` lacks already_chosen" in told
    assert "✗ page: the page is not as generated: pass --rewrite-page" in told
    assert "under_and_over does not pass." in told


@pytest.mark.slow
def test_a_new_game_inside_a_clone_passes_all_checks(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", build.ROOT, clone], check=True)
    python(clone, *NEW, "lucky_dice")
    entry = 'lucky_dice = "railbird_engine.rules.lucky_dice"'
    assert entry in (clone / "engine" / "pyproject.toml").read_text()
    assert "lucky_dice passes" in python(clone, *CHECK, "railbird_engine.rules.lucky_dice")
    again = python(clone, *NEW, "lucky_dice", code=1)
    assert "exists: nothing was written" in again


@pytest.mark.parametrize(
    ("slug", "reason"),
    [("Lucky Dice", "is no slug"), ("ascot", "There is a game ascot already")],
)
def test_a_wrong_slug_is_refused(tmp_path: Path, slug: str, reason: str) -> None:
    told = python(build.ROOT, *NEW, slug, "--outside", tmp_path / "x", code=2)
    assert reason in told
    assert not (tmp_path / "x").exists()
