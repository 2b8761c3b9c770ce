"""Put damaged or missing commits of a game back, from a backup of the database.

A row is replaced only by one that fits its hash and the one before it, and the repaired history
must be the one that the head and the public log name. This runs as the owner of the database.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
from django.db import connection, transaction

from games.models import Head, LogEntry
from games.store import heads
from railbird_engine.audit.log import BEFORE_START, Entry, lost_in
from railbird_engine.kernel.chain import Kind, body_digest, commit_hash, genesis_hash

ROWS: Final = """
SELECT version, seat, command_id, body, hash, at, next_at FROM games_commit
WHERE game_id = %s ORDER BY version
"""
REMOVE: Final = "DELETE FROM games_commit WHERE game_id = %s AND version = ANY(%s)"
PUT: Final = """
INSERT INTO games_commit (game_id, version, seat, command_id, body, hash, at, next_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
UNPROTECT: Final = "ALTER TABLE games_commit DISABLE TRIGGER append_only_rows"
PROTECT: Final = "ALTER TABLE games_commit ENABLE ALWAYS TRIGGER append_only_rows"


class NotRepairedError(Exception):
    """The backup cannot repair the game; the message is one line."""


class _Row(NamedTuple):
    """A row of a commit."""

    version: int
    seat: int | None
    command_id: UUID | None
    body: bytes
    hash: bytes
    at: Any
    next_at: Any

    def follows(self, previous: bytes) -> bool:
        """Return whether the hash fits the bytes and the hash before."""
        return self.hash == commit_hash(previous, self.version, body_digest(self.body))


def repair(game_id: UUID, backup: str) -> list[int]:
    """Put back the rows of a game that are damaged, from the database of a backup, and let the game
    continue. Return their versions.

    Raises NotRepairedError, psycopg.Error for the backup.
    """
    with psycopg.connect(backup) as other:
        kept = {row[0]: _Row(*row) for row in other.execute(ROWS, [game_id])}
    with transaction.atomic():
        head = heads.hold_here(game_id)
        if head is None:
            raise NotRepairedError(f"there is no game {game_id}")
        history = list(_repaired(head, _stored(game_id), kept))
        right = {0: genesis_hash(bytes(head.game.genesis))}
        right |= {row.version: row.hash for row, _ in history}
        _check_log(head, right)
        replaced = [row for row, is_replaced in history if is_replaced]
        _replace(game_id, replaced)
        heads.repaired_here(head, right[head.version])
    return [row.version for row in replaced]


def _stored(game: UUID) -> Mapping[int, _Row]:
    with connection.cursor() as cursor:
        cursor.execute(ROWS, [game])
        rows = [(*row[:3], bytes(row[3]), bytes(row[4]), *row[5:]) for row in cursor]
    return {row[0]: _Row(*row) for row in rows}


def _repaired(
    head: Head, stored: Mapping[int, _Row], kept: Mapping[int, _Row]
) -> Iterator[tuple[_Row, bool]]:
    """Yield the right row of each version, and whether it replaces a wrong one."""
    previous = genesis_hash(bytes(head.game.genesis))
    for version in range(1, head.version + 1):
        for rows in (stored, kept):
            row = rows.get(version)
            if row is not None and row.follows(previous):
                yield row, rows is kept
                previous = row.hash
                break
        else:
            raise NotRepairedError(f"the backup lacks the right commit {version}: give another one")


def _check_log(head: Head, right: Mapping[int, bytes]) -> None:
    """Compare a history with all entries of the log, and with the head unless the log names it."""
    rows = LogEntry.objects.filter(name=head.game.log_name).order_by("index")
    entries = [Entry.decode(bytes(row)) for row in rows.values_list("entry", flat=True)]
    lost = lost_in(entries)
    sealed = 0
    for entry in entries:
        if entry.kind is Kind.DIVERGED:
            raise NotRepairedError("the log says that this game diverged, which stays: void it")
        if entry in lost or entry.kind in BEFORE_START | {Kind.RESTORED}:
            continue
        if right.get(entry.version) != entry.hash:
            raise NotRepairedError(f"the history is not the one that was signed at {entry.version}")
        sealed = entry.version
    if right.get(head.version) != bytes(head.hash) and sealed != head.version:
        raise NotRepairedError("the history does not lead to the head of the game")


def _replace(game: UUID, rows: list[_Row]) -> None:
    if not rows:
        return
    with connection.cursor() as cursor:
        cursor.execute(UNPROTECT)
        cursor.execute(REMOVE, [game, [row.version for row in rows]])
        cursor.executemany(PUT, [(game, *row) for row in rows])
        cursor.execute(PROTECT)
