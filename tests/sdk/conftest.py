"""A web process and a worker with lively bots, for clients that play whole games."""

from collections.abc import Iterator

import pytest

from sdk import node
from tests.processes import running, web_process, worker


@pytest.fixture(scope="package", autouse=True)
def _packages() -> None:
    """Install the packages of the TypeScript client."""
    node.TYPESCRIPT.install()


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """The URL of a running server.

    It stops after these tests, because its worker would play and seal games of other tests.
    """
    quick = {"BOT_LOOK_MS_MIN": "60", "BOT_LOOK_MS_MAX": "180"}
    with web_process() as (_, address), running(worker(quick)):
        yield f"http://{address}"
