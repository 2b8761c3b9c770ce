"""`python -m tests.faults.failovers`: kill the primary again and again, under load, promote the
standby, and look for forks of the log, lost commands and games that stand still.

Each failover is of one kind:

- `lag`: the asynchronous standby has fallen behind by up to ten seconds of commands;
- `level`: the standby is synchronous, so nothing acknowledged may be lost;
- `back`: like `lag`, but the old primary comes back beside the new one for a while, unfenced.

The operator of the campaign follows docs/operate/failover.md: promote, switch PgBouncer if there is
one (`--pooled`), wait for `ready`, run `log_restore`, build a new standby from the new primary.
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
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import httpx
import psutil
import psycopg
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections

from gameserver.processes.embedded.postgres import APPLICATION, DATABASE, OWNER
from gameserver.processes.embedded.valkey import Valkey
from gameserver.settings import environment
from railbird_engine.audit.merkle import leaf_hash, root_of
from tests.deploy.pair import Pair
from tests.deploy.pgbouncer import ROLES, PgBouncer
from tests.faults.clients import LOOK_EVERY_S, Kept, Players, Watcher
from tests.processes import ROOT, environment_with, running, web_process, worker

KINDS: Final = ("lag", "lag", "level", "back")
LAG_MAX_S: Final = 10.0
LOAD_S: Final = 1.0
"""How long the load runs between the lag and the end of the primary."""
BACK_S: Final = 3.0
WITHIN_S: Final = 60.0
SIGNED_BEFORE_S: Final = 1.0
"""A checkpoint is signed up to so long before its entries can be read."""
TABLES: Final = 3
POOL_SIZE: Final = 20
OPERATOR: Final = "operator"
STAFF: Final = f"""
from accounts.models import User
User.objects.create_user("{OPERATOR}", is_staff=True, display_name="Operator")
"""


class Failover(NamedTuple):
    """A line of the results. `restarts` counts reports of lost commits over sockets."""

    kind: str
    pooled: bool
    lag_s: float
    acknowledged: int
    lost: int
    restarts: int
    ready_s: float
    moved_s: float
    took_s: float
    restored: str
    findings: Sequence[str]


class Campaign:
    """A pair of servers with two web processes and two workers, whose sealers share a key."""

    def __init__(self, folder: Path, stack: ExitStack, *, pooled: bool) -> None:
        self._pair = Pair(folder, stack)
        valkey = Valkey(runtime=folder / "valkey", log=folder / "valkey.log")
        (folder / "valkey").mkdir()
        stack.callback(valkey.child.stop)
        valkey.start()
        settings = {
            "DATABASE_URL": self._pair.url(APPLICATION),
            "DATABASE_OWNER_URL": self._pair.url(OWNER),
            "REDIS_URL": valkey.url,
            "RATE_LIMITS": "address=0/60 user=0/60 token=0/60 guest=0/60",
            "STANDBY_CLOCK": "1",
        }
        _managed(settings, "migrate", "--verbosity=0")
        _managed(settings, "shell", "--command", STAFF)
        os.environ.update(settings)
        connections.settings[DEFAULT_DB_ALIAS].update(environment.database())
        self.pgbouncer = self._pooler(folder, stack) if pooled else None
        served = settings | (self.pgbouncer.settings if self.pgbouncer else {})
        self._addresses = [
            stack.enter_context(web_process(served, log=folder / f"web{number}"))[1]
            for number in range(2)
        ]
        for _ in range(2):
            stack.enter_context(running(worker(served)))
        self.watcher = Watcher(self._addresses, Path(os.environ["LOG_KEY_FILE"]))
        self.watcher.start()
        self._threads = stack.enter_context(ThreadPoolExecutor())
        self._players: list[Players] = []
        stack.callback(self._end)
        self._seat()

    def _pooler(self, folder: Path, stack: ExitStack) -> PgBouncer:
        for statement in ROLES:
            self._pair.tell(self._pair.primary, statement)
        (place := folder / "pgbouncer").mkdir(mode=0o755)
        found = PgBouncer(place, DATABASE, self._pair.primary.runtime, POOL_SIZE)
        stack.enter_context(found.running(self._pair.primary.runtime.stat().st_uid))
        return found

    def _end(self) -> None:
        for each in self._players:
            each.end()

    def fail_over(self, kind: str, lag_s: float) -> Failover:
        """Fail over once, and return what was found."""
        began = time.monotonic()
        killed_at, promoted_at = self._break(kind, lag_s)
        findings: list[str] = []
        ready_s = self._until(self._is_ready, "not ready", findings)
        moved_s = self._until(self._stand, "games stand", findings)
        findings += [f"stalled: {why}" for why in self._stalled()]
        restored = ""
        if kind != "level" or self._health()["late"]:
            restored = _asked("log_restore", f"--by={OPERATOR}", "--reason=A failover.")
        findings += self._voided_wrongly(restored)
        sealed_s = self._until(self._unsealed, "the log stands", findings)
        rebuilt = self._threads.submit(self._pair.rebuild)
        kept = [each for players in self._players for each in players.kept]
        lost = self._lost(kept)
        if kind == "level" and lost:
            findings.append(f"{len(lost)} acknowledged commands lost")
        if late := [each for each in lost if each.at > promoted_at + ready_s + moved_s + sealed_s]:
            findings.append(f"{len(late)} commands lost long after the failover: {late[0]}")
        findings += [*self._doubled(kept), *self._shown_wrongly(), *self.forks()]
        with ExitStack() as idle:  # a check of a game that runs would compare different versions
            for players in self._players:
                idle.enter_context(players.turn)
            findings += _unverified({UUID(each.game) for each in kept})
        restarts = sum(players.reader.restarts for players in self._players)
        for players in self._players:
            players.kept.clear()
            players.reader.restarts = 0
        self._seat()
        rebuilt.result()
        return Failover(
            kind=kind,
            pooled=self.pgbouncer is not None,
            lag_s=lag_s,
            acknowledged=sum(each.at < killed_at for each in kept),
            lost=len(lost),
            restarts=restarts,
            ready_s=ready_s,
            moved_s=moved_s,
            took_s=round(time.monotonic() - began, 1),
            restored=restored.split("\n", 1)[0],
            findings=findings,
        )

    def _break(self, kind: str, lag_s: float) -> tuple[float, float]:
        """Kill the primary and promote the standby. Return when each was done."""
        self._pair.synchronous(kind == "level")
        time.sleep(LOAD_S)
        if kind != "level":
            for resting in self._resting:
                resting.plays.clear()
            time.sleep(LOAD_S)
            for process in self._senders():
                process.suspend()
            time.sleep(lag_s)
        killed_at = time.monotonic()
        self._pair.kill()
        self._pair.promote()
        if kind == "back":
            self._pair.primary.start()
            time.sleep(BACK_S)
            self._pair.kill()
        if self.pgbouncer is not None:
            self.pgbouncer.point_at(self._pair.standby.runtime)
        for resting in self._resting:
            resting.plays.set()
        return killed_at, time.monotonic()

    @property
    def _resting(self) -> list[Players]:
        """The table that does not play while the standby lags, so it loses nothing."""
        return [each for each in self._players if not each.race]

    def _seat(self) -> None:
        """Replace the players of games that have ended."""
        ended = {
            str(game) for (game,) in self._rows("SELECT game_id FROM games_head WHERE ended <> ''")
        }
        for each in [each for each in self._players if {each.game, each.race} & ended]:
            each.end()
            self._players.remove(each)
        missing = [True] * (not self._resting) + [False] * (
            TABLES - len(self._players) + len(self._resting)
        )
        seated = [self._threads.submit(Players, self._addresses, rests=rests) for rests in missing]
        for place in seated:
            players = place.result()
            players.start()
            self._players.append(players)

    def _senders(self) -> list[psutil.Process]:
        family = psutil.Process(self._pair.primary.child.pid).children(recursive=True)
        return [each for each in family if "walsender" in " ".join(each.cmdline())]

    def _rows(self, query: str, *parameters: object) -> list[Any]:
        with psycopg.connect(self._pair.url(APPLICATION), autocommit=True) as connection:
            return connection.execute(query, parameters or None).fetchall()

    def _until(self, done: Callable[[], str], why: str, findings: list[str]) -> float:
        began = time.monotonic()
        while missing := done():
            if time.monotonic() - began > WITHIN_S:
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

    def _health(self) -> Any:
        return httpx.get(f"http://{self._addresses[0]}/api/v1/health/ready/", timeout=10).json()

    def _stand(self) -> str:
        """Return a game that does not move, though players or the clock should move it."""
        query = """
            SELECT game_id, version FROM games_head
            WHERE ended = '' AND (due_at IS NOT NULL OR game_id = ANY(%s::uuid[]))
        """
        played = [each.game for each in self._players]
        before = dict(self._rows(query, played))
        began = time.monotonic()
        while before and time.monotonic() - began < WITHIN_S:
            time.sleep(LOOK_EVERY_S)
            now = dict(self._rows(query, played))
            before = {game: version for game, version in before.items() if now.get(game) == version}
        return f"{len(before)}, {next(iter(before))}" if before else ""

    def _unsealed(self) -> str:
        """Return a game whose head is not in the log yet, though it was there before the call."""
        heads = dict(self._rows("SELECT log_name, version FROM games_head JOIN games_game g"
                                " ON g.id = game_id WHERE ended = ''"))  # fmt: skip
        query = "SELECT name, max(version) FROM games_logentry WHERE name = ANY(%s) GROUP BY name"
        began = time.monotonic()
        while heads and time.monotonic() - began < WITHIN_S:
            time.sleep(LOOK_EVERY_S)
            sealed = dict(self._rows(query, list(heads)))
            heads = {name: most for name, most in heads.items() if sealed.get(name, 0) < most}
        return str(next(iter(heads))) if heads else ""

    def _voided_wrongly(self, restored: str) -> Iterator[str]:
        """Yield the resting table if its game was voided: it had lost nothing."""
        for each in self._resting:
            if f"game {each.game} voided" in restored:
                yield f"{each.game} lost nothing and was voided"

    def _lost(self, kept: Sequence[Kept]) -> list[Kept]:
        games = sorted({each.game for each in kept})
        query = "SELECT game_id, version, hash FROM games_commit WHERE game_id = ANY(%s::uuid[])"
        there = {
            (str(game), version): bytes(hash_).hex()
            for game, version, hash_ in self._rows(query, games)
        }
        return [each for each in kept if there.get((each.game, each.version)) != each.hash]

    def _doubled(self, kept: Sequence[Kept]) -> Iterator[str]:
        query = "SELECT command_id FROM games_commit WHERE command_id = ANY(%s::uuid[])"
        found = Counter(self._rows(query, [each.id for each in kept]))
        for (id_,), count in found.items():
            if count > 1:
                yield f"command {id_} was carried out {count} times"

    def _shown_wrongly(self) -> Iterator[str]:
        """Yield what sockets showed, did not take back, and the database does not have."""
        for players in self._players:
            reader, game = players.reader, players.game
            ((version,),) = self._rows("SELECT version FROM games_head WHERE game_id = %s", game)
            if not reader.caught_up(version):
                yield f"{game} shows {reader.last} at {version}"
            shown = dict(reader.shown)
            query = "SELECT version, hash FROM games_commit WHERE game_id = %s"
            there = {number: bytes(hash_).hex() for number, hash_ in self._rows(query, game)}
            wrong = [number for number, hash_ in shown.items() if there.get(number) != hash_]
            if wrong:
                yield f"{game} still shows lost commits: {wrong[:3]}, {len(wrong)} of {len(shown)}"
            yield from reader.broken
            reader.broken.clear()

    def _stalled(self) -> Iterator[str]:
        for (why,) in self._rows(
            "SELECT stalled FROM games_head WHERE stalled <> '' AND ended = ''"
        ):
            yield why

    def forks(self) -> Iterator[str]:
        """Yield the checkpoints that are not of the log that the database has now."""
        seen = {size: set(roots) for size, roots in dict(self.watcher.roots).items()}
        time.sleep(SIGNED_BEFORE_S)
        rows = self._rows('SELECT entry FROM games_logentry ORDER BY "index"')
        leaves = [leaf_hash(bytes(entry)) for (entry,) in rows]
        for size, roots in sorted(seen.items()):
            if size > len(leaves):
                yield f"fork: {size} entries were signed, there are {len(leaves)}"
            elif roots != {root_of(leaves[:size])}:
                yield f"fork: {len(roots)} roots at size {size}"
        for size in sorted(seen)[:-1]:
            del self.watcher.roots[size]


def _managed(settings: dict[str, str], *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gameserver", *arguments],
        env=environment_with(settings),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _asked(*arguments: str) -> str:
    """Run a command of the server here, which takes less long, and return what it printed."""
    printed = StringIO()
    try:
        call_command(*arguments, stdout=printed)
    finally:
        connections.close_all()
    return printed.getvalue()


def _unverified(games: set[UUID]) -> list[str]:
    """Return what the checks of the fault harness find in these games and in the ledger."""
    from accounts import ledger  # noqa: PLC0415 -- needs Django
    from games.proofs.verification import verify_game  # noqa: PLC0415

    try:
        found = [f"ledger: {each}" for each in ledger.divergences()]
        for game in games:
            found += [f"{game}: {finding}" for finding in verify_game(game).findings]
    finally:
        connections.close_all()
    return found


def main() -> None:
    """Run failovers, and print a line for each and a summary."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.failovers", description=__doc__)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--kinds", nargs="*", default=KINDS, help="these, in turn")
    parser.add_argument("--pooled", action="store_true", help="behind PgBouncer")
    parser.add_argument("--results", type=Path, default=Path(".data/failovers.jsonl"))
    arguments = parser.parse_args()
    logging.getLogger("httpx").setLevel(logging.WARNING)
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + arguments.minutes * 60
    finished = read(arguments.results)
    folder = Path(tempfile.mkdtemp(prefix="failovers-", dir="/tmp"))
    folder.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        campaign = Campaign(folder, stack, pooled=arguments.pooled)
        for _ in range(arguments.count):
            if time.monotonic() > until:
                break
            chance = random.Random(len(finished))
            kind = arguments.kinds[len(finished) % len(arguments.kinds)]
            lag_s = 0.0 if kind == "level" else round(chance.uniform(0, LAG_MAX_S), 1)
            finished.append(campaign.fail_over(kind, lag_s))
            with arguments.results.open("a") as file:
                file.write(json.dumps(finished[-1]._asdict()) + os.linesep)
            print(finished[-1], flush=True)
    print(summary(finished))
    sys.exit(any(each.findings for each in finished))


def read(results: Path) -> list[Failover]:
    """Return the failovers in a file of results."""
    lines = results.read_text().splitlines() if results.exists() else []
    return [Failover(**json.loads(line)) for line in lines]


def summary(found: Sequence[Failover]) -> str:
    """Return a table of the kinds of failovers."""
    lines = ["| kind | failovers | acknowledged | lost | findings |", "|---|---|---|---|---|"]
    for kind, pooled in sorted({(each.kind, each.pooled) for each in found}):
        of_kind = [each for each in found if (each.kind, each.pooled) == (kind, pooled)]
        lines.append(
            f"| {kind}{', PgBouncer' if pooled else ''} | {len(of_kind)} | "
            f"{sum(each.acknowledged for each in of_kind)} | "
            f"{sum(each.lost for each in of_kind)} | {sum(len(e.findings) for e in of_kind)} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
