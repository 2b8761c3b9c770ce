"""The sealer: it finds heads that moved, appends them to the public log, and signs a checkpoint.

It never signs over a difference. If the stored history of a game differs from the signed one, the
game gets one last entry that reports it, and is stalled; other games continue.

The sealer reads committed rows, and games never wait for it. Every worker runs one: the sealer that
gets the lock does this round, and a round too soon after the last does nothing.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from threading import Event
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog
from django.conf import settings
from django.db import close_old_connections, connection, transaction

from games.archive.months import digest_of
from games.keys import acknowledging
from games.keys.acknowledging import Public
from games.lobbies.periodic import advance_starts
from games.log import cosigning, signing, troubles
from games.log import tiles as the_log
from games.log.entries import append
from games.models import DetachedMonth, LogEntry
from games.store import seeds
from games.store.builds import code_of_all
from games.store.heads import MOVED, SEAL, STALL
from games.store.operator_log import NOTHING
from games.store.statements import DAMAGED
from kit import background, installation, key_files
from railbird_engine.audit import merkle
from railbird_engine.audit.acknowledgements import key_entry, key_name
from railbird_engine.audit.builds import build_entry
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.evidence import check_dice
from railbird_engine.audit.log import BEFORE_START, ENDED, Entry
from railbird_engine.audit.merkle import Edge
from railbird_engine.audit.notes import Checkpoint, checkpoint_in
from railbird_engine.audit.records import NAMES, actions_entry, archived_entry, heartbeat_entry
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Kind

log = structlog.get_logger(__name__)

EVERY_S: Final = 1.0
HEARTBEAT_S: Final = 30
"""The log gets an entry with the time so often, busy or idle: an auditor sees that it is fresh."""
HEADS_MAX: Final = 1000
"""The heads of a round: where processors are few, the clock is slower while it runs."""
LOOKS: Final = 5
"""How often a sealer looks in `EVERY_S` whether a start waits for the log."""
FIRST: Final = UUID(int=0)
LOCKED_OUT_S: Final = 5.0
"""A sealer holds the lock for parts of a second. No other gets it for so long by chance alone."""
LOCK: Final = 0x67616D65_6C6F6700
"""The advisory lock of the active sealer. It ends with the transaction, even if a sealer dies."""

BEGIN: Final = """
SELECT pg_try_advisory_xact_lock(%s),
    set_config('idle_in_transaction_session_timeout', '2s', true),
    set_config('lock_timeout', '100ms', true)
"""

HOLDER: Final = """
SELECT a.pid, a.usename, a.application_name, a.backend_start FROM pg_locks l
LEFT JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'advisory' AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid::bigint << 32 | l.objid::bigint = %s
"""

LAST: Final = """
SELECT size, note, at > clock_timestamp() - %s * interval '1 s'
FROM games_logcheckpoint ORDER BY size DESC LIMIT 1
"""

NEWEST: Final = "SELECT entry FROM games_logentry WHERE name = %s ORDER BY place DESC LIMIT 1"

RECORDED: Final = """
SELECT e.entry FROM unnest(%s::uuid[]) AS n(name) CROSS JOIN LATERAL (
    SELECT entry FROM games_logentry WHERE name = n.name ORDER BY place DESC LIMIT 1
) e
"""
NEW_RECORDS: Final = """
SELECT extract(epoch FROM clock_timestamp())::bigint, a.number, a.hash,
    (SELECT hash FROM games_operatoraction WHERE number = %s),
    (SELECT count(*) FROM games_detachedmonth)
FROM (SELECT) one
LEFT JOIN (SELECT number, hash FROM games_operatoraction ORDER BY number DESC LIMIT 1) a ON true
"""

PENDING: Final = "SELECT id, entry FROM games_pendingentry ORDER BY id LIMIT %s"
STARTS_WAIT: Final = f"""
SELECT EXISTS (
    SELECT FROM games_pendingentry
    WHERE entry >= '\\x{Kind.COMMITTED:02x}' AND entry < '\\x{Kind.REVEALED + 1:02x}'
)
"""  # noqa: S608  (of constants)
"""Whether there are entries for which players wait, by the kind in their first byte."""
TAKEN_IN: Final = "DELETE FROM games_pendingentry WHERE id = ANY(%s)"


_reported: Final[set[int]] = set()
"""The damaged rows of entries about lobbies that this process has logged."""


class ForkedError(background.OperatorError):
    """The stored log does not continue the signed one. The message is one line that says how."""


class LockedOutError(Exception):
    """Another session holds the sealer's lock, and seals nothing. The message is one line."""


