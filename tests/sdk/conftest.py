"""A web process and a worker whose bots are quick, for clients that play whole games."""

from collections.abc import Iterator

import pytest

from tests.processes import running, web_process, worker


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    """The URL of a running server. It ends with these tests: a worker that went on would play
    and seal what other tests make."""
    quick = {"BOT_LOOK_MS_MIN": "20", "BOT_LOOK_MS_MAX": "60"}
    with web_process() as (_, address), running(worker(quick)):
        yield f"http://{address}"
