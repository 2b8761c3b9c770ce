"""`python -m tests.faults.failovers`: kill the primary again and again, under load, promote the
standby, and look for forks of the log, lost commands and games that stand still.

Each failover is of one kind:

- `lag`: the asynchronous standby has fallen behind by up to ten seconds of commands;
- `level`: the standby is synchronous, so nothing acknowledged may be lost;
- `back`: like `lag`, but the old primary comes back beside the new one for a while, unfenced.

The operator of the campaign follows docs/operate/failover.md: promote, wait for `ready`, run
`log_restore`, build a new standby from the new primary.
"""

import argparse
import json
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

import httpx
import psutil
import psycopg

from gameserver.processes.embedded.postgres import APPLICATION, OWNER
from gameserver.processes.embedded.valkey import Valkey
from railbird_engine.audit.merkle import leaf_hash, root_of
from railbird_engine.audit.notes import Checkpoint
from tests.deploy.pair import Pair
from tests.processes import ROOT, environment_with, running, web_process, worker

KINDS: Final = ("lag", "lag", "level", "back")
LAG_MAX_S: Final = 10.0
LOAD_S: Final = 2.0
"""How long the load runs between the lag and the end of the primary."""
BACK_S: Final = 4.0
MOVES_WITHIN_S: Final = 60.0
LOOK_EVERY_S: Final = 0.2
TABLES: Final = 4
SPOTS: Final = 68
RACE: Final = {"roll_ms": 700, "pause_ms": 700, "think_ms": 0, "vip": False}
UNAVAILABLE: Final = frozenset({429, 500, 502, 503})
OPERATOR: Final = "operator"
STAFF: Final = f"""
from accounts.models import User
User.objects.create_user("{OPERATOR}", is_staff=True, display_name="Operator")
"""


class Kept(NamedTuple):
    """A command that was acknowledged, with the hash of its commit."""

    game: str
    version: int
    hash: str
    at: float


class Failover(NamedTuple):
    """A line of the results."""

    kind: str
    lag_s: float
    acknowledged: int
    lost: int
    ready_s: float
    moved_s: float
    restored: str
    findings: Sequence[str]


class Players(threading.Thread):
    """Two users at a table of free spots, who send commands to any web process, and a race that
    only the clock moves. They repeat a command whose outcome is unknown."""

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__(daemon=True)
        self.kept: list[Kept] = []
        self.refused: Counter[str] = Counter()
        self.ended = threading.Event()
        self._addresses = addresses
        self._chance = random.Random()
        with httpx.Client(timeout=30) as client:
            self._tokens = [self._post(client, "/auth/guest/", "")["token"] for _ in range(2)]
            self.game = self._start(client, "free_spots", {})
            self.race = self._start(client, "ready_set_bet", RACE)

    def _start(self, client: httpx.Client, slug: str, options: dict[str, Any]) -> str:
        host, guest = self._tokens
        lobby = self._post(client, "/lobbies/", host, slug=slug, options=options)["id"]
        self._post(client, f"/lobbies/{lobby}/join/", guest)
        answer = client.put(
            self._url(f"/lobbies/{lobby}/ready/"), json={"ready": True}, headers=_of(guest)
        )
        assert answer.status_code == 200, answer.text
        return str(self._post(client, f"/lobbies/{lobby}/start/", host)["id"])

    def _url(self, path: str) -> str:
        return f"http://{self._chance.choice(self._addresses)}/api/v1{path}"

    def _post(self, client: httpx.Client, path: str, token: str, **body: Any) -> Any:
        answer = client.post(self._url(path), json=body, headers=_of(token))
        assert answer.status_code in {200, 201}, answer.text
        return answer.json()

    def run(self) -> None:
        """Play until the end."""
        with httpx.Client(timeout=15) as client:
            while not self.ended.is_set():
                self._play(client)
                time.sleep(self._chance.uniform(0.02, 0.1))

    def _play(self, client: httpx.Client) -> None:
        token = self._chance.choice(self._tokens)
        spot = self._chance.randrange(SPOTS)
        command = {"id": str(uuid4()), "command": {"type": "take_spot", "spot": spot}}
        while not self.ended.is_set():
            with suppress(httpx.HTTPError, ValueError, KeyError):
                url = self._url(f"/games/{self.game}/commands/")
                answer = client.post(url, json=command, headers=_of(token))
                if answer.status_code == 201:
                    found = answer.json()
                    self.kept.append(
                        Kept(self.game, found["version"], found["hash"], time.monotonic())
                    )
                    return
                if answer.status_code not in UNAVAILABLE:
                    self.refused[answer.json()["code"]] += 1
                    return
            time.sleep(LOOK_EVERY_S)