class Head(NamedTuple):
    """A head that is newer than the log.

    `signed` is its newest entry in the log, `place` the place of that, and `stored` the hash of
    its commit in the database. `genesis` and `seed` are set when their entry is due; the seed is
    also None without its key. With `lies`, somebody added other dice to the start than those in
    the log. Of a game with a `damaged` commit nothing is sealed, except that it diverged.
    """

    name: UUID
    game: UUID
    version: int
    hash: bytes
    ended: str
    place: int | None
    signed: Entry | None
    stored: bytes | None
    genesis: bytes | None
    lies: bool
    damaged: int | None
    is_slow: bool
    seed: bytes | None

    @property
    def diverged(self) -> Entry | None:
        """The entry that reports a difference between stored and signed history, or None."""
        signed = self.signed
        if signed is None or not any(signed.hash):
            return None
        if self.genesis is not None:
            # The lobby that opened, or the seats that were frozen, are those whose game started.
            entries = chain.start_entries(chain.decode_genesis(self.genesis))
            if entries.last == signed.encode() and not self.lies:
                return None
            found: bytes | None = Entry.decode(entries.last).hash
            found = bytes(32) if found == signed.hash else found
        else:
            found = self.stored
            if found == signed.hash and self.version <= signed.version:
                found = self.hash
            if found == signed.hash:
                if self.ends_as_signed(signed):
                    return None
                found = bytes(32) if self.hash == signed.hash else self.hash
        return Entry(Kind.DIVERGED, self.name, signed.version, signed.hash, found or bytes(32))

    def ends_as_signed(self, signed: Entry) -> bool:
        """Whether the head fits the last entry of its game: a commit ends a game, nothing else
        does, and a game whose seed the log disclosed stays ended. Otherwise an attacker who edits a
        head could make the sealer disclose the seed of a running game."""
        if signed.kind is Kind.RESTORED:
            return True
        if self.version == signed.version:
            return signed.kind is ENDED.get(self.ended, Kind.ADVANCED)
        return not signed.seed or (bool(self.ended) and signed.kind is Kind.FINISHED)

    @property
    def awaits_voiding(self) -> bool:
        """Whether the game lost commits, and no later commit voids it yet."""
        signed = self.signed
        return (
            signed is not None
            and signed.kind is Kind.RESTORED
            and (self.ended != "voided" or self.version <= signed.version)
        )

    def entries(self) -> list[Entry]:
        """Return the missing entries of the game: its start, and its progress or end."""
        found = []
        if self.damaged is not None and self.diverged is None:
            return []
        if self.genesis is not None:
            found.append(Entry(Kind.STARTED, self.name, 0, chain.genesis_hash(self.genesis)))
        if self.diverged is not None:
            return [*found, self.diverged]
        known = 0 if self.signed is None else self.signed.version
        if self.version > known and not self.awaits_voiding:
            if self.ended:
                if self.seed is not None:
                    found.append(
                        Entry(ENDED[self.ended], self.name, self.version, self.hash, self.seed)
                    )
            else:
                found.append(Entry(Kind.ADVANCED, self.name, self.version, self.hash))
        return found


