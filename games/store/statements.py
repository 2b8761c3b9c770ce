"""The SQL statements of the store. They find every row by key."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple
from uuid import UUID

from django.conf import settings

from accounts import ledger
from games.store.rows import COLUMNS, NewCommit
from kit.parameters import Number, Parameters, Rows, array, number_of

GENESIS_HASH: Final = "sha256('game\\000'::bytea || g.genesis)"
"""The hash before the first commit of a game in the table `g`."""

# One statement for many games, with a run of commits of each: the first is expected to follow the
# head, and each other to follow the one before. The heads that are still there are locked, one by
# one in the order of their ids, and moved. Of each run, the commits before the first that may not
# be stored are written; each row is joined by game and version. SKIP LOCKED: if another writer
# holds a head, the group loses the run of that game and nothing else.
#
# Most games have one commit in a statement. If all have, the commits are not sorted into runs. A
# commit that is alone in a statement needs no rows at all: its values are parameters. So are those
# of its bet and its transfer, if it has one. At a small load most statements are of this kind, and
# what a statement costs then is the size of its plan.
#
# Commits are partitioned by the month of the game. With `first` and `last`, the least and the
# greatest game, a statement opens only the partitions between them, however many there are. `games`
# hides the game of a row from the pruning of partitions while the statement runs: PostgreSQL 18
# crashes if it prunes there in a statement whose head another one has just changed.
#
# The due time: an alarm that keeps its number keeps its due time. An alarm after a tick is due
# whole periods after the old due time, without those that have passed. Any other counts from now,
# as does every new alarm of a slow game, and every pause.
#
# The clock is read after the head was locked (the subquery locks before its row leaves it), and
# compared with `not_after`. Another writer that locks the head later therefore knows that no
# earlier commit can arrive.
_COMMITS: Final = Rows(
    "c",
    game_id="uuid",
    version="int",
    seat="smallint",
    command_id="uuid",
    body="bytea",
    hash="bytea",
    previous="bytea",
    alarm="int",
    after_ms="float8",
    answers="int",
    ended="text",
    drawn="bigint",
    not_after="timestamptz",
    awaits="text",
    wakes_bots="bool",
)
"""The columns of a `NewCommit`, in its order."""

_BETS: Final = Rows(
    "b",
    game_id="uuid",
    version="int",
    number="int",
    seat="smallint",
    user_id="uuid",
    spot="text",
    stake="bigint",
    odds="text",
)

_SETTLEMENTS: Final = Rows(
    "s", game_id="uuid", version="int", number="int", outcome="text", payout="bigint"
)

# The partitions in which commands are searched. Of a plain range of ids, the planner would expect
# so few commits in each game that it reads them all, instead of the index of commands.
_SEARCHED: Final = """
(d.game_id BETWEEN %(first)s AND %(last)s OR d.game_id BETWEEN %(last)s AND %(last)s)
"""


class _Shape(NamedTuple):
    """The parts of the statement that depend on how many commits it has.

    `before` are the CTEs that the others need. `candidates` are the commits with their locked
    heads, `fits` says whether one may be stored, after `known` has searched its command, and
    `newest` are the last commits of the games. `kept` are the columns of those that are stored;
    `of` names a column of a commit, of a candidate or of a stored one.
    """

    before: str
    candidates: str
    known: str
    fits: str
    kept: str
    newest: str
    of: Callable[[str, str], str]


def _column(alias: str, column: str) -> str:
    return f"{alias}.{column}"


def _parameter(_alias: str, column: str) -> str:
    return _COMMITS.parameter(column)


def _locked_head(of: Callable[[str, str], str]) -> str:
    return f"""
    SELECT h.alarm AS awaited, h.due_at, h.is_slow, h.bots FROM games_head h
    WHERE h.game_id = {of("c", "game_id")} AND h.version + 1 = {of("c", "version")}
        AND h.hash = {of("c", "previous")} AND h.ended = '' AND h.stalled = ''
    FOR NO KEY UPDATE SKIP LOCKED
    """  # noqa: S608  (of constants)


def _same_command(of: Callable[[str, str], str], game: str) -> str:
    return f"""
    FROM games_commit d WHERE {game} AND d.seat = {of("c", "seat")}
        AND d.command_id = {of("c", "command_id")}
    """


def _fits(of: Callable[[str, str], str], is_new: str) -> str:
    """It is never NULL, which `bool_and` would skip."""
    answers, not_after = of("c", "answers"), of("c", "not_after")
    return f"""
    coalesce({answers} = c.awaited, {answers} IS NULL) AND {is_new}
    AND ({not_after} IS NULL OR c.at <= {not_after})
    """


_ONE: Final = _Shape(
    before="",
    candidates=f"SELECT l.*, clock_timestamp() AS at FROM ({_locked_head(_parameter)}) l",  # noqa: S608
    known="",
    fits=_fits(
        _parameter,
        f"NOT EXISTS (SELECT {_same_command(_parameter, 'd.game_id = %(c_game_id)s::uuid')})",
    ),
    kept=f"""
        {_COMMITS.parameter("game_id")} AS game_id, ARRAY[{_COMMITS.parameter("game_id")}] AS games,
        {_COMMITS.parameter("version")} AS version, {_COMMITS.parameter("drawn")} AS drawn, c.at,
        c.bots
    """,
    newest="won",
    of=_parameter,
)

_SEARCH: Final = f"""
LEFT JOIN LATERAL (
    SELECT d.version {_same_command(_column, "d.game_id = ANY(c.games)")} AND {_SEARCHED} LIMIT 1
) known ON true
"""

_SINGLE: Final = _Shape(
    before="",
    candidates=f"""
        SELECT c.*, ARRAY[game_id] AS games, l.*, clock_timestamp() AS at
        FROM {_COMMITS.source("many")} CROSS JOIN LATERAL ({_locked_head(_column)}) l
    """,  # noqa: S608  (of constants)
    known=_SEARCH,
    fits=_fits(_column, "known.version IS NULL"),
    kept="c.*",
    newest="won",
    of=_column,
)

_RUNS: Final = _SINGLE._replace(
    before=f"""
        decided AS (SELECT *, ARRAY[game_id] AS games FROM {_COMMITS.source("many")}),
        locked AS MATERIALIZED (
            SELECT c.game_id, l.*, clock_timestamp() AS at FROM (
                SELECT DISTINCT ON (game_id) game_id, version, previous FROM decided
                ORDER BY game_id, version
            ) c CROSS JOIN LATERAL ({_locked_head(_column)}) l
        ),
    """,  # noqa: S608  (of constants)
    candidates=f"""
        SELECT c.*, bool_and({_SINGLE.fits}) OVER (PARTITION BY game_id ORDER BY c.version) AS fits
        FROM (SELECT * FROM decided JOIN locked USING (game_id)) c {_SEARCH}
    """,  # noqa: S608  (of constants)
    known="",
    fits="fits",
    newest="(SELECT DISTINCT ON (game_id) * FROM won ORDER BY game_id, version DESC)",
)


def _committed(shape: _Shape) -> str:
    def candidate(column: str) -> str:
        return shape.of("c", column)

    def newest(column: str) -> str:
        return shape.of("w", column)

    stored = ("game_id", "version", "seat", "command_id", "body", "hash")
    return f"""
{shape.before}
won AS MATERIALIZED (
    SELECT {shape.kept},
        CASE
            WHEN {candidate("alarm")} IS NULL THEN NULL
            WHEN {candidate("answers")} IS NOT NULL AND c.due_at IS NOT NULL AND NOT c.is_slow
            THEN c.due_at + {candidate("after_ms")} * interval '1 ms' * greatest(
                1, ceil(
                    extract(epoch FROM c.at - c.due_at)::float8 * 1000 / {candidate("after_ms")}
                ))
            WHEN {candidate("alarm")} = c.awaited
                AND ({candidate("answers")} IS NULL OR NOT c.is_slow) THEN c.due_at
            ELSE c.at + {candidate("after_ms")} * interval '1 ms'
        END AS next_at
    FROM ({shape.candidates}) c {shape.known} WHERE {shape.fits}
),
moved AS (
    UPDATE games_head h SET
        version = {newest("version")}, hash = {newest("hash")}, alarm = {newest("alarm")},
        ended = {newest("ended")}, sealed = false, awaits = {newest("awaits")}::uuid[],
        ended_at = CASE WHEN {newest("ended")} <> '' THEN w.at END,
        wakes_bots = {newest("wakes_bots")}, due_at = w.next_at
    FROM {shape.newest} w WHERE h.game_id = {newest("game_id")}
),
scheduled AS (
    UPDATE games_schedule s SET claimed_until = NULL, due_at = w.next_at,
        bots_due_at = CASE
            WHEN {newest("ended")} <> '' OR w.bots = 0 THEN NULL
            WHEN {newest("wakes_bots")} THEN least(
                s.bots_due_at, w.at + {2 * settings.BOT_DELAY_PERCENT} * interval '1 ms')
            WHEN NOT s.is_slow THEN s.bots_due_at END
    FROM {shape.newest} w WHERE s.game_id = {newest("game_id")}
),
committed AS (
    INSERT INTO games_commit ({", ".join(stored)}, at, next_at)
    SELECT {", ".join(shape.of("won", column) for column in stored)}, at, next_at FROM won
)
"""  # noqa: S608  (of constants)


def _bets(rows: str) -> str:
    return f"""
