"""Idle slow games: measure what they add to the processor time of everything, and the transactions
of the database.

A few real games are started; the others are copies of their rows, which no process ever loads.
"""

import os
import time
from typing import Final
from uuid import UUID

import msgspec
import psycopg
from django.db import connection

from accounts.models import User
from bench.ground import OWNER_URL, Experiment
from bench.meter import Meter, server_cores
from games import lobbies
from games.models import Head
from games.store.registry import catalogue
from gameserver.processes.embedded.postgres import SUPERUSER

SEATS: Final = 4
WITH_BOTS: Final = 10
"""Of so many games, one has bots."""
WARM_S: Final = 12.0
SEALED_WITHIN_S: Final = 30.0

# Each statement copies the rows of the games in `sources`. A copy has a random id of the same
# month, and is due within a week.
COPY: Final = (
    """
    CREATE TEMPORARY TABLE copies AS
    SELECT gen_random_uuid() AS lobby, (left(g.id::text, 15) || right(gen_random_uuid()::text, 21)
        )::uuid AS game, g.id AS source, g.lobby_id AS source_lobby
    FROM generate_series(1, %(games)s) AS number
    JOIN unnest(%(sources)s::uuid[]) WITH ORDINALITY AS s(id, place)
        ON s.place = CASE WHEN number %% %(with_bots)s = 0 THEN 2 ELSE 1 END
    JOIN games_game g ON g.id = s.id
    """,
    """
    INSERT INTO games_lobby SELECT (jsonb_populate_record(l, jsonb_build_object(
        'id', c.lobby, 'log_name', gen_random_uuid(),
        'invite_code', upper(substr(md5(c.lobby::text), 1, 12))))).*
    FROM copies c JOIN games_lobby l ON l.id = c.source_lobby
    """,
    """
    INSERT INTO games_game SELECT (jsonb_populate_record(g, jsonb_build_object(
        'id', c.game, 'lobby_id', c.lobby, 'log_name', gen_random_uuid()))).*
    FROM copies c JOIN games_game g ON g.id = c.source
    """,
    """
    INSERT INTO games_head SELECT (jsonb_populate_record(h, jsonb_build_object(
        'game_id', c.game, 'sealed', true,
        'due_at', now() + interval '1 day' + random() * interval '6 days'))).*
    FROM copies c JOIN games_head h ON h.game_id = c.source
    """,
    """
    INSERT INTO games_schedule SELECT (jsonb_populate_record(s, jsonb_build_object(
        'game_id', h.game_id, 'due_at', h.due_at))).*
    FROM copies c JOIN games_schedule s ON s.game_id = c.source
    JOIN games_head h ON h.game_id = c.game
    """,
    """
    INSERT INTO games_seat
        (lobby_id, number, colour, user_id, bot_name, ready, commits, salt, taken_at)
    SELECT c.lobby, s.number, s.colour, s.user_id, s.bot_name, s.ready, s.commits, s.salt,
        s.taken_at
    FROM copies c JOIN games_seat s ON s.lobby_id = c.source_lobby
    """,
    """
    INSERT INTO games_commit SELECT (jsonb_populate_record(k, jsonb_build_object(
        'game_id', c.game))).*
    FROM copies c JOIN games_commit k ON k.game_id = c.source
    """,
    "VACUUM (FREEZE, ANALYZE)",
)
TRANSACTIONS: Final = """
SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()
"""


class SlowMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """The cores in use and the transactions per second, without and with the idle games."""

    games: int
    seconds: float
    cores_without: dict[str, float]
    cores_with: dict[str, float]
    added_cores: float
    transactions_without: float
    transactions_with: float


class Slow(Experiment, frozen=True, kw_only=True):
    """`games` slow games, a tenth of them with bots, which all wait for a person."""

    games: int
    seconds: float

    def run(self) -> SlowMeasured:
        """Run in a process with Django set up, next to a web process and a worker."""
        sources = [_started(bots) for bots in (0, SEATS - 1)]
        _await_sealed(sources)
        without, transactions_without = self._measured()
        copy = {"games": self.games, "sources": sources, "with_bots": WITH_BOTS}
        with psycopg.connect(os.environ[OWNER_URL], autocommit=True) as owner:
            for statement in COPY:
                owner.execute(statement, copy if "%(" in statement else None)
        # Otherwise the pages of the copies are written while the games are measured.
        with psycopg.connect(os.environ[OWNER_URL], user=SUPERUSER, autocommit=True) as superuser:
            superuser.execute("CHECKPOINT")
        cores, transactions = self._measured()
        added = server_cores(cores) - server_cores(without)
        return SlowMeasured(
            games=self.games,
            seconds=self.seconds,
            cores_without=without,
            cores_with=cores,
            added_cores=round(added, 4),
            transactions_without=transactions_without,
            transactions_with=transactions,
        )

    def _measured(self) -> tuple[dict[str, float], float]:
        time.sleep(WARM_S)
        meter, before = Meter(self.processes), _transactions()
        time.sleep(self.seconds)
        return meter.cores(), round((_transactions() - before) / self.seconds, 1)


def _transactions() -> int:
    with connection.cursor() as cursor:
        cursor.execute(TRANSACTIONS)
        (count,) = cursor.fetchone()
    return int(count)


def _started(bots: int) -> UUID:
    """Start a slow game that waits for its host."""
    slug, rules = next((slug, rules) for slug, rules in catalogue().items() if rules.limits)
    host, *others = (User.objects.create(username=os.urandom(8).hex()) for _ in range(SEATS - bots))
    choices = lobbies.LobbyChoices(
        slug=slug,
        options=dict(rules.presets()[-1].options),
        capacity=SEATS,
        pace="slow",
        start_when_full=True,
    )
    lobby = lobbies.create(host, choices)
    for other in others:
        lobbies.join(other, lobby.id)
    for _ in range(bots):
        lobbies.add_bot(host, lobby.id)
    lobby.refresh_from_db()
    game: UUID = lobby.game.id
    return game


def _await_sealed(games: list[UUID]) -> None:
    until = time.monotonic() + SEALED_WITHIN_S
    while Head.objects.filter(game__in=games, sealed=False).exists():
        assert time.monotonic() < until, "the sealer seals idle games"
        time.sleep(0.2)
