"""A proxy in front of several web processes sends each game to one of them."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from gameserver.management.commands.deploy_files import FILES
from gameserver.processes.children import free_port
from gameserver.processes.proxy import HOST, ROUTE, SHIPPED, UPSTREAMS, caddyfile
from tests.deploy.debian import program
from tests.end_to_end.serving import Serve
from tests.waiting import WITHIN_S, until

pytestmark = pytest.mark.usefixtures("database")

COUNTED = {"railbird_requests_total", "railbird_sockets_closed_total"}
TABLES = [UUID(int=0x018F << 112 | 7 << 76 | 2 << 62 | number) for number in range(40)]


def test_the_printed_proxy_is_the_shipped_one_at_the_public_address() -> None:
    shipped = SHIPPED.read_text()
    assert [shipped.count(text) for text in (f"{HOST} {{", UPSTREAMS, ROUTE)] == [1, 1, 1]
    same = caddyfile(UPSTREAMS.split(), f"https://{HOST}")
    assert same == re.sub(r"^#.*\n", "", shipped, flags=re.MULTILINE).rstrip()
    assert "keepalive 60s" in same
    assert caddyfile(["[::1]:1"], "").replace("[::1]:1", UPSTREAMS) == same.replace(HOST, ":8080")
    below = caddyfile(UPSTREAMS.split(), f"https://{HOST}/games/")
    assert below.replace("\t\turi strip_prefix /games\n", "") == same


def test_both_shipped_proxies_choose_by_table_alike() -> None:
    route = [
        {line for line in (FILES / name).read_text().splitlines() if line.startswith("\t\t")}
        for name in ("Caddyfile", "systemd/Caddyfile")
    ]
    of_upstreams = {"dynamic a {", "name web", "port 8000", "refresh 2s", "reverse_proxy {"}
    assert {line.strip() for line in route[0] - route[1]} <= of_upstreams
    assert {line.strip() for line in route[1] - route[0]} == {f"reverse_proxy {UPSTREAMS} {{"}


@pytest.mark.slow
def test_each_game_is_served_by_one_process_as_long_as_it_runs(tmp_path: Path) -> None:
    caddy, port, metrics = program("caddy", tmp_path), free_port(), free_port()
    folder = tmp_path / "data"
    with Serve(
        folder, "--web", "2", "--separate-ports", METRICS_ADDRESS=f"127.0.0.1:{metrics}"
    ) as serve:
        serve.ready()
        (printed,) = re.findall(r"^\{$.*?^:8080 \{$.*?^\}$", serve.output, re.MULTILINE | re.DOTALL)
        file = tmp_path / "Caddyfile"
        file.write_text(f"{{\n\tadmin off{printed[1:].replace(':8080', f'http://:{port}')}\n")
        with subprocess.Popen(
            [caddy.path, "run", "--config", file, "--adapter", "caddyfile"],
            env={**caddy.environment, "HOME": str(tmp_path)},
            stderr=subprocess.DEVNULL,
        ) as proxy:
            try:
                until(lambda: answers(f"http://127.0.0.1:{port}/"), "the proxy")
                servers = {served_by(port, table, [metrics, metrics + 1]) for table in TABLES}
                assert servers == {metrics, metrics + 1}
                serve.children("gameserver.processes.web")[0].kill()
                for table in TABLES:
                    assert status(port, table) == 401, "another process serves its games"
            finally:
                proxy.terminate()


def answers(url: str) -> bool:
    try:
        return httpx.get(url).is_success
    except httpx.TransportError:
        return False


def served_by(port: int, table: UUID, metrics: Sequence[int]) -> int:
    """Ask for a table in three ways, and return the only process that was asked."""
    before = {each: counted(each) for each in metrics}
    assert status(port, table) == 401
    assert status(port, table, **{"X-Table": "chosen by the client"}) == 401
    with connect(f"ws://127.0.0.1:{port}/ws/v1/games/{table}") as socket:
        socket.send('{"type":"authenticate","token":"none"}')
        with pytest.raises(ConnectionClosed):
            [socket.recv() for _ in range(3)]
    asked = {each: counted(each) - before[each] for each in metrics}
    assert sorted(asked.values()) == [0, 3]
    return max(asked, key=lambda each: asked[each])


def status(port: int, table: UUID, **headers: str) -> int:
    url = f"http://127.0.0.1:{port}/api/v1/games/{table}/"
    return httpx.get(url, headers=headers, timeout=WITHIN_S).status_code


def counted(metrics: int) -> float:
    """The number of requests and sockets of one process."""
    text = httpx.get(f"http://127.0.0.1:{metrics}/metrics", timeout=WITHIN_S).text
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name in COUNTED
    )