bet AS (
    INSERT INTO games_bet (game_id, version, number, seat, user_id, spot, stake, odds, drawn)
    SELECT b.*, won.drawn FROM {rows} JOIN won USING (game_id, version)
)
"""  # noqa: S608  (of constants)


def _settlements(rows: str) -> str:
    # A bet that the same statement places cannot be read yet: it has the time of the statement.
    return f"""
settlement AS (
    INSERT INTO games_settlement (game_id, version, number, outcome, payout, drawn, placed_at)
    SELECT s.*, won.drawn, coalesce(placed.at, statement_timestamp())
    FROM {rows} JOIN won USING (game_id, version)
    LEFT JOIN LATERAL (
        SELECT at FROM games_bet b WHERE b.game_id = ANY(won.games) AND b.number = s.number
            AND b.game_id BETWEEN %(first)s AND %(last)s LIMIT 1
    ) placed ON true
)
"""  # noqa: S608  (of constants)


class Kind(NamedTuple):
    """The rows that an append statement stores.

    `commits` is "one" if it has one commit, "runs" if a game has several, and else "single". Only
    with one commit the number of its `bets`, `settlements` and `transfers` can be "one".
    """

    commits: Literal["one", "single", "runs"]
    bets: Number
    settlements: Number
    transfers: Number


_SHAPES: Final = {"one": _ONE, "single": _SINGLE, "runs": _RUNS}


@cache
def append_statement(kind: Kind) -> str:
    """Return the statement that appends commits of this kind.

    Most commits have no bets, settlements and transfers, and a part costs the database time even
    if it inserts nothing.
    """
    parts = [_committed(_SHAPES[kind.commits])]
    if kind.bets:
        parts.append(_bets(_BETS.source(kind.bets)))
    if kind.settlements:
        parts.append(_settlements(_SETTLEMENTS.source(kind.settlements)))
    if kind.transfers:
        parts.append(ledger.POSTING if kind.transfers == "one" else ledger.GROUPED_POSTING)
    return f"WITH {', '.join(parts)} SELECT game_id, version, at, next_at FROM won"  # noqa: S608 -- of constants


# The lateral subqueries have a LIMIT, so that the planner joins them row by row. Otherwise it
# prefers to read all heads, or all commits of a game, as long as there are few of them, and keeps
# that plan when there are many.
HEADS: Final = f"""
SELECT h.game_id, h.version, h.hash, h.ended, h.stalled, h.damaged, c.version AS committed_as,
    now() AS now
