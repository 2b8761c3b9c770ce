"""One web process for all tests of the API in a test process."""

from collections.abc import Iterator

import pytest

from tests.processes import web_process


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Host and port of a real web process."""
    with web_process() as (_, address):
        yield address
