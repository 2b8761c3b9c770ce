"""The layout of the repository: all games have the same files, and shared files name no game."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from railbird_engine.rules import registry

ROOT: Final = Path(__file__).resolve().parent.parent
SLUGS: Final = sorted({slug for slug, _ in registry()})

ROOMS: Final = {
    *("README.md", "__init__.py", "options.py", "commands.py", "events.py", "state.py", "view.py"),
    *("rules.py", "legal.py", "bot.py", "refusals.py", "data/__init__.py"),
}
TEST_ROOMS: Final = {
    *("__init__.py", "scene.py", "golden.py", "test_conformance.py"),
    *("test_rulings.py", "test_legal.py", "test_bot.py", "test_view.py", "test_data.py"),
}
VAGUE: Final = {
    *("table.py", "tables.py", "messages.py", "sight.py", "box.py", "perks.py", "worth.py"),
    *("outlook.py", "utils.py", "helpers.py", "common.py", "bots.py"),
}
"""File names that do not describe their content."""

PRODUCT: Final = (
    "accounts",
    "bench",
    "demo",
    "engine",
    "games",
    "gameserver",
    "kit",
    "notices",
    "web",
)
"""The packages of the server. Tests, documents and example clients may show a particular game."""

SOURCES: Final = (".py", ".html", ".js", ".mjs", ".ts", ".css")


def files_under(folder: str) -> set[str]:
    """Files in a folder that git tracks or does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}


def names_of_games() -> re.Pattern[str]:
    """Slugs, titles and class names, in any spelling."""
    spoken = {text for rules in registry().values() for text in rules.title.values()}
    words = {slug.replace("_", " ") for slug in SLUGS} | spoken
    joined = [r"[\s_-]?".join(re.escape(part) for part in name.split()) for name in sorted(words)]
    return re.compile(rf"(?<![a-z])(?:{'|'.join(joined)})(?![a-z])", re.IGNORECASE)


def mentions(names: re.Pattern[str]) -> Iterator[str]:
    for folder in PRODUCT:
        for name in sorted(files_under(folder)):
            if name.startswith("engine/railbird_engine/rules/") and name.count("/") > 3:
                continue
            if name.startswith(("web/client/", "web/static/")):  # a client, which draws games
                continue
            if name.startswith("bench/challengers/"):  # players, one module for each game
                continue
            if name.endswith(SOURCES):
                for number, line in enumerate((ROOT / name).read_text("utf-8").splitlines(), 1):
                    if found := names.search(line):
                        yield f"{name}:{number}: {found[0]}"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_has_the_files_that_all_games_have(slug: str) -> None:
    folder = f"engine/railbird_engine/rules/{slug}/"
    found = {name.removeprefix(folder) for name in files_under(folder)}
    assert ROOMS - found == set()
    assert {Path(name).name for name in found} & VAGUE == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_has_the_tests_that_all_games_have(slug: str) -> None:
    folder = f"tests/rules/{slug}/"
    found = {name.removeprefix(folder) for name in files_under(folder)}
    assert TEST_ROOMS - found == set()
    assert any(name.startswith("playthroughs/") for name in found)
    assert {Path(name).name for name in found} & VAGUE == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_has_a_page_for_client_authors(slug: str) -> None:
    assert (ROOT / f"docs/games/{slug}.md").is_file()


def test_the_server_names_no_game() -> None:
    assert list(mentions(names_of_games())) == []


def test_tests_import_no_helpers_from_files_of_tests() -> None:
    importing = re.compile(r"^\s*(from|import) tests\.(\w+\.)*test_\w+", re.MULTILINE)
    names = [name for name in files_under("tests") if name.endswith(".py")]
    assert [name for name in names if importing.search((ROOT / name).read_text("utf-8"))] == []


def test_only_the_store_locks_and_changes_heads() -> None:
    """Other code reads heads through their games, or in a query of `games/reads`."""
    statement = re.compile(r"Head\.objects|games_head")
    allowed = ("games/store/", "games/reads/", "games/migrations/")
    assert [
        name
        for name in sorted(files_under("games/"))
        if name.endswith(".py")
        and not name.startswith(allowed)
        and statement.search((ROOT / name).read_text("utf-8"))
    ] == []
    changing = re.compile(r"UPDATE games_head|INTO games_head|FOR (NO KEY )?UPDATE")
    reads = [name for name in files_under("games/reads/") if name.endswith(".py")]
    assert [name for name in reads if changing.search((ROOT / name).read_text("utf-8"))] == []


def test_commands_print_names_as_they_are() -> None:
    """A console with markup would take `[red]x` for a style. The others print texts of their own
    with styles, and escape the rest."""
    made = {
        name
        for folder in PRODUCT
        for name in files_under(folder)
        if name.endswith(".py")
        and re.search(r"\bConsole\((?!.*markup=False)", (ROOT / name).read_text())
    }
    with_markup = {
        "bench/management/commands/bench.py",
        "bench/management/commands/load.py",
        "demo/management/commands/demo.py",
        "engine/railbird_engine/audit/__main__.py",
        "engine/railbird_engine/check_game.py",
        "engine/railbird_engine/new_game.py",
        "gameserver/management/commands/serve.py",
    }
    assert made == with_markup


def test_shared_tests_of_the_rules_name_no_game() -> None:
    names = names_of_games()
    shared = [name for name in files_under("tests/rules/") if name.count("/") == 2]
    assert [name for name in shared if names.search((ROOT / name).read_text("utf-8"))] == []


def test_what_tests_share_is_in_modules_of_its_own() -> None:
    """A file of tests can be read, moved and deleted alone."""
    of_tests = re.compile(
        r"^\s*(?:from tests\.(?:\w+\.)*test_|from tests[\w.]* import test_)", re.MULTILINE
    )
    assert [
        name
        for name in sorted(files_under("tests/"))
        if name.endswith(".py") and of_tests.search((ROOT / name).read_text("utf-8"))
    ] == []


def test_tests_of_rules_kernel_and_audit_load_no_server() -> None:
    names = "accounts|demo|django|games|gameserver|kit|psycopg|redis|web"
    server = re.compile(rf"^(?:from|import) (?:{names})\b", re.MULTILINE)
    pure = [ROOT / "tests" / "conftest.py", ROOT / "tests" / "run.py"]
    for folder in ("rules", "kernel", "audit"):
        pure += (ROOT / "tests" / folder).rglob("*.py")
    assert [str(path) for path in pure if server.search(path.read_text())] == []
