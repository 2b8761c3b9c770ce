"""Past commits from a replica of the database, see `kit.replicas`."""

import time
from contextlib import suppress
from uuid import UUID

import psycopg
from psycopg.rows import namedtuple_row, tuple_row

from games.store.commits import Store, checked
from games.store.rows import StoredCommit
from games.store.statements import COMMITS, game_bounds
from kit.database import BoundedAsyncConnection
from kit.problems import Problem
from kit.replicas import PRIMARY, STANDBY, Replica, replica


async def past_commits(store: Store, game: UUID, after: int, until: int) -> list[StoredCommit]:
    """Read commits up to a known head as `Store.commits` does, from the replica if it has all of
    them. Raises as that."""
    known = replica()
    if known is None or known.is_shunned:
        return await store.commits(game, after, until)
    if known.wants_mark():
        seen = time.monotonic()
        with suppress(Problem):  # that the primary fails says nothing about the standby
            known.note_mark(seen, *await store.read(PRIMARY, {}))
    try:
        async with store.connections.lent_by_replica() as connection:
            found = []
            if await _is_fit(connection, known):
                found = await _read(connection, game, after, until)
    except (psycopg.Error, Problem) as error:
        known.failed(error)
        found = []
    if len(found) == until - after:
        return found
    return await store.commits(game, after, until)


async def _is_fit(connection: BoundedAsyncConnection, known: Replica) -> bool:
    row = await (await connection.cursor(row_factory=tuple_row).execute(STANDBY)).fetchone()
    return known.as_of(row) is not None


async def _read(
    connection: BoundedAsyncConnection, game: UUID, after: int, until: int
) -> list[StoredCommit]:
    asked = {"game": [game], "after": [after], "until": [until], "most": until - after}
    cursor = connection.cursor(row_factory=namedtuple_row)
    rows = await (await cursor.execute(COMMITS, asked | game_bounds([game]))).fetchall()
    return checked(rows, game, after, until, None).commits if rows else []
