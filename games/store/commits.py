"""The store of commits: its appends, and reads of heads, commits and games."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import psycopg
import structlog
from psycopg.rows import namedtuple_row

from games.store import seeds
from games.store.appending import GROUP_MAX, WAITING_MAX, Appends
from games.store.connections import Connections, connection_lost
from games.store.rows import HeadQuery, HeadState, StoredCommit, StoredGame
from games.store.statements import (
    COMMITS,
    GAME,
    HEADS,
    SNAPSHOT,
    game_bounds,
)
from kit.batching import Grouped
from kit.event_loop import one_per_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

COMMITS_PER_QUERY: Final = 20_000
VERSION_MAX: Final = 2**31 - 1

Reader = Callable[[UUID, int, int], Awaitable[list[StoredCommit]]]
archives: Final[list[Reader]] = []
"""Readers of commits that left the database, by game, version before the first and last version.
The archive registers its own."""


class Store:
    """The store of one process. It runs on the store loop."""

    def __init__(self) -> None:
        self.connections = Connections()
        self.append = Appends(self.connections)
        self._heads = Grouped(self.heads, most=GROUP_MAX, lanes=2, waiting_max=WAITING_MAX)
        self._commits = Grouped(
            self._commits_many, most=GROUP_MAX, lanes=1, waiting_max=WAITING_MAX
        )

    async def close(self) -> None:
        """Give up the append that runs, and close all connections."""
        await self.append.close()
        await self.connections.close()

    async def read(self, query: str, parameters: Mapping[str, Any]) -> list[Any]:
        """Read rows as named tuples, with one retry after a lost connection.

        Raises Problem `unavailable`, `busy`.
        """
        for last in (False, True):
            try:
                async with self.connections.lent() as connection:
                    cursor = connection.cursor(row_factory=namedtuple_row)
                    await cursor.execute(query, parameters, prepare=True)
                    return await cursor.fetchall()
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
        games, seats, ids = (list(column) for column in zip(*asked, strict=True))
        wanted = {"game": games, "seat": seats, "command_id": ids, **game_bounds(games)}
        return [
            Problem("not_found", what="game")
            if row.version is None
            else HeadState(row.version, row.ended, row.stalled, row.committed_as, row.now)
            for row in await self.read(HEADS, wanted)
        ]

    async def _archived(self, game: UUID, after: int, until: int) -> list[StoredCommit]:
        """Return the commits of an archived game, none of others."""
        found: list[StoredCommit] = []
        for read in archives:
            found += await read(game, after, until)
        return found

    async def commits(self, game: UUID, after: int, until: int = VERSION_MAX) -> list[StoredCommit]:
        """Read the commits of a game with `after < version <= until`, in order.

        Raises Problem `unavailable`, `busy`, `archive_damaged`.
        """
        found: list[StoredCommit] = []
        while True:
            page = await self._commits((game, after, until))
            found += page
            if len(page) < COMMITS_PER_QUERY:
                break
            after = page[-1].version
        return found or await self._archived(game, after, until)

    async def _commits_many(
        self, asked: Sequence[tuple[UUID, int, int]]
    ) -> Sequence[list[StoredCommit]]:
        found: dict[UUID, list[StoredCommit]] = {}
        games, afters, untils = (list(column) for column in zip(*asked, strict=True))
        most = COMMITS_PER_QUERY if len(asked) == 1 else None
        wanted = {"game": games, "after": afters, "until": untils, "most": most}
        for row in await self.read(COMMITS, wanted | game_bounds(games)):
            found.setdefault(row.game_id, []).append(StoredCommit(*row))
        # Two callers may ask for different versions of one game. Each receives its own part.
        return [
            [
                commit
                for commit in _without_repeats(found.get(game, []))
                if after < commit.version <= until
            ]
            for game, after, until in asked
        ]

    async def game(self, game: UUID) -> StoredGame:
        """Read the rows that load a game. Raises Problem `not_found`, `seed_key_missing`."""
        rows = await self.read(GAME, {"game": game})
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
            stand_ins=frozenset(row.stand_ins),
            forfeited=frozenset(row.forfeited),
            next_at=row.next_at,
            snapshot=None if row.state is None else (row.version, row.hash, row.drawn, row.state),
        )

    # Outside the log

    async def keep_snapshot(
        self, game: UUID, version: int, hash_: bytes, drawn: int, state: bytes
    ) -> None:
        """Store a snapshot, so that the next process need not replay from the start."""
        async with self.connections.lent() as connection:
            await connection.execute(SNAPSHOT, (game, version, hash_, drawn, state), prepare=True)

    async def stall(self, game: UUID, why: str) -> None:
        """Stall a game whose rules failed: the clock skips it, and operators can void it."""
        async with self.connections.lent() as connection:
            await connection.execute(
                "UPDATE games_head SET stalled = %s WHERE game_id = %s", (why[:200], game)
            )


def _without_repeats(commits: list[StoredCommit]) -> list[StoredCommit]:
    return list({commit.version: commit for commit in commits}.values())


store = one_per_loop(Store)
"""The store of the running loop."""