FROM unnest(%(game)s::uuid[], %(seat)s::smallint[], %(command_id)s::uuid[]) WITH ORDINALITY
    AS a(game_id, seat, command_id, place)
LEFT JOIN LATERAL (SELECT * FROM games_head WHERE game_id = a.game_id LIMIT 1) h ON true
LEFT JOIN LATERAL (
    SELECT version FROM games_commit d
    WHERE d.game_id = a.game_id AND d.seat = a.seat AND d.command_id = a.command_id
        AND {_SEARCHED} LIMIT 1
) c ON true
ORDER BY a.place
"""  # noqa: S608  (a constant)

# Whether a game contains a command of any of its seats. A game that has ended may be archived, so
# it may contain any.
HAS_COMMAND: Final = f"""
SELECT coalesce(h.ended <> '', false) OR EXISTS (
    SELECT FROM games_game g JOIN games_seat e ON e.lobby_id = g.lobby_id
    JOIN games_commit d ON d.game_id = a.game_id AND d.seat = e.number
        AND d.command_id = a.command_id AND {_SEARCHED}
    WHERE g.id = a.game_id
) AS known
FROM unnest(%(game)s::uuid[], %(command_id)s::uuid[]) WITH ORDINALITY
    AS a(game_id, command_id, place)
LEFT JOIN LATERAL (SELECT ended FROM games_head WHERE game_id = a.game_id LIMIT 1) h ON true
ORDER BY a.place
"""  # noqa: S608  (a constant)

# Each asked part of a game has a row at least, with its head; `place` is its number. `previous` is
# the hash before its first commit.
COMMITS: Final = f"""
SELECT a.place, h.version AS head_version, h.hash AS head_hash, h.ended,
    coalesce(p.hash, CASE WHEN a.after = 0 THEN (
        SELECT {GENESIS_HASH} FROM games_game g WHERE g.id = a.game_id
    ) END) AS previous,
    c.version, c.seat, c.command_id, c.body, c.hash, c.at, c.next_at
FROM unnest(%(game)s::uuid[], %(after)s::int[], %(until)s::int[]) WITH ORDINALITY
    AS a(game_id, after, until, place)
