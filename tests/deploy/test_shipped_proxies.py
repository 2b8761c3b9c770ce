"""The shipped nginx and Caddy serve two web processes: HTTP/2, IPv6, sockets, slow bodies."""

import os
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from gameserver.management.commands.deploy_files import FILES
from gameserver.processes.children import free_port
from tests.deploy.debian import Program, program
from tests.deploy.nginx import configuration
from tests.processes import web_process
from tests.waiting import WITHIN_S, until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("database")]

SLOW_BODY = (
    b"POST /api/v1/auth/guest/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
)
ALONE = """{
	skip_install_trust
	admin off
	auto_https disable_redirects
	servers {"""


Proxy = Callable[[Path, int, list[str]], AbstractContextManager[object]]


@contextmanager
def running(proxy: Program, *arguments: str | Path, folder: Path) -> Iterator[None]:
    environment = {**os.environ, **proxy.environment, "HOME": str(folder)}
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            [proxy.path, *arguments], cwd=folder, env=environment, stdout=log, stderr=log
        ) as process,
    ):
        try:
            yield
        finally:
            process.terminate()


def nginx(folder: Path, port: int, webs: list[str]) -> AbstractContextManager[object]:
    plain = free_port()
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "listen [::]:443 ssl": f"listen [::1]:{port} ssl",
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen [::]:80;": f"listen [::1]:{plain};",
        "127.0.0.1:8001": webs[0],
        "127.0.0.1:8002": webs[1],
    }
    file = configuration(folder, **changes)
    return running(program("nginx", folder), "-p", folder, "-c", file, folder=folder)


def caddy(folder: Path, port: int, webs: list[str]) -> AbstractContextManager[object]:
    text = (FILES / "systemd" / "Caddyfile").read_text()
    for word, ours in {
        "{\n\tservers {": ALONE,
        "games.example.org": f"https://localhost:{port}",
        "127.0.0.1:8001": webs[0].replace("unix:", "unix/"),
        "127.0.0.1:8002": webs[1].replace("unix:", "unix/"),
    }.items():
        assert word in text
        text = text.replace(word, ours, 1)
    (folder / "Caddyfile").write_text(text)
    return running(program("caddy", folder), "run", "--config", "Caddyfile", folder=folder)


@pytest.fixture(params=[(nginx, "tcp"), (nginx, "unix"), (caddy, "tcp"), (caddy, "unix")])
def port(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[int]:
    proxy: Proxy = request.param[0]
    changes = {"REQUEST_TIMEOUT_S": "2", "FORWARDED_ALLOW_IPS": "127.0.0.1"}
    port = free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        is_unix = request.param[1] == "unix"
        sockets = [folder / name if is_unix else None for name in ("first", "second")]
        webs = [stack.enter_context(web_process(changes, unix=each)) for each in sockets]
        assert {each.stat().st_mode & 0o777 for each in sockets if each} <= {0o660}
        stack.enter_context(proxy(tmp_path, port, [address for _, address in webs]))
        until(lambda: status(port, "/api/v1/health/live/") == "200 2", "the proxy")
        yield port


def status(port: int, path: str, *options: str, body: int | None = None) -> str:
    """The status of an answer, and its version of HTTP. `body` is a file to read the body from."""
    told = "%{http_code} %{http_version}"
    url = f"https://localhost:{port}{path}"
    done = subprocess.run(
        ["curl", "-sk", "--http2", "-o", os.devnull, "-w", told, *options, url],
        capture_output=True,
        text=True,
        check=False,
        stdin=body,
    )
    return done.stdout


def trusting() -> ssl.SSLContext:
    """Settings of TLS that accept any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def test_a_shipped_proxy_serves_http_2_and_sockets_and_ends_slow_bodies(port: int) -> None:
    guest = ("-d", "{}", "-H", "Content-Type: application/json")
    assert status(port, "/api/v1/auth/guest/", *guest) == "201 2"
    assert status(port, "/api/v1/health/live/", "--connect-to", f"::[::1]:{port}") == "200 2"
    schema = f"https://localhost:{port}/api/schema/"
    document = httpx.get(schema, verify=False, timeout=WITHIN_S).text
    assert f"url: https://localhost:{port}" in document, "what the proxy says is believed"
    with connect(f"wss://localhost:{port}/ws/v1/games/{uuid4()}", ssl=trusting()) as opened:
        opened.send('{"type":"authenticate","token":"none"}')
        with pytest.raises(ConnectionClosed) as closed:
            [opened.recv() for _ in range(3)]
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    plain = socket.create_connection(("localhost", port), timeout=WITHIN_S)
    with trusting().wrap_socket(plain, server_hostname="localhost") as slow:
        slow.sendall(SLOW_BODY)
        assert slow.recv(1000).startswith(b"HTTP/1.1 408 ")
    body, open_end = os.pipe()
    os.write(open_end, b"{")  # and no more
    upload = ("--request", "POST", "--header", guest[-1], "--upload-file", ".")
    assert status(port, "/api/v1/auth/guest/", *upload, body=body) == "408 2"
    os.close(open_end)
    os.close(body)
