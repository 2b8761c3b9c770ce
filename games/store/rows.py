"""The rows that the store reads and writes: commits, heads, and those that load a game."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from accounts.ledger import Posting
from railbird_engine import Event
from railbird_engine.kernel.bets import BetRow, SettlementRow


class StoredCommit(NamedTuple):
    """A stored commit. `next_at` is when the clock acts next, if nothing else happens before.

    `hash` fits `body` and `previous`, the hash of the commit before it. `ended` is how the game has
    ended, given with its newest commit only. `events` is None until they are decoded from the body.
    """

    game: UUID
    version: int
    seat: int | None
    command_id: UUID | None
    body: bytes
    hash: bytes
    previous: bytes
    at: datetime
    next_at: datetime | None
    ended: str
    events: tuple[Event, ...] | None = None


class NewCommit(NamedTuple):
    """A decided commit that is not stored yet. It can be appended after `version - 1`.

    The head must still have the hash `previous`. `answers` is the alarm that a tick or pause
    answers: the head must await it. `alarm` and `after_ms` are what the game awaits next, and
    `drawn` counts the draws of the game so far. After `not_after`, by the database's clock, the
    commit is refused. A commit that is stored together with the one before it, and keeps its alarm,
    repeats what that one says about it. `awaits` are the users for whom a slow game waits, as the
    text of an array; `wakes_bots` is whether bots have to look. Without it, those of a live game
    look when they were going to.

    `bets`, `settlements` and `postings` are its rows; `users` are the owners of bets by seat.
    `command`, `state` and `events` are what a loaded game remembers once the commit is stored.
    """

    game: UUID
    version: int
    seat: int | None
    command_id: UUID | None
    body: bytes
    hash: bytes
    previous: bytes
    alarm: int | None
    after_ms: float | None
    answers: int | None
    ended: str
    drawn: int
    not_after: datetime | None
    awaits: str | None
    wakes_bots: bool
    bets: Sequence[BetRow]
    settlements: Sequence[SettlementRow]
    postings: Sequence[Posting]
    users: Mapping[int, UUID]
    command: Any
    state: Any
    events: tuple[Event, ...]

    def stored(self, at: datetime, next_at: datetime | None) -> StoredCommit:
        """Return the commit after it was stored at this time."""
        return StoredCommit(
            self.game,
            self.version,
            self.seat,
            self.command_id,
            self.body,
            self.hash,
            self.previous,
            at,
            next_at,
            self.ended,
            self.events,
        )


COLUMNS: Final = NewCommit._fields.index("bets")
"""The number of fields that are columns of the commit's own row."""


class HeadQuery(NamedTuple):
    """A question for the head of a game: its state, and the version of this seat's command."""

    game: UUID
    seat: int | None = None
    command_id: UUID | None = None


class HeadState(NamedTuple):
    """The head of a game. `committed_as` is the version of the command that was asked for.

    `damaged` is the first version whose row was found damaged. `now` is the database's time before
    it read the head.
    """

    version: int
    hash: bytes
    ended: str
    stalled: str
    damaged: int | None
    committed_as: int | None
    now: datetime

    def lacks(self, known: tuple[int, bytes]) -> bool:
        """Return whether this head is not, and does not follow, one that was known before it was
        read: a version and its hash."""
        version, hash_ = known
        return self.version < version or (self.version == version and self.hash != hash_)


class StoredSnapshot(NamedTuple):
    """The state of a game at a version. `digest` covers the other fields: see `loaded_games`.

    `stored` is the hash of the stored commit of that version, None if there is none.
    """

    version: int
    hash: bytes
    drawn: int
    state: bytes
    digest: bytes
    stored: bytes | None


class StoredGame(NamedTuple):
    """The rows that a process needs to load a game, and its newest snapshot if there is one.

    `version` and `damaged` are those of its head.
    """

    slug: str
    rules_version: int
    genesis: bytes
    seed: bytes
    has_ended: bool
    users: Mapping[int, UUID]
    bots: frozenset[int]
    accounts: Mapping[str, int]
    spectators: bool
    lobby: UUID
    is_slow: bool
    stand_ins: frozenset[int]
    forfeited: frozenset[int]
    next_at: datetime | None
    version: int
    damaged: int | None
    snapshot: StoredSnapshot | None
