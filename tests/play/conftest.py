"""One more process for all tests of play, which run in one test process."""

from tests import servers  # noqa: F401 -- sets Django up

# isort: split

from collections.abc import Iterator

import pytest

from tests.store.scene import Contender


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


@pytest.fixture(scope="session")
def contender() -> Iterator[Contender]:
    """Another process that plays."""
    started = Contender()
    started.wait_until_ready()
    yield started
    started.stop()
