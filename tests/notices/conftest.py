"""All tests of notices use the database."""

import pytest

from tests import servers  # noqa: F401 -- sets Django up


@pytest.fixture(scope="session", autouse=True)
def _database(database: None) -> None:
    """Start the servers."""
