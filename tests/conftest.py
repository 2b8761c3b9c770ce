"""Fixtures for all tests. Tests commit for real: each makes its own data, and none cleans up.

Tests of rules, kernel and audit run without Django and servers, so this imports neither. Fixtures
that need them load them when a test asks.
"""

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import suppress
from importlib import import_module
from inspect import iscoroutinefunction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests import run

if TYPE_CHECKING:
    from tests.builders import NewGame, NewUser

gc.disable()  # until all tests are collected: imports leave hardly any garbage
# Tests start a hundred processes: each reads the bytecode of the first, even where Python is set
# to write none.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

FIRST = (
    "tests/audit/test_typescript.py",
    "tests/audit/test_verify.py",
    "tests/rules/carcassonne/test_conformance.py",
    "tests/rules/ready_set_bet/test_conformance.py",
    "tests/rules/ascot/test_conformance.py",
    "browser",
    "tests/api",
    "sdk",
    "clock",
    "limits",
    "tests/api/graphql",
    "types",
    "serve",
    "whole games",
    "tests/archive/test_archive.py",
    "tests/log/test_sealing.py",
    "tests/end_to_end/test_embedded.py",
    "tests/store/test_table_protection.py",
    "store",
)
"""The groups of tests that start first: some that need no server while the servers start, then the
longest, so that no process is left with one of them in the end."""


def pytest_collection(session: pytest.Session) -> None:
    """Import the test modules that no other test process has begun to import.

    So each module's assertions are rewritten once where nobody has run the tests before, and not by
    every process. A module that cannot be imported is reported when it is collected.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    tests = Path(__file__).parent
    folders = [Path(argument) for argument in session.config.args]
    for path in sorted(path for folder in folders for path in folder.resolve().rglob("test_*.py")):
        above = [each for each in reversed(path.parents) if each.is_relative_to(tests)]
        conftests = [each / "conftest.py" for each in above if (each / "conftest.py").exists()]
        with suppress(Exception):
            run.claim(_module(path))
            for each in (*conftests, path):
                import_module(_module(each))


def _module(path: Path) -> str:
    return ".".join(path.relative_to(run.ROOT).with_suffix("").parts)


@pytest.fixture
async def ended_tasks() -> AsyncIterator[None]:
    """Cancel the tasks that an asynchronous test leaves, until each has ended.

    A worker of psycopg's pools ignores a cancellation that comes while it opens a connection.
    pytest-asyncio cancels a task once, and would wait for it forever.
    """
    yield
    while left := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=0.1)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file in one process, which then prepares only once what they share.

    The files of a folder that use its web process stay together as well. Slow tests stay apart.
    """
    on_web = {item.path for item in items if "address" in getattr(item, "fixturenames", ())}
    ranks = {name: rank for rank, name in enumerate(FIRST)}

    def rank(item: pytest.Item) -> int:
        if mark := item.get_closest_marker("xdist_group"):
            group = str(mark.args[0])
        elif item.get_closest_marker("slow"):
            group = item.nodeid
        else:
            path = item.path.relative_to(item.config.rootpath)
            group = (path.parent if item.path in on_web else path).as_posix()
            item.add_marker(pytest.mark.xdist_group(group))
        return ranks.get(group, len(ranks))

    # In a single process the longest come last, so that a broken rule shows in two seconds.
    order = 1 if "PYTEST_XDIST_WORKER" in os.environ else -1
    items.sort(key=lambda item: order * rank(item))
    for item in items:
        if isinstance(item, pytest.Function) and iscoroutinefunction(item.function):
            item.fixturenames.insert(0, "ended_tasks")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that is skipped where nothing may be left out: in the slow set."""
    report = yield
    if report.skipped and os.environ.get("SKIPS_FAIL"):
        report.outcome = "failed"
    return report


def pytest_collection_finish(session: pytest.Session) -> None:
    """Collect garbage less often, and never again what was loaded for all tests.

    Start the servers if a test that runs asks for them.
    """
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()
    if session.config.option.collectonly:
        return
    if any("database" in getattr(item, "fixturenames", ()) for item in session.items):
        from tests import servers  # noqa: PLC0415 -- its tests have loaded it

        servers.start()


POOL_MAX = 40


@pytest.fixture(scope="session")
def database(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database of this test process, a copy of the migrated one.

    The run stops if there is none. The store loop stops before the servers do.
    """
    from django.db import connections  # noqa: PLC0415

    from kit import event_loop  # noqa: PLC0415
    from tests import servers  # noqa: PLC0415

    if failure := servers.failure():
        request.session.shouldstop = "there is no database"
        pytest.fail(failure, pytrace=False)
    servers.copied_database(servers.OWN_DATABASE)
    # Threads of tests end with connections that only the garbage collector gives back.
    connections["default"].settings_dict["OPTIONS"]["pool"]["max_size"] = POOL_MAX
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patient:
        # A limit that Valkey is too slow to count is not enforced, nor are others after it.
        patient.setattr("kit.rate_limits.ANSWER_WITHIN_S", 30.0)
        yield
    store_loop = event_loop.store_loop()
    store_loop.call_soon_threadsafe(store_loop.stop)


@pytest.fixture
def own_log(database: None, tmp_path: Path) -> Iterator[Path]:
    """The key file of a restarted log, which names no keys of acknowledgements."""
    from django.test import override_settings  # noqa: PLC0415

    from tests.builders import empty_log  # noqa: PLC0415

    empty_log()
    with override_settings(LOG_KEY_FILE=tmp_path / "key", ACK_KEY_FILE=tmp_path / "none"):
        yield tmp_path / "key"
    empty_log()


@pytest.fixture
def the_first_seat_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pay out load games as if the first of two seats won: they end in a tie."""
    from railbird_engine.kernel.payouts import share  # noqa: PLC0415

    def share_of_winner(pot: int, prizes: list[int], ranking: object) -> dict[int, int]:
        return share(pot, prizes, [[0], [1]])

    monkeypatch.setattr("railbird_engine.kernel.payouts.share", share_of_winner)


@pytest.fixture(scope="session")
def new_user(database: None) -> "NewUser":
    """Create a user with an opening grant."""
    from tests import builders  # noqa: PLC0415

    return builders.new_user


@pytest.fixture(scope="session")
def new_game(database: None) -> "NewGame":
    """Start a load game with users on all seats."""
    from tests import builders  # noqa: PLC0415

    return builders.new_game