class Sealer:
    """The sealer of one process.

    It remembers the right edge of the tree to save work, and compares it with the database. The
    checkpoint that was signed last is read before each signature, from the file beside the keys,
    which all sealers share: a memory of its own would be out of date when another sealer signs.

    A round takes up to HEADS_MAX heads in the order of their ids. If more have moved, the next
    round continues after them, so that busy games delay no other.
    """

    def __init__(self) -> None:
        self._edge = Edge()
        self._keys: Sequence[Public] = ()
        self._has_named_build = False
        self._after = FIRST
        self._beat_at = self._had_lock_at = time.monotonic()
        self._months = 0
        self.had_turn = False
        """Whether the last round was of this sealer: it was neither too soon nor of another."""
        self.took_in = False
        """Whether the last round had entries about lobbies, for which starts may have waited."""

    @property
    def is_behind(self) -> bool:
        """Whether the last round left heads for the next."""
        return self._after != FIRST

    def seal(self, *, least_s: float = 0.0) -> int:
        """Append every head that moved, and sign. Return the number of new entries.

        Does nothing while another sealer is active, or if the last checkpoint is younger than
        `least_s`. Raises signing.UnsignedError, ForkedError, LockedOutError.
        """
        self.had_turn = self.took_in = False
        with signing.held(settings.LOG_KEY_FILE) as is_mine:
            return self._seal(least_s) if is_mine else 0

    def _seal(self, least_s: float) -> int:
        for text in troubles.forks():
            raise ForkedError(text)
        code_of_all()  # it takes a while, and the database ends a transaction that is silent
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(BEGIN, [LOCK])
            if not cursor.fetchone()[0]:
                self._check_lock(cursor)
                return 0
            self._had_lock_at = time.monotonic()
            cursor.execute(LAST, [least_s])
            last = cursor.fetchone()
            if last is not None and last[2]:
                return 0
            note = last[1] if last is not None else None
            self._continue(note)
            self.had_turn = True
            moved, after = self._moved(cursor)
            pending, taken_in = _pending(cursor)
            moved = [head for head in map(_after(pending), moved) if head.signed is not None]
            keys = _public_keys()
            entries = [] if keys == self._keys else _key_entries(cursor, keys)
            entries += [] if self._has_named_build else _build_entries(cursor)
            records, months = self._record_entries(cursor)
            entries += records
            entries += pending + [entry for head in moved for entry in head.entries()]
            if entries or note is None:
                places = {head.name: head.place for head in moved if head.place is not None}
                note = append(cursor, self._edge, entries, places)
            if taken_in:
                cursor.execute(TAKEN_IN, [taken_in])
            diverged = [head.game for head in moved if head.diverged is not None]
            if diverged:
                cursor.execute(STALL, [diverged])
            ended = [
                (head.game, head.version, head.seed)
                for head in moved
                if (head.seed is not None if head.ended else head.is_slow)
                if head.diverged is None and head.damaged is None
                if not head.awaits_voiding
            ]
            if ended:
                cursor.execute(SEAL, [list(column) for column in zip(*ended, strict=True)])
        self._after, self._keys, self._has_named_build = after, keys, True
        self._months, self.took_in = months, bool(taken_in)
        assert note is not None
        for game in diverged:
            log.critical("game_diverged", game=str(game))
        if entries:
            signing.remember(settings.LOG_KEY_FILE, note)
        return len(entries)

    def _check_lock(self, cursor: Any) -> None:
        """Raise LockedOutError if this sealer did not get the lock for long."""
        if time.monotonic() - self._had_lock_at > LOCKED_OUT_S:
            cursor.execute(HOLDER, [LOCK])
            pid, user, program, since = cursor.fetchone() or ("unknown", None, None, None)
            raise LockedOutError(
                f"another session holds the lock of the sealer: process {pid} of PostgreSQL, "
                f"role {user}, program {program!r}, since {since}"
            )

    def _moved(self, cursor: Any) -> tuple[list[Head], UUID]:
        """Return heads that moved, and after which game the next round continues.

        A game whose rows cannot be read is stalled, and stops no other.
        """
        cursor.execute(MOVED, [self._after, HEADS_MAX])
        rows, heads, damaged = cursor.fetchall(), [], []
        for row in rows:
            try:
                heads.append(_head(row))
            except (ValueError, *chain.MALFORMED) as error:
                damaged.append(row[1])
                log.critical("history_damaged", game=str(row[1]), version=0, error=str(error))
        for game in damaged:
            why = "its genesis or its newest log entry is damaged"
            cursor.execute(DAMAGED, {"game": game, "version": 0, "why": why})
        return heads, rows[-1][1] if len(rows) == HEADS_MAX else FIRST

    def _record_entries(self, cursor: Any) -> tuple[list[Entry], int]:
        """Return entries about the server that are due: a heartbeat, new actions of operators, and
        months that were archived. Also return how many months are archived."""
        cursor.execute(RECORDED, [[*NAMES.values()]])
        last = {each.kind: each for each in (Entry.decode(bytes(body)) for (body,) in cursor)}
        number = {kind: last[kind].version + 1 if kind in last else 0 for kind in NAMES}
        known = last.get(Kind.ACTIONS)
        logged = 0 if known is None else int.from_bytes(known.payload, "big")
        cursor.execute(NEW_RECORDS, [logged])
        at_s, actions, newest, same, months = cursor.fetchone()
        found: list[Entry] = []
        if known is not None and known.hash != bytes(same or NOTHING):
            log.critical("operator_log_changed", number=logged)
        elif (actions or 0) > logged:
            found.append(actions_entry(actions, bytes(newest), number[Kind.ACTIONS]))
        if months != self._months:
            found += _archived(number[Kind.ARCHIVED])
        before_s = (
            int.from_bytes(last[Kind.HEARTBEAT].payload, "big") if number[Kind.HEARTBEAT] else 0
        )
        # A clock that was put back must not stop them: then they repeat the last time.
        if max(at_s - before_s, time.monotonic() - self._beat_at) >= HEARTBEAT_S:
            found.append(heartbeat_entry(max(at_s, before_s), number[Kind.HEARTBEAT]))
            self._beat_at = time.monotonic()
        return found, months

    def _continue(self, note: str | None) -> None:
        """Move to the end of the stored log. Raises ForkedError unless it continues the signed
        log."""
        stored = None if note is None else checkpoint_in(note)
        if (signed_last := signing.last_signed(settings.LOG_KEY_FILE)) is not None:
            _check_continues(checkpoint_in(signed_last), stored)
        if self._edge.root() != (merkle.EMPTY_ROOT if stored is None else stored.root):
            self._edge = Edge.stored(0 if stored is None else stored.size, the_log.hashes)
        if stored is not None and self._edge.root() != stored.root:
            raise ForkedError(
                f"the stored entries differ from those of the checkpoint at {stored.size}: "
                "somebody changed them"
            )


