"""All tests of workers use the database."""

from tests import servers  # noqa: F401 -- sets Django up

# isort: split

from collections.abc import Iterator

import pytest

from games.models import Schedule


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""


@pytest.fixture(autouse=True)
def _nobody_elses_games() -> Iterator[None]:
    """Make the games of earlier tests due never, so that only this test's games are due."""
    Schedule.objects.update(due_at=None, bots_due_at=None)
    yield
    Schedule.objects.update(due_at=None, bots_due_at=None)
