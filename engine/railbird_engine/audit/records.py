"""Entries about the server itself: its heartbeats, its operators' actions, and archived months.

Each kind has one name and counts its entries from 0. They tie what is in no game to the log: when
it was sealed, what operators did, and what left the database.
"""

import hashlib
from datetime import date
from typing import Final
from uuid import UUID

import msgspec

from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.log import Entry
from railbird_engine.kernel.chain import Kind

NAMES: Final = {
    Kind.HEARTBEAT: UUID(int=1),
    Kind.ACTIONS: UUID(int=2),
    Kind.ARCHIVED: UUID(int=3),
}
"""The name of all entries of a kind."""
GAP_MAX_S: Final = 60
"""The most of the time between two heartbeats that counts: in more, the server was away."""


def heartbeat_entry(at_s: int, number: int) -> Entry:
    """Return the entry which says that the log was sealed at this time, in seconds since 1970."""
    payload = at_s.to_bytes(8, "big")
    hash_ = hashlib.sha256(payload).digest()
    return Entry(Kind.HEARTBEAT, NAMES[Kind.HEARTBEAT], number, hash_, payload)


def actions_entry(count: int, newest: bytes, number: int) -> Entry:
    """Return the entry which says that operators acted so often, and the hash of the last action,
    which covers those before."""
    payload = count.to_bytes(8, "big")
    return Entry(Kind.ACTIONS, NAMES[Kind.ACTIONS], number, newest, payload)


def archived_entry(month: date, digest: bytes, number: int) -> Entry:
    """Return the entry which says that the histories of a month left the database, with the digest
    of its row."""
    payload = f"{month:%Y-%m}".encode()
    return Entry(Kind.ARCHIVED, NAMES[Kind.ARCHIVED], number, digest, payload)


class Recorded(msgspec.Struct):
    """The state of the entries about the server, read in order.

    `heartbeat` is the time of the newest one, and `sealed_s` how many seconds passed between all of
    them, without those in which the server was away. Each restoration of an earlier database that
    lost actions of operators is in `cuts`: how many there were, and how many are left.
    """

    counts: dict[int, int] = {}
    heartbeat: int | None = None
    actions: int = 0
    cuts: list[tuple[int, int]] = []
    months: dict[str, bytes] = {}
    sealed_s: int = 0

    def take(self, entry: Entry) -> None:
        """Check the next entry. Raises DivergenceError.

        Heartbeats never go back. A month is archived once, unless a restoration lost that.
        """
        count, field = self.counts.get(entry.kind, 0), entry.kind.name.lower()
        if (entry.name, entry.version) != (NAMES[entry.kind], count):
            expected = f"entry {count} of {NAMES[entry.kind]}"
            raise DivergenceError(None, field, expected, f"entry {entry.version} of {entry.name}")
        self.counts[entry.kind] = count + 1
        match entry.kind:
            case Kind.HEARTBEAT:
                at_s = int.from_bytes(entry.payload, "big")
                if entry != heartbeat_entry(at_s, count) or at_s < (self.heartbeat or 0):
                    raise DivergenceError(None, field, f"{self.heartbeat} or later", at_s)
                before_s = at_s if self.heartbeat is None else self.heartbeat
                self.sealed_s += min(at_s - before_s, GAP_MAX_S)
                self.heartbeat = at_s
            case Kind.ACTIONS:
                actions = int.from_bytes(entry.payload, "big")
                if actions <= self.actions:
                    self.cuts.append((self.actions, actions))
                    self.months.clear()
                self.actions = actions
            case _:
                month = entry.payload.decode("ascii", "replace")
                if month in self.months:
                    raise DivergenceError(None, field, "a month that was not archived", month)
                self.months[month] = entry.hash
