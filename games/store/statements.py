"""The SQL statements of the store. They find every row by key."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import compress, product
from types import NoneType
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings

from accounts import ledger
from games.store.rows import COLUMNS, NewCommit

# One statement for many games, with a run of commits of each: the first is expected to follow the
# head, and each other to follow the one before. The heads that are still there are locked, one by
# one in the order of their ids, and moved. Of each run, the commits before the first that may not
# be stored are written; each row is joined by game and version. SKIP LOCKED: if another writer
# holds a head, the group loses the run of that game and nothing else.
#
# Most games have one commit in a statement. If all have, the commits are not sorted into runs.
#
# Commits are partitioned by the month of the game. With `first` and `last`, the least and the
# greatest game, a statement opens only the partitions between them, however many there are. `games`
# hides the game of a row from the pruning of partitions while the statement runs: PostgreSQL 18
# crashes if it prunes there in a statement whose head another one has just changed.
#
# The due time: an alarm that keeps its number keeps its due time. An alarm after a tick is due
# whole periods after the old due time, without those that have passed. Any other counts from now.
#
# The clock is read after the head was locked (the lateral subquery locks before its row leaves it),
# and compared with `not_after`. Another writer that locks the head later therefore knows that no
# earlier commit can arrive.
_DECIDED: Final = """
unnest(
    %(game)s::uuid[], %(version)s::int[], %(seat)s::smallint[], %(command_id)s::uuid[],
    %(body)s::bytea[], %(hash)s::bytea[], %(alarm)s::int[], %(after_ms)s::float8[],
    %(answers)s::int[], %(ended)s::text[], %(drawn)s::bigint[], %(not_after)s::timestamptz[]
) AS c(game_id, version, seat, command_id, body, hash, alarm, after_ms, answers, ended, drawn,
    not_after)
