"""Archive months of games: write their records to the storage, verify them there, and detach them.

Nothing leaves the database before its record was read back from the storage, its bundle was
verified by `railbird_engine.audit`, and its rows were compared. An interrupted run continues where
it was: each stored object has an index, which is written when all its records are verified.
"""

import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import DatabaseError, connection

from accounts.models import User
from games.archive.months import Bundle, NotDetachableError, detach, games_of, heads_of
from games.archive.records import BrokenRecordError, decode, encode, stored_rows
from games.log import tiles
from games.models import DetachedMonth, Game
from games.proofs.bundles import Bundles
from games.store.registry import all_rules
from kit.object_storage import MissingObjectError, ObjectStorage, UnreachableError
from kit.partitions import first_id, made_at
from kit.problems import Problem
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.evidence import NeedsError
from railbird_engine.audit.notes import Verifier
from railbird_engine.audit.verify import UnreadableError, verify

OBJECT_BYTES: Final = 32 * 2**20
"""An object is full with this many bytes. A larger game has one of its own."""
GAMES_MAX: Final = 500
INDEX: Final = ".index"


class NotArchivedError(Exception):
    """A month cannot be archived. The message is one sentence that says why."""


class Indexed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of an index: where the verified record of a game is, and the hash that it ends at."""

    game: UUID
    object: str
    start: int
    length: int
    digest: bytes
    head: bytes


_indexed: Final = msgspec.json.Decoder(Indexed).decode


class Archived(NamedTuple):
    """A month that was archived: its games, and the bytes of their records."""

    month: DetachedMonth
    games: int
    bytes: int


def months_before(month: date) -> Iterator[date]:
    """Yield the first day of each month before this one of which the database has histories."""
    first = first_id(month)
    while True:
        left = Game.objects.filter(archived=None, id__lt=first).order_by("id").first()
        if left is None:
            return
        yield made_at(left.id).date().replace(day=1)


def archive(
    month: date,
    objects: ObjectStorage,
    *,
    by: User,
    reason: str,
    on_games: Callable[[int, int], None],
) -> Archived:
    """Archive a month of games, as the owner of the database.

    `on_games` receives how many games are verified, and how many there are. Raises
    NotArchivedError.
    """
    with _refusals(), _alone():
        games = games_of(month)
        records = _verified_before(month, objects)
        done = sum(game in records for game in games)
        on_games(done, len(games))
        missing = (game for game in games if game not in records)
        while some := list(islice(missing, GAMES_MAX)):
            for stored in _store(month, some, objects):
                records |= {each.game: each for each in stored}
                done += len(stored)
                on_games(done, len(games))
        places = {game: _place(records[game]) for game in games}
        detached = detach(month, places, by=by, reason=reason)
    return Archived(detached, len(games), sum(records[game].length for game in games))


@contextmanager
def _refusals() -> Iterator[None]:
    """Raise what refuses an archive as NotArchivedError."""
    try:
        yield
    except (UnreachableError, NotDetachableError) as error:
        raise NotArchivedError(str(error)) from error
    except Problem as problem:
        raise NotArchivedError(problem.code) from problem


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other runs away. Raises NotArchivedError if there is one.

    Two runs would write the same, but one would find its rows gone while it still verifies.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtext('archive'))")
        if cursor.fetchone() != (True,):
            raise NotArchivedError("another run of this command is archiving")
    try:
        yield
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(hashtext('archive'))")


def _place(found: Indexed) -> Bundle:
    return Bundle(found.object, found.start, found.length, found.digest, found.head)


def _verified_before(month: date, objects: ObjectStorage) -> dict[UUID, Indexed]:
    """Return the records that an earlier run verified, which are still there and up to date."""
    found: dict[UUID, Indexed] = {}
    for name in objects.names(f"{month:%Y-%m}"):
        if name.endswith(INDEX):
            try:
                listed = [_indexed(line) for line in objects.read(name, 0, 2**31).splitlines()]
            except msgspec.MsgspecError:
                continue  # It was cut off when the machine lost power.
            heads = heads_of([each.game for each in listed])
            current = [each for each in listed if heads.get(each.game) == each.head]
            found |= {each.game: each for each in _intact(current, objects)}
    return found


def _intact(found: Sequence[Indexed], objects: ObjectStorage) -> Iterator[Indexed]:
    """Yield the records of an object that the storage still gives back."""
    if not found:
        return
    try:
        content = objects.read(found[0].object, 0, max(each.start + each.length for each in found))
    except MissingObjectError:
        return
    for each in found:
        stored = content[each.start : each.start + each.length]
        if hashlib.sha256(stored).digest() == each.digest:
            yield each


class _Made(NamedTuple):
    """A record that is to be stored, and the digest of the rows that it has to give back."""

    game: UUID
    head: bytes
    record: bytes
    rows: bytes


def _store(month: date, games: Sequence[UUID], objects: ObjectStorage) -> Iterator[list[Indexed]]:
    """Store the records of these games in one object or several, and verify each object."""
    full: list[_Made] = []
    for made in _made(games):
        full.append(made)
        if sum(len(each.record) for each in full) >= OBJECT_BYTES:
            yield _stored(month, full, objects)
            full = []
    if full:
        yield _stored(month, full, objects)


def _made(games: Sequence[UUID]) -> Iterator[_Made]:
    bundles = Bundles()
    for game in Game.objects.select_related("head", "lobby").filter(id__in=games).order_by("id"):
        rows = stored_rows(game.id)
        try:
            record = encode(game.id, bundles.of(game, rows), rows)
        except Problem as problem:
            raise NotArchivedError(f"{problem.code}: game {game.id}") from problem
        yield _Made(game.id, bytes(game.head.hash), record, rows.digest)


def _stored(month: date, made: Sequence[_Made], objects: ObjectStorage) -> list[Indexed]:
    """Write an object, read it back and verify it, then write its index."""
    content = b"".join(each.record for each in made)
    name = f"{month:%Y-%m}/{hashlib.sha256(content).hexdigest()}"
    objects.write(name, content)
    try:
        if objects.read(name, 0, len(content) + 1) != content:
            raise NotArchivedError(f"the storage gave back other bytes of {name} than were written")
    except MissingObjectError as error:
        raise NotArchivedError(f"the storage does not give back {name}") from error
    trusted = [Verifier.parse(key) for key in tiles.verifiers()]
    start, found = 0, []
    for each in made:
        _verify(each, trusted)
        digest = hashlib.sha256(each.record).digest()
        found.append(Indexed(each.game, name, start, len(each.record), digest, each.head))
        start += len(each.record)
    objects.write(f"{name}{INDEX}", b"\n".join(map(msgspec.json.encode, found)))
    return found


def _verify(made: _Made, trusted: Sequence[Verifier]) -> None:
    """Verify a record as the storage has it. Raises NotArchivedError."""
    what = f"game {made.game}"
    try:
        record = decode(made.record)
        rules = all_rules()
        verify(io.BytesIO(record.bundle), lambda *key: rules.get(key), trusted=trusted)
    except (BrokenRecordError, UnreadableError, DivergenceError) as error:
        raise NotArchivedError(f"{what}: {error}") from error
    except NeedsError as needed:
        raise NotArchivedError(f"{what} needs {needed}") from needed
    if record.game != made.game or record.rows.digest != made.rows:
        raise NotArchivedError(f"{what}: the record does not give back the rows of the database")
