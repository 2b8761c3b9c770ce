"""Figures for operators: how many games wait for what, from one bounded query."""

from typing import Final, NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from games.models import OPEN_STATUSES, Head
from games.reads.players import LEASE_S
from games.store.heads import LOG_TROUBLES, SILENT, STANDBY_MISSING, UNSEALED_SINCE
from kit.metrics import Figure
from kit.partitions import AHEAD
from railbird_engine.kernel.chain import Kind

WITHIN_MS: Final = 2_000

# Each part reads an index of the rows that wait. Escrow holds coins of open lobbies and of games
# that are not settled.
QUERY: Final = f"""
WITH running AS (
    SELECT count(*) + (SELECT count(*) FROM games_head WHERE ended = '' AND is_slow) AS games,
        (SELECT count(*) FROM games_head WHERE ended = '' AND stalled <> '') AS stalled
    FROM games_head WHERE ended = '' AND NOT is_slow
),
due AS (
    SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0) AS oldest
    FROM games_head WHERE ended = '' AND stalled = '' AND NOT is_slow
),
slow_due AS (
    SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0) AS oldest
    FROM games_head WHERE ended = '' AND stalled = '' AND is_slow
),
ended AS (
    SELECT count(*) AS unsettled, coalesce(extract(epoch FROM now() - min(ended_at)), 0) AS oldest
    FROM games_head WHERE NOT settled AND ended <> ''
),
unsealed AS ({UNSEALED_SINCE}),
standby AS (
    SELECT count(*) AS connected, CASE WHEN pg_is_in_recovery() THEN 0
        ELSE coalesce(max(pg_current_wal_lsn() - replay_lsn), 0) END AS lag
    FROM pg_stat_replication
),
holding AS (
    SELECT id FROM games_lobby WHERE buy_in > 0 AND status = ANY(%(open)s)
    UNION
    SELECT l.id FROM games_lobby l JOIN games_game g ON g.lobby_id = l.id
    JOIN games_head h ON h.game_id = g.id
    WHERE l.buy_in > 0 AND (h.ended = '' OR NOT h.settled AND h.ended <> '')
)
SELECT running.games, running.stalled,
    (SELECT count(*) FROM games_logentry WHERE kind = {Kind.DIVERGED:d}),
    (SELECT count(*) FROM games_head WHERE damaged IS NOT NULL), ({LOG_TROUBLES}),
    greatest(due.oldest, 0), greatest(slow_due.oldest, 0), ended.unsettled,
    greatest(ended.oldest, 0),
    (SELECT greatest(coalesce(extract(epoch FROM now() - min(starts_by)), 0), 0)
        FROM games_lobby WHERE starts_by IS NOT NULL),
    CASE WHEN %(sealing)s THEN coalesce(extract(epoch FROM now() - unsealed.since), 0) ELSE 0 END,
    (SELECT coalesce(sum(a.credits - a.debits), 0) FROM accounts_account a
        JOIN holding ON a.book = holding.id AND a.key = 'escrow'),
    ({AHEAD}), standby.connected,
    ({STANDBY_MISSING})::int,
    standby.lag, ({SILENT}), (SELECT count(*) FROM pg_stat_activity WHERE datid IS NOT NULL)::float8
        / greatest(current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int, 1)
FROM running, due, slow_due, ended, unsealed, standby
"""  # noqa: S608  (a constant)

NAMED: Final = (
    ("games_running", "Games that have not ended."),
    ("games_stalled", "Running games that failed and wait for an operator."),
    ("games_diverged", "Games whose stored history is not the signed one."),
    ("games_damaged", "Games of which a stored commit is damaged or missing."),
    ("log_troubles", "Reasons why the log cannot be signed."),
    ("oldest_due_seconds", "How long the oldest due game has waited for the clock."),
    (
        "oldest_slow_due_seconds",
        "The same of slow games, which are stepped at a bounded rate after an outage.",
    ),
    ("games_unsettled", "Ended games whose payout is due."),
    ("oldest_unsettled_seconds", "How long the oldest of them has waited for it."),
    (
        "oldest_late_start_seconds",
        "How long ago the oldest start should have taken its next step, or been abandoned.",
    ),
    ("seal_lag_seconds", "Age of the oldest commit or start that is not in the public log."),
    ("escrow_coins", "Coins in escrow for open lobbies and running games."),
    ("months_ahead", "Months after this one that have partitions."),
    ("standbys", "Standbys of PostgreSQL that are connected, and running base backups."),
    ("standby_missing", "Whether commits wait for a synchronous standby, and none is connected."),
    (
        "standby_lag_bytes",
        "What the slowest standby has not replayed; needs pg_read_all_stats.",
    ),
    ("witnesses_silent", "Witnesses of the log that have cosigned nothing for a minute."),
    ("database_connections_share", "The part of PostgreSQL's connections that is in use."),
)


def of_database() -> list[Figure]:
    """Return the figures of all games. Raises DatabaseError after `WITHIN_MS` milliseconds."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = {WITHIN_MS}")
        named = [witness.text for witness, _ in settings.WITNESSES]
        lists = {"open": list(map(str, OPEN_STATUSES)), "witnesses": named}
        cursor.execute(QUERY, {**lists, "sealing": settings.SEALING})
        values = cursor.fetchone()
    return [
        Figure(name, text, float(value)) for (name, text), value in zip(NAMED, values, strict=True)
    ]


LIVE: Final = f"""
SELECT (SELECT count(*) FROM games_lobby WHERE status = ANY(%(open)s)),
    (SELECT count(*) FROM games_presence
        WHERE connected AND seen_at > now() - {LEASE_S} * interval '1 s'),
    (SELECT coalesce(sum(n_tup_ins), 0)::bigint FROM pg_stat_user_tables
        JOIN pg_inherits ON inhrelid = relid WHERE inhparent = 'games_commit'::regclass)
"""  # noqa: S608  (a constant)


class Live(NamedTuple):
    """Open lobbies, connected users (once for each lobby and process), and stored commits."""

    lobbies: int
    connections: int
    commits: int


def live() -> Live:
    """Return what changes from second to second. Raises DatabaseError like `of_database`."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL statement_timeout = {WITHIN_MS}")
        cursor.execute(LIVE, {"open": list(OPEN_STATUSES)})
        return Live(*cursor.fetchone())


def stalled_heads() -> QuerySet[Head]:
    """Select the heads of games that wait for an operator, because their rules raised or a stored
    commit is damaged, with their games."""
    stalled = Head.objects.filter(Q(ended="") & ~Q(stalled="") | Q(damaged__isnull=False))
    return stalled.select_related("game").order_by("game_id")