"""

_LOCKED_HEAD: Final = """
LATERAL (
    SELECT h.alarm AS awaited, h.due_at FROM games_head h
    WHERE h.game_id = c.game_id AND h.version + 1 = c.version AND h.ended = '' AND h.stalled = ''
    FOR NO KEY UPDATE SKIP LOCKED
) l
"""

# The partitions in which commands are searched. Of a plain range of ids, the planner would expect
# so few commits in each game that it reads them all, instead of the index of commands.
_SEARCHED: Final = """
(d.game_id BETWEEN %(first)s AND %(last)s OR d.game_id BETWEEN %(last)s AND %(last)s)
"""

# It is never NULL, which `bool_and` would skip.
_FITS: Final = """
coalesce(c.answers = c.awaited, c.answers IS NULL) AND known.version IS NULL
AND (c.not_after IS NULL OR c.at <= c.not_after)
"""


class _Shape(NamedTuple):
    """The parts of the statement that differ if a game has several commits in it.

    `before` are the CTEs that the others need. `candidates` are the commits with their locked
    heads, `fits` says whether one may be stored, and `newest` are the last commits of the games.
    """

    before: str
    candidates: str
    fits: str
    newest: str


_SINGLE: Final = _Shape(
    before="",
    candidates=f"""
        SELECT c.*, ARRAY[game_id] AS games, l.*, clock_timestamp() AS at
        FROM {_DECIDED} CROSS JOIN {_LOCKED_HEAD}
    """,  # noqa: S608  (of constants)
    fits=_FITS,
    newest="won",
)

_RUNS: Final = _Shape(
    before=f"""
        decided AS (SELECT *, ARRAY[game_id] AS games FROM {_DECIDED}),
        locked AS MATERIALIZED (
            SELECT c.game_id, l.*, clock_timestamp() AS at FROM (
                SELECT DISTINCT ON (game_id) game_id, version FROM decided ORDER BY game_id, version
            ) c CROSS JOIN {_LOCKED_HEAD}
        ),
    """,  # noqa: S608  (of constants)
    candidates="SELECT * FROM decided JOIN locked USING (game_id)",
    fits=f"bool_and({_FITS}) OVER (PARTITION BY game_id ORDER BY c.version)",
    newest="(SELECT DISTINCT ON (game_id) * FROM won ORDER BY game_id, version DESC)",
)


def _committed(shape: _Shape) -> str:
    return f"""
{shape.before}
won AS MATERIALIZED (
    SELECT * FROM (
        SELECT c.*,
            CASE
                WHEN c.alarm IS NULL THEN NULL
                WHEN c.answers IS NOT NULL AND c.due_at IS NOT NULL
                THEN c.due_at + c.after_ms * interval '1 ms' * greatest(
                    1, ceil(extract(epoch FROM c.at - c.due_at)::float8 * 1000 / c.after_ms))
                WHEN c.alarm = c.awaited THEN c.due_at
                ELSE c.at + c.after_ms * interval '1 ms'
            END AS next_at,
            {shape.fits} AS fits
        FROM ({shape.candidates}) c
        LEFT JOIN LATERAL (
            SELECT d.version FROM games_commit d WHERE d.game_id = ANY(c.games) AND d.seat = c.seat
                AND d.command_id = c.command_id AND {_SEARCHED} LIMIT 1
        ) known ON true
    ) judged WHERE fits
),
moved AS (
    UPDATE games_head h SET
        version = w.version, hash = w.hash, alarm = w.alarm, claimed_until = NULL,
        ended = w.ended, sealed = false,
        ended_at = CASE WHEN w.ended <> '' THEN w.at END,
        bots_due_at = CASE WHEN w.ended = '' AND h.bots > 0 THEN least(
            h.bots_due_at,
            w.at + (%(look_least)s + random() * %(look_spread)s) / h.bots * interval '1 ms') END,
        due_at = w.next_at
    FROM {shape.newest} w WHERE h.game_id = w.game_id
),
committed AS (
    INSERT INTO games_commit (game_id, version, seat, command_id, body, hash, at, next_at)
    SELECT game_id, version, seat, command_id, body, hash, at, next_at FROM won
)
"""  # noqa: S608  (of constants)


_BETS: Final = """
bet AS (
    INSERT INTO games_bet (game_id, version, number, seat, user_id, spot, stake, odds, drawn)
    SELECT b.*, won.drawn FROM unnest(
        %(bet_game)s::uuid[], %(bet_version)s::int[], %(bet_number)s::int[],
        %(bet_seat)s::smallint[], %(bet_user)s::uuid[], %(bet_spot)s::text[],
        %(bet_stake)s::bigint[], %(bet_odds)s::text[]
    ) AS b(game_id, version, number, seat, user_id, spot, stake, odds)
    JOIN won USING (game_id, version)
)
"""

# A bet that the same statement places cannot be read yet: it has the time of the statement.
_SETTLEMENTS: Final = """
settlement AS (
    INSERT INTO games_settlement (game_id, version, number, outcome, payout, drawn, placed_at)
    SELECT s.*, won.drawn, coalesce(placed.at, statement_timestamp()) FROM unnest(
        %(settled_game)s::uuid[], %(settled_version)s::int[], %(settled_number)s::int[],
        %(settled_outcome)s::text[], %(settled_payout)s::bigint[]
    ) AS s(game_id, version, number, outcome, payout) JOIN won USING (game_id, version)
    LEFT JOIN LATERAL (
        SELECT at FROM games_bet b WHERE b.game_id = ANY(won.games) AND b.number = s.number
            AND b.game_id BETWEEN %(first)s AND %(last)s LIMIT 1
    ) placed ON true
)
"""

_PARTS: Final = (_BETS, _SETTLEMENTS, ledger.GROUPED_POSTING)


def _append_of(parts: Sequence[str]) -> str:
    statement = f"WITH {', '.join(parts)} SELECT game_id, version, at, next_at FROM won"  # noqa: S608 -- of constants
    return re.sub(r"\s*([(),=])\s*", r"\1", " ".join(statement.split()))


APPENDS: Final = {
    (has_runs, *chosen): _append_of((_committed(shape), *compress(_PARTS, chosen)))
    for has_runs, shape in ((False, _SINGLE), (True, _RUNS))
    for chosen in product((False, True), repeat=len(_PARTS))
}
"""The append statement, by whether a game has several commits in it, and whether it inserts bets,
settlements and transfers.

Most commits have none of them, and a part costs the database time even if it inserts nothing. The
statements have no spaces that they do not need, because psycopg parses a query of over 4,096
characters again each time.
"""

BET_ARRAYS: Final = (
    "bet_game",
    "bet_version",
    "bet_number",
    "bet_seat",
    "bet_user",
    "bet_spot",
    "bet_stake",
    "bet_odds",
)
SETTLEMENT_ARRAYS: Final = (
    "settled_game",
    "settled_version",
    "settled_number",
    "settled_outcome",
    "settled_payout",
)
TRANSFER_ARRAYS: Final = (
    "transfer_cause",
    "transfer_number",
    "transfer_position",
    "transfer_debit",
    "transfer_credit",
    "transfer_amount",
    "transfer_reason",
)

# The lateral subqueries have a LIMIT, so that the planner joins them row by row. Otherwise it
# prefers to read all heads, or all commits of a game, as long as there are few of them, and keeps
# that plan when there are many.
HEADS: Final = f"""
SELECT h.game_id, h.version, h.ended, h.stalled, c.version AS committed_as, now() AS now
FROM unnest(%(game)b::uuid[], %(seat)s::smallint[], %(command_id)b::uuid[]) WITH ORDINALITY
    AS a(game_id, seat, command_id, place)
LEFT JOIN LATERAL (SELECT * FROM games_head WHERE game_id = a.game_id LIMIT 1) h ON true
LEFT JOIN LATERAL (
    SELECT version FROM games_commit d
    WHERE d.game_id = a.game_id AND d.seat = a.seat AND d.command_id = a.command_id
        AND {_SEARCHED} LIMIT 1
) c ON true
ORDER BY a.place
"""  # noqa: S608  (a constant)

COMMITS: Final = """
SELECT a.game_id, c.version, c.seat, c.command_id, c.body, c.hash, c.at, c.next_at,
    CASE WHEN c.version = h.version THEN h.ended ELSE '' END AS ended
