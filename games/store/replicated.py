"""Past commits from a replica of the database, see `kit.replicas`."""

import time
from contextlib import suppress
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row

from games.store.commits import Store, commits_by
from games.store.rows import StoredCommit
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
                found = (await commits_by(connection, game, after, until)).commits
    except (psycopg.Error, Problem) as error:
        known.failed(error)
        found = []
    if len(found) == until - after:
        return found
    return await store.commits(game, after, until)


async def _is_fit(connection: BoundedAsyncConnection, known: Replica) -> bool:
    row = await (await connection.cursor(row_factory=tuple_row).execute(STANDBY)).fetchone()
    return known.as_of(row) is not None
