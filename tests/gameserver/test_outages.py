"""The answers of a web process while PostgreSQL, its replica or Valkey are away."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from games.api.sockets.frames import CloseCode
from kit import event_loop
from tests.faults.cluster import addresses, lines
from tests.faults.network import Line
from tests.processes import web_process

pytestmark = pytest.mark.usefixtures("database")

WITHIN_S: Final = 1.0
TRIES: Final = 5
"""Other processes of this machine may delay an answer, though hardly each of so many."""


class Lines:
    """The ways of a web process to its servers."""

    def __init__(self) -> None:
        self.database, self.valkey = lines("web")
        self.replica, _ = lines("web")
        for line in (self.database, self.replica, self.valkey):
            event_loop.call(line.open())
        self._stack = ExitStack()

    @property
    def settings(self) -> dict[str, str]:
        """The environment of the process."""
        replica = addresses(self.replica, self.valkey)["DATABASE_URL"]
        return {**addresses(self.database, self.valkey), "DATABASE_REPLICA_URL": replica}

    def freeze(self, line: Line) -> None:
        """Leave its server silent, as SIGSTOP does."""
        event_loop.call(line.freeze())

    def refuse(self, line: Line) -> None:
        """End its server."""
        event_loop.call(line.close())

    def lose(self, line: Line) -> None:
        """Take its host away: a new connection gets neither an answer nor an error."""
        self.refuse(line)
        listening = self._stack.enter_context(socket.socket())
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", line.port))
        listening.listen(0)
        for _ in range(4):  # its queue is full, so the kernel drops what comes
            waiting = self._stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(("127.0.0.1", line.port))

    def close(self) -> None:
        """End the proxies that are left."""
        self._stack.close()
        for line in (self.database, self.replica, self.valkey):
            event_loop.call(line.close())


@pytest.fixture(scope="module")
def ways() -> Iterator[Lines]:
    found = Lines()
    yield found
    found.close()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web") / "log"


@pytest.fixture(scope="module")
def web(ways: Lines, log: Path) -> Iterator[httpx.Client]:
    with (
        web_process(ways.settings, log=log) as (_, address),
        httpx.Client(base_url=f"http://{address}", timeout=30) as client,
    ):
        yield client


OUTAGES: Final[dict[str, tuple[Callable[[Lines], None], dict[str, Any]]]] = {
    "nothing": (lambda _: None, {"valkey": True}),
    "replica frozen": (lambda ways: ways.freeze(ways.replica), {"valkey": True}),
    "replica lost": (lambda ways: ways.lose(ways.replica), {"valkey": True}),
    "Valkey frozen": (lambda ways: ways.freeze(ways.valkey), {"valkey": False}),
    "Valkey lost": (lambda ways: ways.lose(ways.valkey), {"valkey": False}),
    "database frozen": (lambda ways: ways.freeze(ways.database), {"database": False}),
    "database ended": (lambda ways: ways.refuse(ways.database), {"database": False}),
    "database lost": (lambda ways: ways.lose(ways.database), {"database": False}),
}
"""Outages in the order in which they come, each with what `ready` says."""


@pytest.mark.parametrize("outage", OUTAGES)
@pytest.mark.ci
def test_ready_answers_within_a_second(
    ways: Lines, web: httpx.Client, log: Path, outage: str
) -> None:
    """Without a database, a handshake of a socket is answered so that its client comes back."""
    begin, expected = OUTAGES[outage]
    begin(ways)
    took_s = []
    while True:
        began = time.monotonic()
        answer = web.get("/api/v1/health/ready/")
        took_s.append(time.monotonic() - began)
        found = answer.json()
        said = found if answer.status_code == 200 else found["data"]
        if took_s[-1] < WITHIN_S or len(took_s) == TRIES:
            break
    assert min(took_s) < WITHIN_S, took_s
    assert expected.items() <= said.items()
    if outage == "database ended":
        assert {handshake(web, path) for path in SOCKETS} == {
            (CloseCode.UNAVAILABLE, "unavailable")
        }
        assert "Traceback" not in log.read_text()


SOCKETS: Final = ("games/00000000-0000-4000-8000-000000000000", "lobbies")


def handshake(web: httpx.Client, path: str) -> tuple[int | None, str | None]:
    """Return how a socket is closed whose token needs a look into the database."""
    headers = {"Authorization": "Bearer gss_any-token-that-nobody-has"}
    url = f"ws://{web.base_url.netloc.decode()}/ws/v1/{path}"
    with connect(url, additional_headers=headers, open_timeout=30) as socket_:
        with suppress(ConnectionClosed):
            while True:
                socket_.recv(timeout=30)
        return socket_.close_code, socket_.close_reason