def _of(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


class Watcher(threading.Thread):
    """Collects every checkpoint that anybody can see, and the one beside the key of the log."""

    def __init__(self, addresses: Sequence[str], key: Path) -> None:
        super().__init__(daemon=True)
        self.roots: dict[int, set[bytes]] = {}
        self._addresses = addresses
        self._beside = key.with_name(f"{key.name}.checkpoint")

    def run(self) -> None:
        """Look until the process ends."""
        with httpx.Client(timeout=2) as client:
            while True:
                for address in self._addresses:
                    with suppress(httpx.HTTPError):
                        answer = client.get(f"http://{address}/log/checkpoint")
                        if answer.status_code == 200:
                            self._note(answer.text)
                with suppress(OSError):
                    self._note(self._beside.read_text())
                time.sleep(LOOK_EVERY_S)

    def _note(self, note: str) -> None:
        with suppress(ValueError):  # a file that is being written
            seen = Checkpoint.parse(note.rpartition("\n\n")[0] + "\n")
            self.roots.setdefault(seen.size, set()).add(seen.root)


class Campaign:
    """A pair of servers with two web processes and two workers, whose sealers share a key."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._pair = Pair(folder, stack)
        valkey = Valkey(runtime=folder / "valkey", log=folder / "valkey.log")
        (folder / "valkey").mkdir()
        stack.callback(valkey.child.stop)
        valkey.start()
        self._key = folder / "log_key"
        self._settings = {
            "DATABASE_URL": self._pair.url(APPLICATION),
            "DATABASE_OWNER_URL": self._pair.url(OWNER),
            "REDIS_URL": valkey.url,
            "LOG_KEY_FILE": str(self._key),
            "RATE_LIMITS": "address=0/60 user=0/60 token=0/60 guest=0/60",
            "EXTRA_RULES": "bench.free_spots",
        }
        self._managed("migrate", "--verbosity=0")
        self._managed("shell", "--command", STAFF)
        self._addresses = [
            stack.enter_context(web_process(self._settings, log=folder / f"web{number}"))[1]
            for number in range(2)
        ]
        for _ in range(2):
            stack.enter_context(running(worker(self._settings)))
        self.watcher = Watcher(self._addresses, self._key)
        self.watcher.start()
        self._players: list[Players] = []
        stack.callback(self._end)

    def _end(self) -> None:
        for each in self._players:
            each.ended.set()

    def _managed(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "gameserver", *arguments],
            env=environment_with(self._settings),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def fail_over(self, kind: str, lag_s: float) -> Failover:
        """Fail over once, and return what was found."""
        self._seat()
        self._pair.synchronous(kind == "level")
        time.sleep(LOAD_S)
        stopped = [] if kind == "level" else self._senders()
        for process in stopped:
            process.suspend()
        time.sleep(lag_s)
        killed_at = time.monotonic()
        self._pair.kill()
        self._pair.promote()
        if kind == "back":
            self._pair.primary.start()
            time.sleep(BACK_S)
            self._pair.kill()
        promoted_at = time.monotonic()
        findings: list[str] = []
        ready_s = self._until(self._is_ready, "not ready", findings)
        restored = self._managed("log_restore", f"--by={OPERATOR}", "--reason=A failover.")
        moved_s = self._until(self._all_move, "games stand", findings)
        sealed_s = self._until(self._seals, "the log stands", findings)
        kept = [each for players in self._players for each in players.kept]
        lost = self._lost(kept)
        if kind == "level" and lost:
            findings.append(f"{len(lost)} acknowledged commands lost")
        if late := [each for each in lost if each.at > promoted_at + max(ready_s, sealed_s, 5)]:
            findings.append(f"{len(late)} commands lost long after the failover")
        findings += [f"stalled: {why}" for why in self._stalled()]
        findings += self.forks()
        for players in self._players:
            players.kept.clear()
        acknowledged = sum(each.at < killed_at for each in kept)
        self._pair.rebuild()
        lines = restored.splitlines()
        return Failover(kind, lag_s, acknowledged, len(lost), ready_s, moved_s, lines[0], findings)

    def _seat(self) -> None:
        """Replace the players of games that were voided."""
        ended = {
            str(game) for (game,) in self._rows("SELECT game_id FROM games_head WHERE ended <> ''")
        }
        for each in [each for each in self._players if {each.game, each.race} & ended]:
            each.ended.set()
            self._players.remove(each)
        while len(self._players) < TABLES:
            players = Players(self._addresses)
            players.start()
            self._players.append(players)

    def _senders(self) -> list[psutil.Process]:
        family = psutil.Process(self._pair.primary.child.pid).children(recursive=True)
        return [each for each in family if "walsender" in " ".join(each.cmdline())]

    def _rows(self, query: str, *parameters: object) -> list[Any]:
        with psycopg.connect(self._pair.url(APPLICATION), autocommit=True) as connection:
            return connection.execute(query, parameters or None).fetchall()

    def _until(self, done: Any, why: str, findings: list[str]) -> float:
        began = time.monotonic()
        while missing := done():
            if time.monotonic() - began > MOVES_WITHIN_S:
                findings.append(f"{why}: {missing}")
                break
            time.sleep(LOOK_EVERY_S)
        return round(time.monotonic() - began, 1)

    def _is_ready(self) -> str:
        for address in self._addresses:
            try:
                answer = httpx.get(f"http://{address}/api/v1/health/ready/", timeout=3)
            except httpx.HTTPError as error:
                return repr(error)
            if answer.status_code != 200:
                return answer.text
        return ""

    def _all_move(self) -> list[str]:
        """Return the games that do not move, though players or the clock should move them."""
        query = """
            SELECT game_id, version FROM games_head
            WHERE ended = '' AND (due_at IS NOT NULL OR game_id = ANY(%s::uuid[]))
        """
        played = [each.game for each in self._players]
        before = dict(self._rows(query, played))
        began = time.monotonic()
        while before and time.monotonic() - began < MOVES_WITHIN_S:
            time.sleep(LOOK_EVERY_S)
            now = dict(self._rows(query, played))
            before = {game: version for game, version in before.items() if now.get(game) == version}
        return [str(game) for game in before]

    def _seals(self) -> str:
        """Return which heads are not in the log yet, though they were there before the call."""
        heads = dict(self._rows("SELECT log_name, version FROM games_head JOIN games_game g"
                                " ON g.id = game_id WHERE ended = ''"))  # fmt: skip
        time.sleep(1)
        query = "SELECT name, max(version) FROM games_logentry WHERE name = ANY(%s) GROUP BY name"
        sealed = dict(self._rows(query, list(heads)))
        behind = [name for name, version in heads.items() if sealed.get(name, 0) < version]
        return str(behind[0]) if behind else ""

    def _lost(self, kept: Sequence[Kept]) -> list[Kept]:
        games = sorted({each.game for each in kept})
        query = "SELECT game_id, version, hash FROM games_commit WHERE game_id = ANY(%s::uuid[])"
        there = {
            (str(game), version): bytes(hash_).hex()
            for game, version, hash_ in self._rows(query, games)
        }
        return [each for each in kept if there.get((each.game, each.version)) != each.hash]

    def _stalled(self) -> Iterator[str]:
        for (why,) in self._rows(
            "SELECT stalled FROM games_head WHERE stalled <> '' AND ended = ''"
        ):
            yield why

    def forks(self) -> list[str]:
        """Return the checkpoints that are not of the log that the database has now."""
        seen, found = dict(self.watcher.roots), list[str]()
        time.sleep(LOAD_S)  # a checkpoint is signed a moment before its entries are stored
        rows = self._rows('SELECT entry FROM games_logentry ORDER BY "index"')
        leaves = [leaf_hash(bytes(entry)) for (entry,) in rows]
        for size, roots in sorted(seen.items()):
            if size > len(leaves):
                found.append(f"fork: {size} entries were signed, there are {len(leaves)}")
            elif roots != {root_of(leaves[:size])}:
                found.append(f"fork: {len(roots)} roots at size {size}")
            else:
                continue
        for size in sorted(seen)[:-1]:
            del self.watcher.roots[size]
        return found


def main() -> None:
    """Run failovers, and print a line for each and a summary."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.failovers", description=__doc__)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path(".data/failovers.jsonl"))
    arguments = parser.parse_args()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    chance = random.Random(arguments.seed)
    until = time.monotonic() + arguments.minutes * 60
    found: list[Failover] = []
    folder = Path(tempfile.mkdtemp(prefix="failovers-", dir="/tmp"))
    folder.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        campaign = Campaign(folder, stack)
        for number in range(arguments.count):
            if time.monotonic() > until:
                break
            kind = KINDS[number % len(KINDS)]
            lag_s = 0.0 if kind == "level" else round(chance.uniform(0, LAG_MAX_S), 1)
            found.append(campaign.fail_over(kind, lag_s))
            with arguments.results.open("a") as file:
                file.write(json.dumps(found[-1]._asdict()) + os.linesep)
            print(found[-1], flush=True)
    print(summary(found))
    sys.exit(any(each.findings for each in found))


def summary(found: Sequence[Failover]) -> str:
    """Return a table of the kinds of failovers."""
    lines = ["| kind | failovers | acknowledged | lost | findings |", "|---|---|---|---|---|"]
    for kind in dict.fromkeys(KINDS):
        of_kind = [each for each in found if each.kind == kind]
        lines.append(
            f"| {kind} | {len(of_kind)} | {sum(each.acknowledged for each in of_kind)} | "
            f"{sum(each.lost for each in of_kind)} | {sum(len(e.findings) for e in of_kind)} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
