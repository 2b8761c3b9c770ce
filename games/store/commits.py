"""The store of commits: its appends, and reads of heads, commits and games."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
import structlog
from psycopg.rows import namedtuple_row

from games.store import seeds
from games.store.appending import GROUP_MAX, WAITING_MAX, Appends
from games.store.connections import Connections, connection_lost
from games.store.rows import HeadQuery, HeadState, StoredCommit, StoredGame, StoredSnapshot
from games.store.statements import (
    COMMITS,
    DAMAGED,
    DROP_SNAPSHOT,
    GAME,
    HAS_COMMAND,
    HEADS,
    SNAPSHOT,
    of_games,
    parts,
)
from kit.batching import Grouped
from kit.database import BoundedAsyncConnection, Rows
from kit.event_loop import one_per_loop
from kit.parameters import Parameters, array
from kit.problems import Problem
from railbird_engine.kernel.chain import body_digest, commit_hash

log = structlog.get_logger(__name__)

COMMITS_PER_QUERY: Final = 20_000
VERSION_MAX: Final = 2**31 - 1

Reader = Callable[[UUID, int, int], Awaitable[list[StoredCommit]]]
archives: Final[list[Reader]] = []
"""Readers of commits that left the database, by game, version before the first and last version.
The archive registers its own."""


class DamagedError(Problem):
    """The row of this version of a game is missing, or does not fit its hash."""

    def __init__(self, version: int, game: UUID | None = None) -> None:
        named = {} if game is None else {"game": str(game)}
        super().__init__("history_damaged", version=version, **named)
        self.version = version


class History(NamedTuple):
    """Stored commits that follow each other, up to the first that is `damaged` or missing."""

    commits: list[StoredCommit]
    damaged: int | None


def checked(rows: Sequence[Any], game: UUID, after: int, until: int, most: int | None) -> History:
    """Return the commits in rows of COMMITS, each checked against the one before, and the newest
    against the head."""
    head = rows[0]
    last = min(head.head_version, until, after + (most or VERSION_MAX))
    commits: list[StoredCommit] = []
    previous, version = head.previous, after
    for row in rows:
        version += 1
        is_head = row.version == head.head_version
        if (
            previous is None
            or row.version != version
            or row.hash != commit_hash(previous, version, body_digest(row.body))
            or (is_head and row.hash != head.head_hash)
        ):
            break
        ended = head.ended if is_head else ""
        columns = (row.seat, row.command_id, row.body, row.hash, previous, row.at, row.next_at)
        commits.append(StoredCommit(game, version, *columns, ended))
        previous = row.hash
    reached = after + len(commits)
    if reached >= last:
        return History(commits, None)
    return History(commits, reached if head.previous is None else reached + 1)


async def commits_by(
    connection: BoundedAsyncConnection, game: UUID, after: int, until: int
) -> History:
    """Read the commits of a game with `after < version <= until` over this connection. A database
    that lacks the game has none."""
    cursor = connection.cursor(row_factory=namedtuple_row)
    await cursor.execute(COMMITS, parts([(game, after, until)], None), prepare=True)
    rows = await cursor.fetchall()
    return checked(rows, game, after, until, None) if rows else History([], None)


class Store:
    """The store of one process. It runs on the store loop."""

    def __init__(self) -> None:
        self.connections = Connections()
        self.append = Appends(self.connections)
        self._heads = Grouped(self.heads, most=GROUP_MAX, lanes=2, waiting_max=WAITING_MAX)
        self._commits = Grouped(self.histories, most=GROUP_MAX, lanes=1, waiting_max=WAITING_MAX)
        self.has_command = Grouped(
            self._have_commands, most=GROUP_MAX, lanes=1, waiting_max=WAITING_MAX
        )
        """Whether a game contains a command with this id, of any seat, or has ended. Raises Problem
        `unavailable`, `busy`."""

    async def close(self) -> None:
        """Give up the append that runs, and close all connections."""
        await self.append.close()
        await self.connections.close()

    async def read(self, query: str, parameters: Parameters) -> Rows:
        """Read rows as named tuples, with one retry after a lost connection.

        Raises Problem `unavailable`, `busy`.
        """
        for last in (False, True):
            try:
                async with self.connections.lent() as connection:
                    return await connection.send(query, parameters)
            except psycopg.OperationalError as error:
                if not connection_lost(error):
                    raise Problem("busy") from error
                if last:
                    raise Problem("unavailable") from error
                await self.connections.drop_dead()
            except psycopg.Error as error:
                # The database refuses the statement, as during an upgrade.
                log.exception("read_refused")
                raise Problem("unavailable") from error
        raise AssertionError("The second try answers or raises.")

    async def head(self, query: HeadQuery) -> HeadState:
        """Read the head of a game, and look for the command in the archive as well.

        Raises Problem `not_found`, `unavailable`, `busy`, `archive_damaged`.
        """
        return await self.with_archived(query, await self._heads(query))

    async def with_archived(self, query: HeadQuery, head: HeadState) -> HeadState:
        """Return this head with the version of the command if the game is archived.

        Callers whose heads were read together each wait for their own game only. Raises Problem
        `unavailable`, `busy`, `archive_damaged`.
        """
        if head.ended and head.committed_as is None and query.command_id is not None:
            for commit in await self._archived(query.game, 0, VERSION_MAX):
                if (commit.seat, commit.command_id) == (query.seat, query.command_id):
                    return head._replace(committed_as=commit.version)
        return head

    async def heads(self, asked: Sequence[HeadQuery]) -> Sequence[HeadState | Problem]:
        """Read the heads of games, in the order of the queries; `not_found` for games without.

        The commands of archived games are not found. Raises Problem `unavailable`, `busy`.
        """
        games, seats, ids = zip(*asked, strict=True)
        wanted = {
            **of_games(games),
            "seat": array("smallint", seats),
            "command_id": array("uuid", ids),
        }
        return [
            Problem("not_found", what="game")
            if row.version is None
            else HeadState(
                row.version,
                row.hash,
                row.ended,
                row.stalled,
                row.damaged,
                row.committed_as,
                row.now,
            )
            for row in await self.read(HEADS, wanted)
        ]

    async def _have_commands(self, asked: Sequence[tuple[UUID, UUID]]) -> Sequence[bool]:
        games, ids = zip(*asked, strict=True)
        wanted = {**of_games(games), "command_id": array("uuid", ids)}
        return [row.known for row in await self.read(HAS_COMMAND, wanted)]

    async def _archived(self, game: UUID, after: int, until: int) -> list[StoredCommit]:
        """Return the commits of an archived game, none of others."""
        found: list[StoredCommit] = []
        for read in archives:
            found += await read(game, after, until)
        return found

    async def commits(self, game: UUID, after: int, until: int = VERSION_MAX) -> list[StoredCommit]:
        """Read the commits of a game with `after < version <= until`, in order.

        Each is checked: its hash, the one before it, and the head. They end before a damaged one.

        Raises DamagedError if the first is, Problem `unavailable`, `busy`, `archive_damaged`.
        """
        found: list[StoredCommit] = []
        while True:
            page = await self._read_commits(game, after, until, is_first=not found)
            found += page
            if len(page) < COMMITS_PER_QUERY:
                return found
            after = page[-1].version

    async def _read_commits(
        self, game: UUID, after: int, until: int, *, is_first: bool
    ) -> list[StoredCommit]:
        history = await self._commits((game, after, until))
        if history.damaged is None:
            return history.commits
        if not history.commits and (archived := await self._archived(game, after, until)):
            return archived
        # Rows that were read wrongly, or while they changed, are right the second time.
        history = await self._commits((game, after, until))
        if history.damaged is not None:
            await self.note_damage(game, history.damaged)
            if is_first and not history.commits:
                raise DamagedError(history.damaged)
        return history.commits

    async def histories(self, asked: Sequence[tuple[UUID, int, int]]) -> Sequence[History]:
        """Read commits of games, each after a version and until another one. Those of archived
        games are not found. Raises Problem `unavailable`, `busy`."""
        # A crowd that enters a game asks for the same commits.
        different = list(dict.fromkeys(asked))
        most = COMMITS_PER_QUERY if len(different) == 1 else None
        found: dict[tuple[UUID, int, int], list[Any]] = {each: [] for each in different}
        for row in await self.read(COMMITS, parts(different, most)):
            found[different[row.place - 1]].append(row)
        histories = {
            each: checked(rows, *each, most) if rows else History([], None)
            for each, rows in found.items()
        }
        return [histories[each] for each in asked]

    async def game(self, game: UUID) -> StoredGame:
        """Read the rows that load a game. Raises Problem `not_found`, `seed_key_missing`."""
        rows = await self.read(GAME, {"game": game.hex})
        if not rows:
            raise Problem("not_found", what="game")
        (row,) = rows
        seats: dict[str, str | None] = row.seats
        return StoredGame(
            slug=row.slug,
            rules_version=row.rules_version,
            genesis=row.genesis,
            seed=seeds.opened(row.seed, row.seed_box, row.seed_hash, row.lobby, row.log_name),
            has_ended=row.has_ended,
            users={int(number): UUID(user) for number, user in seats.items() if user is not None},
            bots=frozenset(int(number) for number, user in seats.items() if user is None),
            accounts=row.accounts,
            spectators=row.spectators,
            lobby=row.lobby,
            is_slow=row.is_slow,
            stand_ins=frozenset(row.stand_ins),
            forfeited=frozenset(row.forfeited),
            next_at=row.next_at,
            version=row.version,
            damaged=row.damaged,
            snapshot=None
            if row.state is None
            else StoredSnapshot(
                row.kept_at, row.hash, row.drawn, row.state, row.digest, row.stored
            ),
        )

    # Outside the log

    async def keep_snapshot(self, game: UUID, kept: StoredSnapshot) -> None:
        """Store a snapshot, so that the next process need not replay from the start."""
        async with self.connections.lent() as connection:
            await connection.execute(SNAPSHOT, (game, *kept[:-1]), prepare=True)

    async def drop_snapshot(self, game: UUID, version: int) -> None:
        """Delete a snapshot that differs from the history."""
        async with self.connections.lent() as connection:
            await connection.execute(DROP_SNAPSHOT, (game, version))

    async def note_damage(self, game: UUID, version: int) -> None:
        """Stall a game whose stored commit is damaged or missing, and leave it out of the log."""
        why = f"its stored commit {version} is damaged"
        async with self.connections.lent() as connection:
            noted = await connection.execute(
                DAMAGED, {"game": game, "version": version, "why": why}
            )
        if noted.rowcount:
            log.critical("history_damaged", game=str(game), version=version)

    async def stall(self, game: UUID, why: str) -> None:
        """Stall a game whose rules failed: the clock skips it, and operators can void it."""
        async with self.connections.lent() as connection:
            await connection.execute(
                "UPDATE games_head SET stalled = %s WHERE game_id = %s", (why[:200], game)
            )


store = one_per_loop(Store)
"""The store of the running loop."""
