"""Continue the public log after the database was restored to an earlier state.

The entries that were signed since then come from the copies beside the log's key. A game that they
show with more commits than the database has is named in a `restored` entry, and stalled until an
operator voids it.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Subquery

from games.lobbies.seats import give_up
from games.log import signing
from games.log import tiles as the_log
from games.log.entries import append, store
from games.log.sealing import LOCK
from games.models import OPEN_STATUSES, Game, Lobby, LogEntry, OperatorAction, PendingEntry
from games.store.heads import COMMITS_OF_ENTRIES, STALL_RESTORED
from railbird_engine.audit import log_copies
from railbird_engine.audit.log import OF_NO_GAME, Entry
from railbird_engine.audit.merkle import Edge
from railbird_engine.audit.notes import Checkpoint, NoteError, UntrustedError, checkpoint_of
from railbird_engine.audit.records import NAMES, actions_entry
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind

NAMES_AT_ONCE: Final = 1000
NOTHING: Final = bytes(32)
ENDS_ATTEMPT: Final = (Kind.ABANDONED, Kind.DIVERGED, Kind.RESTORED)

GIVE: Final = "give the newest checkpoint that others have seen with --checkpoint"
ALONE: Final = "SELECT set_config('lock_timeout', '15s', true), pg_advisory_xact_lock(%s)"


class RestoreError(Exception):
    """The log cannot be continued; the message is one line that says why, and what to do."""


class Behind(NamedTuple):
    """The end of the log in the database, and the signed entries that it lacks."""

    stored: Checkpoint
    signed: Checkpoint
    entries: Sequence[Entry]


def missing(folders: Sequence[Path], notes: Sequence[str]) -> Behind | None:
    """Return the signed entries that the database lacks, or None if it lacks none.

    They come from the copies beside the log's key and in `folders`, and lead to the newest signed
    checkpoint: the one beside the key, or one in `notes`. Expects a transaction, and holds the
    sealer's lock until its end. Raises RestoreError, signing.UnsignedError.
    """
    with connection.cursor() as cursor:
        cursor.execute(ALONE, [LOCK])
    newest = the_log.newest()
    if newest is None:
        raise RestoreError("this database has no log: restore one that has its beginning")
    stored = newest.checkpoint
    folders = [signing.copies(settings.LOG_KEY_FILE), *folders]
    try:
        signed = _last_signed(folders, notes, stored)
        if signed.size <= stored.size:
            return None
        bodies = log_copies.between(folders, stored.size, signed)
        entries = [Entry.decode(body) for body in bodies]
    except log_copies.MissingEntriesError as error:
        raise RestoreError(
            f"{error}: give `log_key.entries` of another sealing worker or a copy, or the folder "
            "of a monitor, with --from"
        ) from error
    except OSError as error:
        raise RestoreError(f"the copies cannot be read: {error}") from error
    except ValueError as error:
        raise RestoreError(f"the copies have what is no entry: {error}") from error
    edge = Edge.stored(stored.size, the_log.hashes)
    edge.extend(bodies)
    if edge.root() != signed.root:
        raise RestoreError(
            f"the copies and the database do not lead to the root that was signed at {signed.size}:"
            " one of them was changed"
        )
    return Behind(stored, signed, entries)


def _last_signed(folders: Sequence[Path], notes: Sequence[str], stored: Checkpoint) -> Checkpoint:
    """Return the newest checkpoint that a key of this log signed.

    One round that continues it was copied, and may have been published before a crash. More of them
    show that a newer checkpoint was signed.
    """
    beside = signing.last_signed(settings.LOG_KEY_FILE)
    if beside is None and not notes:
        raise RestoreError(
            f"{signing.checkpoint_file(settings.LOG_KEY_FILE)} is missing, so what was signed "
            f"after the {stored.size} entries of the database is not known: {GIVE}"
        )
    signers = signing.signers(settings.LOG_KEY_FILE, the_log.verifiers(), settings.LOG_ORIGIN)
    keys = [signer.verifier for signer in signers]
    signed = [stored]
    for note in [*([] if beside is None else [beside]), *notes]:
        try:
            signed.append(checkpoint_of(note, keys))
        except (NoteError, UntrustedError) as error:
            raise RestoreError(f"a checkpoint is not signed by the log's key: {error}") from error
    for each in signed:
        if each.size <= stored.size:
            _check_same(each, stored)
    last = max(signed, key=lambda each: each.size)
    later = log_copies.farthest(folders)
    if later is not None and later.first > last.size:
        raise RestoreError(
            f"the copies have entries {last.size} to {later.size - 1}, which are newer than the "
            f"newest known checkpoint, at {last.size}: {GIVE}"
        )
    found = log_copies.continuing(folders, last)
    if len(found) > 1:
        raise RestoreError(f"two copies continue the checkpoint at {last.size}: {GIVE}")
    return found[0] if found else last


def _check_same(signed: Checkpoint, stored: Checkpoint) -> None:
    if the_log.root_at(signed.size, stored.size) != signed.root:
        raise RestoreError(
            f"the stored log at {stored.size} does not continue the one that was signed at "
            f"{signed.size}: somebody changed it"
        )


def restore(behind: Behind) -> int:
    """Put the missing entries back, name and stall each game that lost commits, and sign.

    Lobbies whose game can no longer start are closed, and their buy-ins returned. Returns how many
    games and lobbies lost something. Expects the transaction of `missing`.
    """
    edge = Edge.stored(behind.stored.size, the_log.hashes)
    with connection.cursor() as cursor:
        note = store(cursor, edge, behind.entries)
        if cut := _cut_actions():
            note = append(cursor, edge, [cut])
        names = [entry.name for entry in behind.entries if entry.kind not in OF_NO_GAME]
        lost = [entry for some in _parts(names) for entry in _lost(cursor, some)]
        if lost:
            note = append(cursor, edge, lost)
            cursor.execute(STALL_RESTORED, [[entry.name for entry in lost]])
    known = LogEntry.objects.filter(name=OuterRef("name"), entry=OuterRef("entry"))
    PendingEntry.objects.filter(Exists(known)).delete()
    _close_lobbies()
    PendingEntry.objects.filter(Exists(known)).delete()
    transaction.on_commit(lambda: signing.remember(settings.LOG_KEY_FILE, note))
    return len(lost)


def _cut_actions() -> Entry | None:
    """Return the entry which says that actions of operators are lost, if some are."""
    rows = LogEntry.objects.filter(name=NAMES[Kind.ACTIONS]).order_by("place")
    if (row := rows.last()) is None:
        return None
    logged = Entry.decode(bytes(row.entry))
    count = int.from_bytes(logged.payload, "big")
    if OperatorAction.objects.filter(number=count, hash=logged.hash).exists():
        return None
    left = OperatorAction.objects.filter(number__lte=count).order_by("number").last()
    number, hash_ = (0, NOTHING) if left is None else (left.number, bytes(left.hash))
    return actions_entry(number, hash_, logged.version + 1)


def _parts(names: Iterable[UUID]) -> Iterator[list[UUID]]:
    found = list(dict.fromkeys(names))
    for first in range(0, len(found), NAMES_AT_ONCE):
        yield found[first : first + NAMES_AT_ONCE]


class _Known(NamedTuple):
    """An entry, and whether the database has the commit that it names."""

    entry: Entry
    is_stored: bool


def _lost(cursor: Any, names: Sequence[UUID]) -> Iterator[Entry]:
    """Yield a `restored` entry for each of these names whose newest entry is not stored."""
    cursor.execute(COMMITS_OF_ENTRIES, [list(names)])
    found: dict[UUID, list[_Known]] = {}
    for name, body, hash_ in cursor:
        entry = Entry.decode(bytes(body))
        is_stored = hash_ is not None and bytes(hash_) == entry.hash
        found.setdefault(name, []).append(_Known(entry, is_stored))
    lobbies = Lobby.objects.filter(log_name__in=names)
    before_start = {
        lobby.log_name: {
            Kind.OPENED: chain.opened_entry(chain.decode_terms(bytes(lobby.terms))),
            Kind.COMMITTED: bytes(lobby.committed),
            Kind.REVEALED: bytes(lobby.revealed),
        }
        for lobby in lobbies
    }
    for name, entries in found.items():
        newest = entries[-1].entry
        if newest.kind in {Kind.ABANDONED, Kind.DIVERGED} or entries[-1].is_stored:
            continue
        if before_start.get(name, {}).get(newest.kind) == newest.encode():
            continue
        if newest.kind is Kind.RESTORED and not any(newest.hash):
            continue
        left = [each.entry for each in entries if each.is_stored]
        last = max(left, key=lambda entry: entry.version, default=None)
        version, hash_ = (0, NOTHING) if last is None else (last.version, last.hash)
        sealed = newest.version.to_bytes(8, "big") + newest.hash
        yield Entry(Kind.RESTORED, name, version, hash_, sealed)


def _close_lobbies() -> None:
    """Close the open lobbies whose attempt has ended in the log, or whose game was lost."""
    ended = LogEntry.objects.filter(name=OuterRef("log_name"), kind__in=ENDS_ATTEMPT)
    lobbies = Lobby.objects.filter(Exists(ended), status__in=OPEN_STATUSES)
    for lobby in lobbies.order_by("id").select_for_update():
        give_up(lobby)


def games_to_void() -> dict[Game, int]:
    """Return the games that lost commits and are not voided yet, each with the newest version that
    it kept."""
    restored = LogEntry.objects.filter(name=OuterRef("log_name"), kind=Kind.RESTORED)
    newest = restored.order_by("-place").values("version")[:1]
    games = Game.objects.annotate(kept=Subquery(newest)).filter(kept__isnull=False)
    return {game: game.kept for game in games.exclude(head__ended="voided").order_by("id")}


def gone() -> list[UUID]:
    """Return the log names of games that lost commits, and of which the database has nothing."""
    names = LogEntry.objects.filter(kind=Kind.RESTORED).values_list("name", flat=True)
    games = Game.objects.filter(log_name=OuterRef("name"))
    return sorted(set(names.filter(~Exists(games))))