def _head(row: Sequence[Any]) -> Head:
    """Return a row of MOVED. Raises ValueError, or an exception in `MALFORMED`, for wrong bytes."""
    (
        name,
        game,
        version,
        hash_,
        ended,
        place,
        entry,
        stored,
        genesis,
        damaged,
        is_slow,
        *lobby_and_seed,
    ) = row
    lobby, seed, box, seed_hash = lobby_and_seed
    return Head(
        name,
        game,
        version,
        bytes(hash_),
        ended,
        place,
        entry and Entry.decode(bytes(entry)),
        stored and bytes(stored),
        genesis and bytes(genesis),
        genesis is not None and _lies(bytes(genesis)),
        damaged,
        is_slow,
        seeds.to_disclose(seed, box, seed_hash, lobby, name) if ended else None,
    )


@lru_cache(HEADS_MAX)  # a busy round may be cut off, and the next one must get further
def _lies(genesis: bytes) -> bool:
    """Whether seats or witnesses of a start added other bytes than they had committed to. Raises
    the exceptions in `MALFORMED`."""
    opening = chain.decode_genesis(genesis)
    entries = chain.start_entries(opening)
    try:
        check_dice(opening, chain.decode_table(opening.table), entries, settings.LOG_ORIGIN)
    except (DivergenceError, *chain.MALFORMED):
        return True
    return False


def _public_keys() -> Sequence[Public]:
    """The keys that sign acknowledgements of this log, as web processes left them beside theirs."""
    try:
        found = acknowledging.public(settings.ACK_KEY_FILE)
    except key_files.UnusableKeyError as error:
        log.error("ack_keys_unusable", error=str(error))  # noqa: TRY400 -- one line says it
        return ()
    return [key for key in found if key.verifier.name == key_name(settings.LOG_ORIGIN)]


def _key_entries(cursor: Any, keys: Sequence[Public]) -> list[Entry]:
    """Return entries for new keys, and for keys whose validity was shortened."""
    found = []
    for verifier, validity in keys:
        entry = key_entry(verifier.key, validity, 0)
        cursor.execute(NEWEST, [entry.name])
        last = cursor.fetchone()
        known = None if last is None else Entry.decode(bytes(last[0]))
        if known is None or known.payload != entry.payload:
            version = 0 if known is None else known.version + 1
            found.append(entry._replace(version=version))
    return found


def _build_entries(cursor: Any) -> list[Entry]:
    """The entry of this build, unless it is the last one that the log names."""
    entry = build_entry(settings.BUILD_VERSION, settings.BUILD_COMMIT, code_of_all(), 0)
    cursor.execute(NEWEST, [entry.name])
    last = cursor.fetchone()
    known = None if last is None else Entry.decode(bytes(last[0]))
    if known is not None and known.payload == entry.payload:
        return []
    version = 0 if known is None else known.version + 1
    return [entry._replace(version=version)]