FROM unnest(%(game)b::uuid[], %(after)s::int[], %(until)s::int[]) AS a(game_id, after, until)
CROSS JOIN LATERAL (SELECT version, ended FROM games_head WHERE game_id = a.game_id LIMIT 1) h
CROSS JOIN LATERAL (
    SELECT * FROM games_commit
    WHERE game_id = a.game_id AND version > a.after AND version <= a.until
        AND game_id BETWEEN %(first)s AND %(last)s
    ORDER BY version LIMIT %(most)s
) c
ORDER BY a.game_id, c.version
"""

GAME: Final = """
SELECT g.slug, g.rules_version, g.genesis, g.log_name, h.ended <> '' AS has_ended,
    CASE WHEN h.ended <> '' THEN l.seed END AS seed, l.seed_box, l.seed_hash,
    l.visibility <> 'invite' AND l.spectators <> 'none' AS spectators,
    l.id AS lobby, h.stand_ins, h.forfeited,
    CASE WHEN h.stalled = '' THEN h.due_at END AS next_at, s.version, s.hash, s.drawn, s.state,
    (SELECT jsonb_object_agg(e.number, e.user_id) FROM games_seat e
        WHERE e.lobby_id = l.id) AS seats,
    (SELECT jsonb_object_agg(a.key, a.id) FROM accounts_account a WHERE a.book = g.id) AS accounts
FROM games_game g JOIN games_lobby l ON l.id = g.lobby_id JOIN games_head h ON h.game_id = g.id
LEFT JOIN games_snapshot s ON s.game_id = g.id
WHERE g.id = %(game)s
"""

SNAPSHOT: Final = """
INSERT INTO games_snapshot (game_id, version, hash, drawn, state) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (game_id) DO UPDATE SET version = excluded.version, hash = excluded.hash,
    drawn = excluded.drawn, state = excluded.state
WHERE games_snapshot.version < excluded.version
"""


def append_query(commits: Sequence[NewCommit]) -> tuple[str, dict[str, Any]]:
    """Return the statement that appends these commits, and its parameters.

    The parameters are literals of arrays with one element per row, and how long bots take to look.
    A list would have the type that its values happen to have, and the database would prepare the
    statement again for each combination of types.
    """
    least, longest = settings.BOT_LOOK_MS
    # The database locks the heads in this order.
    commits = sorted(commits, key=lambda commit: commit.game.int)
    games = [commit.game for commit in commits]
    bets = [
        (
            commit.game,
            commit.version,
            row.bet,
            row.seat,
            commit.users.get(row.seat),
            row.spot,
            row.stake,
            row.odds,
        )
        for commit in commits
        for row in commit.bets
    ]
    settlements = [
        (commit.game, commit.version, row.bet, row.outcome, row.payout)
        for commit in commits
        for row in commit.settlements
    ]
    transfers = [
        (commit.game, commit.version, position, *posting)
        for commit in commits
        for position, posting in enumerate(commit.postings)
    ]
    parameters = {
        **_arrays(NewCommit._fields[:COLUMNS], [commit[:COLUMNS] for commit in commits]),
        **_arrays(BET_ARRAYS, bets),
        **_arrays(SETTLEMENT_ARRAYS, settlements),
        **_arrays(TRANSFER_ARRAYS, transfers),
        "first": games[0],
        "last": games[-1],
        "look_least": least,
        "look_spread": longest - least,
    }
    has_runs = len(set(games)) < len(games)
    return APPENDS[has_runs, bool(bets), bool(settlements), bool(transfers)], parameters


def game_bounds(games: Sequence[UUID]) -> dict[str, UUID]:
    """Return the parameters by which a statement finds the partitions of these games."""
    return {"first": min(games), "last": max(games)}


def _arrays(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, str]:
    """Return the columns of these rows as literals of arrays, none without rows."""
    return dict(zip(names, map(_array, zip(*rows, strict=True)), strict=True)) if rows else {}


def _array(values: Iterable[Any]) -> str:
    return "{" + ",".join([_ELEMENTS[type(value)](value) for value in values]) + "}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class _ByType(dict[type, Callable[[Any], str]]):
    """Functions by type. A subclass has that of its base."""

    def __missing__(self, kind: type) -> Callable[[Any], str]:
        found = self[kind] = next(self[base] for base in kind.__mro__[1:] if base in self)
        return found


_ELEMENTS: Final = _ByType(
    {
        NoneType: lambda _: "NULL",
        int: int.__repr__,
        float: float.__repr__,
        str: _quoted,
        bytes: lambda value: f'"\\\\x{value.hex()}"',
        UUID: lambda value: value.hex,
        datetime: datetime.isoformat,
    }
)
"""How a literal of an array contains a value."""
