"""A failover to a synchronous standby, as docs/operate/failover.md describes it."""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Self
from uuid import UUID, uuid5

import httpx
import pytest

from gameserver.processes.children import free_port
from gameserver.processes.embedded.postgres import (
    APPLICATION,
    OWNER,
)
from tests.deploy.pair import ASYNCHRONOUS, Pair
from tests.gameserver import promql
from tests.gameserver.promql import ALERTS
from tests.processes import ROOT, environment_with, web_process
from tests.waiting import WITHIN_S, until

pytestmark = pytest.mark.slow


@pytest.fixture
def pair() -> Iterator[Pair]:
    # The path of a socket has at most a hundred characters.
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="failover-", dir="/tmp"))
        folder.chmod(0o755)
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        yield Pair(folder, stack)


class Player:
    """A client of a web process."""

    def __init__(self, address: str) -> None:
        self.client = httpx.Client(base_url=f"http://{address}/api/v1", timeout=30)
        self.client.headers["Authorization"] = f"Bearer {self.post('/auth/guest/')['token']}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def post(self, path: str, **body: Any) -> Any:
        answer = self.client.post(path, json=body)
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def take(self, game: str, spot: int) -> int | None:
        """Take a spot. Return the version of its commit, or None while the server is unavailable.

        The id is that of the spot, so that a repeated call asks for the same command.
        """
        id_ = str(uuid5(UUID(game), str(spot)))
        command = {"id": id_, "command": {"type": "take_spot", "spot": spot}}
        answer = self.client.post(f"/games/{game}/commands/", json=command)
        assert answer.status_code in {201, 503}, answer.text
        return int(answer.json()["version"]) if answer.status_code == 201 else None


def scraped(metrics: str) -> str:
    """Return the metrics at an address."""
    return httpx.get(f"http://{metrics}/metrics", timeout=WITHIN_S).text


def check_alarms(pair: Pair, metrics: str) -> None:
    """Check that a standby that is behind, and then one that is gone, raise their alarms."""

    def fires(alert: str) -> bool:
        found = promql.parse(scraped(metrics))
        return promql.fires(ALERTS[alert], found, found)

    assert not fires("RailbirdStandbyLags")
    pair.tell(pair.standby, "SELECT pg_wal_replay_pause()")
    pair.tell(pair.primary, "SELECT pg_logical_emit_message(false, '', repeat(' ', 100000000))")
    until(partial(fires, "RailbirdStandbyLags"), "the alarm of a lag")
    pair.tell(pair.standby, "SELECT pg_wal_replay_resume()")
    pair.standby.child.stop()
    until(partial(fires, "RailbirdStandbyMissing"), "the alarm of a missing standby")
    pair.standby.start()
    until(lambda: not fires("RailbirdStandbyMissing"), "the standby")


@contextmanager
def served(pair: Pair, **more: str) -> Iterator[str]:
    """A migrated database, and a web process on whichever server is the primary."""
    settings = {
        "DATABASE_URL": pair.url(APPLICATION),
        "DATABASE_OWNER_URL": pair.url(OWNER),
        "RATE_LIMITS": "address=0/60",
        **more,
    }
    migrate = [sys.executable, "-m", "gameserver", "migrate", "--verbosity=0"]
    subprocess.run(migrate, env=environment_with(settings), cwd=ROOT, check=True)
    with web_process(settings) as (_, address):
        yield address


def started(player: Player, other: Player) -> str:
    """Start a game of both players, and return its id."""
    lobby = player.post("/lobbies/", slug="free_spots")["id"]
    other.post(f"/lobbies/{lobby}/join/")
    other.client.put(f"/lobbies/{lobby}/ready/", json={"ready": True})
    return str(player.post(f"/lobbies/{lobby}/start/")["id"])


def test_a_replica_answers_lists_exports_and_past_views_and_says_its_age(pair: Pair) -> None:
    replica = {"DATABASE_REPLICA_URL": pair.standby.url(APPLICATION)}
    bound = {"DATABASE_REPLICA_STALE_S": "3"}
    metrics = f"127.0.0.1:{free_port()}"

    def served_by_replica() -> float:
        found = re.search(r'replica_reads_total{outcome="ok"} (.*)', scraped(metrics))
        return float(found[1]) if found else 0.0

    with (
        served(pair, METRICS_ADDRESS=metrics, **replica, **bound) as address,
        Player(address) as player,
        Player(address) as other,
    ):
        game = started(player, other)

        def take(spot: int) -> None:
            assert player.take(game, spot) is not None

        def found() -> tuple[int, str | None]:
            page = player.get("/bets/")
            return len(page["items"]), page["as_of"]

        def from_replica() -> bool:
            return found()[1] is not None

        take(0)
        until(lambda: found()[0] == 1 and from_replica(), "the replica's list")
        until(lambda: "As-Of" in player.client.get("/bets/export/").headers, "its export")
        asked = {"query": "{ bets { asOf edges { node { number } } } }"}
        graphql = player.client.post(f"http://{address}/graphql/", json=asked).json()
        assert graphql["data"]["bets"]["asOf"] is not None

        def views_from_replica() -> bool:
            before = served_by_replica()
            assert player.get(f"/games/{game}/views/")["views"]
            return served_by_replica() > before

        until(views_from_replica, "past views from the replica")

        pair.tell(pair.standby, "SELECT pg_wal_replay_pause()")
        take(1)
        until(lambda: found() == (2, None), "the primary, where the replica lags too much")
        pair.tell(pair.standby, "SELECT pg_wal_replay_resume()")
        until(from_replica, "the replica again")

        pair.standby.child.stop()
        pair.tell(pair.primary, ASYNCHRONOUS)
        pair.tell(pair.primary, "SELECT pg_reload_conf()")
        assert found() == (2, None)
        take(2)
        pair.standby.start()
        until(lambda: found()[0] == 3 and from_replica(), "the replica after its start")

        pair.tell(pair.standby, "SELECT pg_promote()")
        until(lambda: found() == (3, None), "the primary, where the replica is no standby")


def test_a_failover_to_a_synchronous_standby_loses_no_acknowledged_command(pair: Pair) -> None:
    metrics = f"127.0.0.1:{free_port()}"
    with (
        served(pair, METRICS_ADDRESS=metrics) as address,
        Player(address) as player,
        Player(address) as other,
    ):
        game = started(player, other)
        accepted = [player.take(game, spot) for spot in range(20)]
        check_alarms(pair, metrics)
        pair.fail_over()
        until(lambda: player.take(game, 20) is not None, "a command")
        found = player.client.get(f"/games/{game}/commits/?limit=100").json()["commits"]
        assert None not in accepted
        assert {*accepted} <= {commit["version"] for commit in found}
        assert player.client.get("/health/ready/").status_code == 200
