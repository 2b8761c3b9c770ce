"""Read archived games, so that every call about a single game answers as before.

The digest of a record is checked each time it is read from the storage. A process keeps the records
that it read last, up to `KEPT_BYTES`.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from threading import Lock
from typing import Final
from uuid import UUID

import structlog
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import (
    InterfaceError,
    OperationalError,
    close_old_connections,
    connection,
    transaction,
)
from django.utils import timezone

from games.archive.records import TABLES, BrokenRecordError, Record, decode
from games.models import ArchivedGame, Game
from games.store.commits import store
from games.store.rows import HeadQuery, StoredCommit
from kit import metrics
from kit.object_storage import MissingObjectError, ObjectStorage, UnreachableError
from kit.partitions import first_id
from kit.problems import Problem
from kit.replicas import primary
from railbird_engine.kernel.chain import genesis_hash

log = structlog.get_logger(__name__)

KEPT_BYTES: Final = 16 * 2**20
"""The bundles of kept records. Their rows take four times as much memory."""


def may_be_archived(game: UUID) -> bool:
    """Whether a game is of an earlier month than this one, so that it may be archived.

    Its id tells, without a query.
    """
    return game < first_id(timezone.now().date().replace(day=1))


def archived_among(games: Collection[UUID]) -> list[ArchivedGame]:
    """Return the places of those of these games that are archived."""
    possible = [game for game in games if may_be_archived(game)]
    return list(ArchivedGame.objects.filter(game__in=possible)) if possible else []


@cache
def objects() -> ObjectStorage:
    """Return the storage of archived games."""
    return ObjectStorage(settings.ARCHIVE_URL)


class _Kept:
    """The records that were read last."""

    def __init__(self) -> None:
        self._records: OrderedDict[bytes, Record] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, digest: bytes) -> Record | None:
        with self._lock:
            record = self._records.get(digest)
            if record is not None:
                self._records.move_to_end(digest)
            return record

    def add(self, digest: bytes, record: Record) -> None:
        with self._lock:
            if digest not in self._records:
                self._records[digest] = record
                self._bytes += len(record.bundle)
            while self._bytes > KEPT_BYTES and self._records:
                _, oldest = self._records.popitem(last=False)
                self._bytes -= len(oldest.bundle)


kept: Final = _Kept()


def read(place: ArchivedGame) -> Record:
    """Return the record of a game. Raises Problem `archive_damaged`, `unavailable`."""
    digest = bytes(place.digest)
    record = kept.get(digest)
    if record is None:
        record = _read(place, digest)
        kept.add(digest, record)
    return record


def _read(place: ArchivedGame, digest: bytes) -> Record:
    try:
        stored = objects().read(place.object, place.start, place.length)
    except MissingObjectError:
        raise _damaged(place, "missing") from None
    except UnreachableError as error:
        metrics.ARCHIVE_FAILURES.labels("unreachable").inc()
        log.error("archive_unreachable", object=place.object, error=str(error))  # noqa: TRY400 -- one line says it
        raise Problem("unavailable") from error
    if hashlib.sha256(stored).digest() != digest:
        raise _damaged(place, "changed")
    try:
        record = decode(stored)
    except BrokenRecordError:
        raise _damaged(place, "unreadable") from None
    if record.game != place.game_id:
        raise _damaged(place, "misplaced")
    return record


class Pass:
    """A slow pass over all archived games that compares each with its digest, and finds damage in
    what nobody reads. Each worker makes its own, and starts again at the end."""

    def __init__(self) -> None:
        self._after = UUID(int=0)

    def read_next(self) -> UUID | None:
        """Read the next game, and log it if it is damaged. Returns it, or None at the end."""
        place = ArchivedGame.objects.filter(game__gt=self._after).order_by("game").first()
        self._after = UUID(int=0) if place is None else place.game_id
        if place is None:
            return None
        with suppress(Problem):  # which is logged
            _read(place, bytes(place.digest))
        return place.game_id


def _damaged(place: ArchivedGame, reason: str) -> Problem:
    metrics.ARCHIVE_FAILURES.labels(reason).inc()
    log.error(
        "archive_damaged", game=str(place.game_id), object=place.object, start=place.start,
        reason=reason,
    )  # fmt: skip
    return Problem("archive_damaged", game=str(place.game_id))


# Queries

PATIENT: Final = """
SELECT set_config(name, '5min', true) FROM pg_settings
WHERE name = 'idle_in_transaction_session_timeout' AND setting <> '0'
"""
"""A check may replay a whole game between two queries. It locks no row. Commands have no limit."""
CREATE: Final = "CREATE TEMP TABLE {table} (LIKE public.{table}) ON COMMIT DROP"
STAYED: Final = """
INSERT INTO pg_temp.accounts_transfer
SELECT * FROM public.accounts_transfer WHERE cause = ANY(%s) AND book <> cause
"""
"""Payouts of games go to wallets: they never leave the database."""


@contextmanager
def opened(games: Collection[UUID]) -> Iterator[None]:
    """Let the queries of this thread find the histories of archived games, if any of these is.

    Then, until the end of the block, the tables of histories show the archived ones among these
    games and nothing else: temporary tables of the same names hide them. They vanish with the
    block, in which nothing can be written. Raises as `read`.
    """
    found = [read(place) for place in archived_among(games)]
    if not found:
        yield
        return
    with primary(), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(PATIENT)
        for kind, table in enumerate(TABLES):
            with connection.cursor() as cursor:
                cursor.execute(CREATE.format(table=table.name))
                columns = ", ".join(table.columns)
                with cursor.copy(f"COPY pg_temp.{table.name} ({columns}) FROM STDIN") as copy:
                    for record in found:
                        for row in record.rows[kind]:
                            copy.write_row(row)
        with connection.cursor() as cursor:
            cursor.execute(STAYED, [[record.game for record in found]])
        yield
        transaction.set_rollback(True)


# Commits without queries


def commits_of(game: UUID, after: int, until: int) -> list[StoredCommit]:
    """Return the commits of a game with `after < version <= until`, none if it is not archived.

    Raises as `read`.
    """
    for place in archived_among([game]):
        found = Game.objects.select_related("head").get(id=game)
        commits: list[StoredCommit] = []
        previous = genesis_hash(bytes(found.genesis))
        for number, row in enumerate(read(place).rows.commits, 1):
            *columns, at, next_at = row
            hash_ = columns[-1]
            ended = found.head.ended if number == found.head.version else ""
            commits.append(StoredCommit._make((*columns, previous, at, next_at, ended, None)))
            previous = hash_
        return commits[after:until]
    return []


async def commits_for_store(game: UUID, after: int, until: int) -> list[StoredCommit]:
    """Return what `commits_of` does, from a coroutine.

    A running game is not looked for, so that it never waits for the archive. Raises as `read`, and
    Problem `unavailable` without a database.
    """
    if not may_be_archived(game) or not (await store().head(HeadQuery(game))).ended:
        return []
    return await sync_to_async(_in_thread, thread_sensitive=False)(game, after, until)


def _in_thread(game: UUID, after: int, until: int) -> list[StoredCommit]:
    close_old_connections()
    try:
        return commits_of(game, after, until)
    except (OperationalError, InterfaceError) as error:
        raise Problem("unavailable") from error
    finally:
        connection.close()
