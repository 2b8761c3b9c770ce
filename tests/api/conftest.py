"""One or two web processes for all API tests of a test process."""

from collections.abc import Iterator

import pytest

from tests.processes import web_process


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Host and port of a real web process, with high limits, as all tests share one address."""
    with web_process({"RATE_LIMITS": "sign_in=0/60 oauth=0/60"}) as (_, address):
        yield address


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[str]:
    """Host and port of a second web process. Tests that use it share an xdist group of its name."""
    with web_process() as (_, address):
        yield address
