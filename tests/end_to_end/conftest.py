"""A web process and a worker with lively bots, for whole games and the examples of the docs."""

from tests import servers  # noqa: F401 -- sets Django up

# isort: split

from collections.abc import Iterator

import pytest

from tests.builders import end_games
from tests.processes import running, web_process, worker


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


@pytest.fixture(autouse=True)
def _games_end() -> Iterator[None]:
    """Void the games of each test, which bots would play on to the end."""
    yield
    end_games()


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    """Host and port of the web process. Tests that use it share the xdist group `whole games`.

    It stops after these tests, because its worker would play and seal games of other tests.
    """
    quick = {"BOT_DELAY_PERCENT": "3"}
    with web_process() as (_, address), running(worker(quick)):
        yield address
