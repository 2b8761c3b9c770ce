"""Limits on connections: slow requests are closed, and each address has a maximum."""

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPResponse
from pathlib import Path

import psutil
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.processes import web_process
from tests.waiting import WITHIN_S

pytestmark = pytest.mark.usefixtures("database")

MOST = 20
HALF_A_HEAD = b"GET /api/v1/rules/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
LATE = b"HTTP/1.1 408 "
HALF_A_BODY = (
    b"POST /api/v1/auth/guest/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
)
TO_HTTP_2 = (  # as Java's client asks
    b"POST /api/v1/auth/guest/ HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\n"
    b"Content-Length: 2\r\nHost: localhost\r\nHTTP2-Settings: AAEAAEAA\r\n"
    b"Upgrade: h2c\r\nContent-Type: application/json\r\n\r\n"
)
RULES = b"GET /api/v1/rules/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
WHOLE = b"GET /api/v1/health/live/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


AT_ONCE = struct.pack("ii", 1, 0)
"""The value of SO_LINGER with which a close resets the connection."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("web") / "log"


@pytest.fixture(scope="module")
def web(log: Path) -> Iterator[tuple[str, int]]:
    limits = {
        "REQUEST_TIMEOUT_S": "1",
        "CONNECTIONS_PER_ADDRESS": str(MOST),
        "FORWARDED_ALLOW_IPS": "192.0.2.1",  # without this machine
    }
    with web_process(limits, log=log) as (_, address):
        host, _, port = address.rpartition(":")
        yield host, int(port)


def connected(stack: ExitStack, web: tuple[str, int]) -> socket.socket:
    return stack.enter_context(socket.create_connection(web, timeout=WITHIN_S))


def is_closed(connection: socket.socket) -> bool:
    """Whether the server closes the connection without a response before the socket's timeout."""
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize(
    ("sent", "answer"),
    [(b"", b""), (HALF_A_HEAD, b""), (HALF_A_BODY, LATE)],
    ids=["nothing", "half a head", "half a body"],
)
def test_a_slow_request_is_closed(web: tuple[str, int], sent: bytes, answer: bytes) -> None:
    with ExitStack() as stack:
        connection = connected(stack, web)
        connection.sendall(sent)
        if answer:
            assert connection.recv(1000).startswith(answer)
        assert is_closed(connection)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /", b"400"),
        (b"GET / HTTP/0.9", b"400"),
        (b"GET / HTTP/1.1", b"200"),
        (b"GET http://localhost/ HTTP/1.1", b"200"),
        (b"GET http://evil.example/ HTTP/1.1", b"400"),
        (b"GET http://evil.example HTTP/1.1", b"400"),
    ],
)
def test_the_version_and_the_host_of_a_target_count(
    web: tuple[str, int], line: bytes, status: bytes
) -> None:
    with ExitStack() as stack:
        connection = connected(stack, web)
        connection.sendall(line + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert connection.recv(1000).split(b" ")[1] == status


def test_a_wish_for_http_2_costs_a_request_nothing(web: tuple[str, int]) -> None:
    with ExitStack() as stack:
        connection = connected(stack, web)
        connection.sendall(TO_HTTP_2)
        connection.sendall(b"[]")
        answer = HTTPResponse(connection)
        answer.begin()
        assert b'"malformed"' in answer.read(), "its body was read"
        connection.sendall(WHOLE)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("requests", [1, 2, 5])
def test_a_client_that_leaves_before_its_answer_leaves_no_traceback(
    web: tuple[str, int], log: Path, requests: int
) -> None:
    for _ in range(5):
        with socket.create_connection(web, timeout=WITHIN_S) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            connection.sendall(RULES * requests)
    with ExitStack() as stack:
        last = connected(stack, web)
        last.sendall(WHOLE)
        assert last.recv(1000).startswith(b"HTTP/1.1 200")
    assert "Traceback" not in log.read_text()


def test_the_number_of_connections_per_address_is_limited(web: tuple[str, int]) -> None:
    with ExitStack() as stack:
        held = [connected(stack, web) for _ in range(MOST)]
        for connection in held:
            connection.sendall(HALF_A_BODY)
        refused = connected(stack, web)
        assert is_closed(refused)
        for connection in held:
            assert connection.recv(1000).startswith(LATE)
            assert is_closed(connection)
        again = connected(stack, web)
        again.sendall(WHOLE)
        assert again.recv(1000).startswith(b"HTTP/1.1 200")


FILES_LEFT = 60
"""The files that a process may still open, of which 32 are kept."""


def test_at_the_limit_of_files_clients_are_refused_and_health_answers(tmp_path: Path) -> None:
    """Only then, as they come from a proxy on this machine, which has no limit by default."""
    log = tmp_path / "log"
    limits = {"CONNECTIONS_PER_ADDRESS": "1", "FORWARDED_ALLOW_IPS": ""}
    with web_process(limits, log=log) as (child, address):
        host, _, port = address.rpartition(":")
        web = (host, int(port))
        with ExitStack() as stack:
            ask(stack, web, b"/api/v1/rules/")  # what the first request opens stays open
            process = psutil.Process(child.pid)
            most = process.num_fds() + FILES_LEFT
            process.rlimit(psutil.RLIMIT_NOFILE, (most, most))
            for _ in range(2 * FILES_LEFT):
                connected(stack, web)
            head, body = ask(stack, web, b"/api/v1/rules/")
            assert head.startswith(b"HTTP/1.1 503 ")
            assert b"retry-after: " in head
            assert b'"code":"busy"' in body
            assert ask(stack, web, b"/api/v1/health/live/")[0].startswith(b"HTTP/1.1 200 ")
            assert ask(stack, web, b"/api/v1/health/ready/")[0].startswith(b"HTTP/1.1 200 ")
            with connect(f"ws://{address}/ws/v1/lobbies") as client, suppress(ConnectionClosed):
                client.recv()
                client.recv()
            assert client.close_code == 1013
        noted = [line for line in log.read_text().splitlines() if "too_many_files" in line]
        assert len(noted) == 1
        assert f"limit={most}" in noted[0]


def ask(stack: ExitStack, web: tuple[str, int], path: bytes) -> tuple[bytes, bytes]:
    """Return the head and the body of a response."""
    connection = connected(stack, web)
    connection.sendall(
        b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    received = b""
    while part := connection.recv(65_536):
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    return head, body