CROSS JOIN LATERAL (SELECT * FROM games_head WHERE game_id = a.game_id LIMIT 1) h
LEFT JOIN LATERAL (
    SELECT hash FROM games_commit WHERE game_id = a.game_id AND version = a.after
        AND game_id BETWEEN %(first)s AND %(last)s LIMIT 1
) p ON true
LEFT JOIN LATERAL (
    SELECT * FROM games_commit
    WHERE game_id = a.game_id AND version > a.after AND version <= a.until
        AND game_id BETWEEN %(first)s AND %(last)s
    ORDER BY version LIMIT %(most)s
) c ON true
ORDER BY a.place, c.version
"""  # noqa: S608  (a constant)

GAME: Final = """
SELECT g.slug, g.rules_version, g.genesis, g.log_name, h.ended <> '' AS has_ended,
    CASE WHEN h.ended <> '' THEN l.seed END AS seed, l.seed_box, l.seed_hash,
    l.visibility <> 'invite' AND l.spectators <> 'none' AS spectators,
    l.id AS lobby, h.is_slow, h.stand_ins, h.forfeited,
    CASE WHEN h.stalled = '' THEN h.due_at END AS next_at, h.version, h.damaged,
    s.version AS kept_at, s.hash, s.drawn, s.state, s.digest,
    (SELECT hash FROM games_commit WHERE game_id = %(game)s AND version = s.version) AS stored,
    (SELECT jsonb_object_agg(e.number, e.user_id) FROM games_seat e
        WHERE e.lobby_id = l.id) AS seats,
    (SELECT jsonb_object_agg(a.key, a.id) FROM accounts_account a WHERE a.book = g.id) AS accounts
FROM games_game g JOIN games_lobby l ON l.id = g.lobby_id JOIN games_head h ON h.game_id = g.id
LEFT JOIN games_snapshot s ON s.game_id = g.id
WHERE g.id = %(game)s
"""

SNAPSHOT: Final = """
INSERT INTO games_snapshot (game_id, version, hash, drawn, state, digest)
VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (game_id) DO UPDATE SET version = excluded.version, hash = excluded.hash,
    drawn = excluded.drawn, state = excluded.state, digest = excluded.digest
WHERE games_snapshot.version < excluded.version
"""

DROP_SNAPSHOT: Final = "DELETE FROM games_snapshot WHERE game_id = %s AND version = %s"

DAMAGED: Final = """
UPDATE games_head SET damaged = %(version)s, stalled = %(why)s
WHERE game_id = %(game)s AND damaged IS NULL
"""


def append_query(commits: Sequence[NewCommit]) -> tuple[str, Parameters]:
    """Return the statement that appends these commits, and its parameters."""
    is_alone = len(commits) == 1
    if not is_alone:
        # The database locks the heads in this order.
        commits = sorted(commits, key=lambda commit: commit.game.int)
    bets, settlements, transfers = [], [], []
    for commit in commits:
        game, version = commit.game, commit.version
        for bet in commit.bets:
            user = commit.users.get(bet.seat)
            bets.append((game, version, bet.bet, bet.seat, user, bet.spot, bet.stake, bet.odds))
        settlements += [
            (game, version, each.bet, each.outcome, each.payout) for each in commit.settlements
        ]
        for position, posting in enumerate(commit.postings):
            transfers.append((game, version, position, *posting))
    kind = Kind(
        "one" if is_alone else "single" if _differ(commits) else "runs",
        number_of(bets, is_alone),
        number_of(settlements, is_alone),
        number_of(transfers, is_alone),
    )
    parameters: Parameters = {
        **_COMMITS.values([commit[:COLUMNS] for commit in commits], "one" if is_alone else "many"),
        **_BETS.values(bets, kind.bets),
        **_SETTLEMENTS.values(settlements, kind.settlements),
        **ledger.TRANSFERS.values(transfers, kind.transfers),
        "first": commits[0].game.hex,
        "last": commits[-1].game.hex,
    }
    return append_statement(kind), parameters


def _differ(commits: Sequence[NewCommit]) -> bool:
    """Return whether no two of these commits, sorted by game, are of the same game."""
    return all(one.game != other.game for one, other in pairwise(commits))


def of_games(games: Sequence[UUID]) -> Parameters:
    """Return the parameters by which a statement finds these games and their partitions."""
    bounds = {"first": min(games).hex, "last": max(games).hex}
    return {"game": array("uuid", games), **bounds}


def parts(asked: Sequence[tuple[UUID, int, int]], most: int | None) -> Parameters:
    """Return the parameters of COMMITS: games, each after a version and until another one."""
    games, afters, untils = zip(*asked, strict=True)
    return {
        **of_games(games),
        "after": array("int", afters),
        "until": array("int", untils),
        "most": None if most is None else str(most),
    }
