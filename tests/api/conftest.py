"""One web process for all tests of the API in a test process."""

from collections.abc import Iterator

import pytest

from tests.processes import web_process


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Host and port of a real web process. All tests come from one address, and more often than
    anybody signs in."""
    with web_process({"RATE_LIMITS": "sign_in=0/60 oauth=0/60"}) as (_, address):
        yield address
