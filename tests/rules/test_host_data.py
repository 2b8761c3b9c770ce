"""Data files that a host replaces: a fault is one ValueError that names file and place.

`faults.py` of each game has its reader, its files and their faults.
"""

import shutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from railbird_engine import rules
from tests.rules.golden import RULES

FOLDER: Final = Path(rules.__path__[0])
GAMES: Final[dict[str, Any]] = {slug: import_module(f"tests.rules.{slug}.faults") for slug in RULES}
FILES: Final = [(slug, file) for slug, game in GAMES.items() for file in game.FILES]
FAULTS: Final = [(slug, *row) for slug, game in GAMES.items() for row in game.FAULTS]
MISSING: Final = [(slug, *row) for slug, game in GAMES.items() for row in game.MISSING]


def copy_of(slug: str, folder: Path) -> Path:
    return Path(shutil.copytree(FOLDER / slug / "data", folder / slug))


def fault_of(slug: str, folder: Path) -> str | None:
    """Read a folder: return the fault. Another exception than ValueError fails the test."""
    try:
        GAMES[slug].read(folder)
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize(("slug", "file", "old", "new", "fault"), FAULTS)
def test_a_fault_is_named_with_its_file_and_place(
    tmp_path: Path, slug: str, file: str, old: str, new: str, fault: str
) -> None:
    folder = copy_of(slug, tmp_path)
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    found = fault_of(slug, folder)
    assert found is not None
    assert fault in found
    assert Path(file).stem in found


@pytest.mark.parametrize(("slug", "file", "line", "fault"), MISSING)
def test_a_box_that_lacks_a_part_is_refused(
    tmp_path: Path, slug: str, file: str, line: int, fault: str
) -> None:
    folder = copy_of(slug, tmp_path)
    lines = (folder / file).read_text("utf-8").splitlines(keepends=True)
    del lines[line]
    (folder / file).write_text("".join(lines), "utf-8")
    assert fault in (fault_of(slug, folder) or "")


@pytest.mark.parametrize(("slug", "file"), FILES)
def test_every_broken_file_is_refused_by_its_name(tmp_path: Path, slug: str, file: str) -> None:
    folder = copy_of(slug, tmp_path)
    path = folder / file
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for broken in (b"", b"\n", b"\x00", b"[" * 100_000, b"\xff" + whole, b"".join(lines[:3])):
        path.write_bytes(broken)
        assert Path(file).name in (fault_of(slug, folder) or ""), broken[:20]
    path.unlink()
    assert Path(file).name in (fault_of(slug, folder) or "")


@pytest.mark.parametrize(("slug", "file"), FILES)
def test_a_slip_of_a_line_is_read_or_refused(tmp_path: Path, slug: str, file: str) -> None:
    """Each of 20 lines is left out, repeated, or has its first figure or comma mistyped."""
    folder = copy_of(slug, tmp_path)
    path = folder / file
    lines = path.read_text("utf-8").splitlines(keepends=True)
    for number in range(len(lines))[:20]:
        for slip in slips(lines[number]):
            path.write_text("".join([*lines[:number], *slip, *lines[number + 1 :]]), "utf-8")
            fault = fault_of(slug, folder)
            names = [Path(name).stem for name in GAMES[slug].FILES]
            assert fault is None or any(name in fault for name in names), fault


def slips(line: str) -> Iterator[list[str]]:
    yield []
    yield [line, line]
    yield [line.replace(",", "", 1)]
    figure = next((sign for sign in line if sign.isdigit()), "\n")
    yield [line.replace(figure, "x", 1)]
    yield [line.replace(figure, "-7", 1)]