def _archived(number: int) -> Iterator[Entry]:
    """Yield entries, from this number on, of the archived months that the log does not have so."""
    rows = LogEntry.objects.filter(name=NAMES[Kind.ARCHIVED]).order_by("place")
    logged = map(Entry.decode, map(bytes, rows.values_list("entry", flat=True)))
    digests = {entry.payload: entry.hash for entry in logged}
    for detached in DetachedMonth.objects.order_by("at", "month").select_related("action"):
        entry = archived_entry(detached.month, digest_of(detached), number)
        if digests.get(entry.payload) != entry.hash:
            yield entry
            number += 1


def _pending(cursor: Any) -> tuple[list[Entry], list[int]]:
    """Return the entries about lobbies, in order, and the ids of their rows.

    Call this after the heads are read: the lobby of a game that moved opened before.
    """
    cursor.execute(PENDING, [HEADS_MAX])
    entries, taken_in = [], []
    for id_, entry in cursor.fetchall():
        try:
            entries.append(Entry.decode(bytes(entry)))
            taken_in.append(id_)
        except ValueError as error:
            if id_ not in _reported:
                _reported.add(id_)
                log.critical("pending_entry_damaged", id=id_, error=str(error))
    if strangers := {entry.kind for entry in entries} - BEFORE_START:
        raise ForkedError(f"entries of the kinds {sorted(strangers)} are no lobby's: remove them")
    return entries, taken_in


def _after(pending: Sequence[Entry]) -> Callable[[Head], Head]:
    """Return a function that gives heads the newest entry of this round about their lobby.

    A head whose lobby opened after this round has no entry yet.
    """
    newest = {entry.name: entry for entry in pending}

    def with_newest(head: Head) -> Head:
        entry = newest.get(head.name)
        return head if entry is None else head._replace(signed=entry)

    return with_newest


def starts_wait() -> bool:
    """Whether the seats of a starting game, or its reveals, are not in the log yet."""
    with connection.cursor() as cursor:  # several times a second: Django's queries cost much more
        cursor.execute(STARTS_WAIT)
        return bool(cursor.fetchone()[0])


def _check_continues(seen: Checkpoint, stored: Checkpoint | None) -> None:
    if stored is None or stored.size < seen.size:
        size = 0 if stored is None else stored.size
        raise ForkedError(
            f"the database has {size} entries, but {seen.size} were signed: it was restored to an "
            f"earlier state, so run {installation.NAME} log_restore, or the key belongs to another "
            "log"
        )
    if stored == seen:
        return
    if the_log.root_at(seen.size, stored.size) != seen.root:
        raise ForkedError(
            f"the stored entries differ from those of the checkpoint that was signed at {seen.size}"
        )


def run(stopping: Event) -> None:
    """Seal every second until `stopping` is set. Failures are logged and retried, and noted as a
    trouble if they are of the log."""
    sealer, source = Sealer(), troubles.of_process()
    trouble: Exception | None = None
    has_asked_witnesses = False

    def seal() -> None:
        nonlocal trouble, has_asked_witnesses
        began = time.monotonic()
        close_old_connections()
        try:
            if not has_asked_witnesses:
                cosigning.check_witnesses()
                has_asked_witnesses = True
            # All workers together seal as often as one would. A sealer that is behind leaves the
            # clock half of the time.
            is_urgent = trouble is not None or sealer.is_behind or starts_wait()
            entries = sealer.seal(least_s=0.0 if is_urgent else EVERY_S * 0.8)
            if sealer.took_in:
                advance_starts()
            if trouble is not None:
                if not sealer.had_turn:
                    # Another has the lock, perhaps to find the same. Each raise adds to a trace.
                    raise trouble.with_traceback(None)
                troubles.clear(source)
            trouble = None
        except (signing.UnsignedError, ForkedError, LockedOutError) as error:
            trouble = error
            troubles.note(source, str(error))
            raise
        finally:
            close_old_connections()
        if entries and sealer.is_behind:
            stopping.wait(time.monotonic() - began)
            return
        for _ in range(LOOKS):
            if stopping.wait(EVERY_S / LOOKS) or starts_wait():
                return

    background.until(stopping, "sealer", seal)
