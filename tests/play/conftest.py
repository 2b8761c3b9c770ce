"""One more process for all tests of play, which run in one test process."""

from collections.abc import Iterator

import pytest

from tests.store.scene import Contender


@pytest.fixture(scope="session")
def contender() -> Iterator[Contender]:
    """Another process that plays."""
    started = Contender()
    started.wait_until_ready()
    yield started
    started.stop()
