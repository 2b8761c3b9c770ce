"""Fixtures for all tests. Tests commit for real: each makes its own data, and none cleans up."""

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from tests import servers  # isort: skip  # before anything that reads Django's settings

from accounts import ledger
from accounts.models import User
from games import lobbies
from games.models import Game
from kit import event_loop

LONGEST = (
    "browser",
    "sdk",
    "tests/api",
    "clock",
    "serve",
    "whole games",
    "tests/audit/test_typescript.py",
    "tests/archive/test_archive.py",
    "tests/end_to_end/test_demo_and_bench.py",
    "tests/store/test_walls.py",
    "tests/play/test_absence.py",
    "tests/lobbies/test_chat.py",
    "tests/lobbies/test_coins.py",
    "store",
)
"""The groups of tests that start first, so that no process is left with one of them in the end."""


def pytest_collection(session: pytest.Session) -> None:
    """Import the test modules that no other test process has begun to import.

    So each module's assertions are rewritten once where nobody has run the tests before, and not by
    every process. A module that cannot be imported is reported when it is collected.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    folders = [Path(argument) for argument in session.config.args]
    for path in sorted(path for folder in folders for path in folder.rglob("test_*.py")):
        module = path.resolve().relative_to(session.config.rootpath).with_suffix("").parts
        with suppress(Exception):
            servers.claim(".".join(module))
            import_module(".".join(module))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file in one process, which then prepares only once what they share.

    The files of a folder that use its web process stay together as well. Slow tests stay apart.
    """
    on_web = {item.path for item in items if "address" in getattr(item, "fixturenames", ())}
    ranks = {name: rank for rank, name in enumerate(LONGEST)}

    def rank(item: pytest.Item) -> int:
        if mark := item.get_closest_marker("xdist_group"):
            group = str(mark.args[0])
        elif item.get_closest_marker("slow"):
            group = item.nodeid
        else:
            path = item.path.parent if item.path in on_web else item.path
            group = path.relative_to(item.config.rootpath).as_posix()
            item.add_marker(pytest.mark.xdist_group(group))
        return ranks.get(group, len(ranks))

    items.sort(key=rank)


def pytest_collection_finish() -> None:
    """Collect garbage less often, and never again what was loaded for all tests."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _real_database(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Copy the migrated database for this process, and allow every test to use it.

    The store loop stops before the servers do.
    """
    servers.copied_database(servers.OWN_DATABASE)
    with django_db_blocker.unblock():
        yield
    store_loop = event_loop.store_loop()
    store_loop.call_soon_threadsafe(store_loop.stop)


def empty_log() -> None:
    """Restart the log with the games that start from now on, without the entries of other tests.

    The key of the test process forgets what it signed, so that workers continue the empty log.
    """
    key = Path(os.environ["LOG_KEY_FILE"])
    key.with_name(f"{key.name}.checkpoint").unlink(missing_ok=True)
    shutil.rmtree(key.with_name(f"{key.name}.entries"), ignore_errors=True)
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        for table in (
            "games_logkey",
            "games_logentry",
            "games_logtile",
            "games_logcheckpoint",
            "games_logcosignature",
        ):
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only_rows")
            owner.execute(f"DELETE FROM {table}")
            owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_rows")
        owner.execute("DELETE FROM games_pendingentry")
        owner.execute("UPDATE games_head SET sealed = true")


@pytest.fixture
def own_log(tmp_path: Path) -> Iterator[Path]:
    """The key file of a restarted log, which names no keys of acknowledgements."""
    empty_log()
    with override_settings(LOG_KEY_FILE=tmp_path / "key", ACK_KEY_FILE=tmp_path / "none"):
        yield tmp_path / "key"
    empty_log()


@pytest.fixture(scope="session")
def new_user() -> Callable[[], User]:
    """Create a user with an opening grant."""

    def make() -> User:
        user = User.objects.create(username=f"user-{uuid4().hex}", display_name="Somebody")
        ledger.grant_opening(user)
        return user

    return make


@pytest.fixture(scope="session")
def new_game(new_user: Callable[[], User]) -> Callable[..., Game]:
    """Start a load game with users on all seats."""

    def make(seats: int = 2, slug: str = "free_spots", **options: object) -> Game:
        host = new_user()
        lobby = lobbies.create(host, lobbies.LobbyChoices(slug=slug, options=options))
        for _ in range(seats - 1):
            guest = new_user()
            lobbies.join(guest, lobby.id)
            lobbies.set_ready(guest, lobby.id, ready=True)
        return lobbies.start(host, lobby.id)

    return make
