"""A web process and a worker with fast bots, for clients that play whole games."""

from collections.abc import Iterator

import pytest

from tests.processes import running, web_process, worker


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """The URL of a running server.

    It stops after these tests, because its worker would play and seal games of other tests.
    """
    quick = {"BOT_LOOK_MS_MIN": "20", "BOT_LOOK_MS_MAX": "60"}
    with web_process() as (_, address), running(worker(quick)):
        yield f"http://{address}"
