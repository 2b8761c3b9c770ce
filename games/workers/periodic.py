"""Periodic work of workers. Each part may run twice or concurrently."""

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import structlog
from django.conf import settings
from django.db import close_old_connections, connection

from accounts import people, recovery, tokens
from games import following, lobbies
from games.archive import reading
from games.store import hashing
from kit import metrics, partitions, table_protection
from notices import deliveries, delivering, inbox

log = structlog.get_logger(__name__)


class Round(NamedTuple):
    """Work that runs every `every_s` seconds."""

    every_s: float
    work: Sequence[Callable[[], object]]

    async def go(self) -> None:
        """Do all of it, in a thread. Raises the first failure after the rest was done."""
        await asyncio.to_thread(_do_all, self.work)


HEARTBEAT_EVERY_S: Final = 5.0


def beat() -> None:
    """Write HEARTBEAT_FILE for the worker's health check, without broker or database.

    The monotonic clock of the machine is in it: a wall clock can be set meanwhile.
    """
    if settings.HEARTBEAT_FILE:
        Path(settings.HEARTBEAT_FILE).write_text(str(time.monotonic()))


def make_months() -> int:
    """Make the partitions of the next months. Return how many were missing."""
    return partitions.make_months(connection)


def check_protections() -> None:
    """Report what is missing of the triggers and privileges that keep histories unchanged."""
    gaps = table_protection.gaps(connection)
    metrics.PROTECTIONS_MISSING.set(len(gaps))
    if gaps:
        log.error("protections_missing", first=gaps[0], others=len(gaps) - 1)


ROUNDS: Final = {
    "heartbeat": Round(HEARTBEAT_EVERY_S, (beat,)),
    "sweeping": Round(
        1.0,
        (
            lobbies.settle_ended,
            lobbies.release_due_seats,
            lobbies.seat_due_bots,
            lobbies.advance_starts,
            lobbies.give_up_late,
            lobbies.close_unfilled,
        ),
    ),
    # It looks at every running game of the live pace.
    "replacing": Round(3.0, (lobbies.replace_absent,)),
    "following": Round(1.0, (following.follow,)),
    "delivering": Round(5.0, (delivering.deliver,)),
    "tidying": Round(30.0, (lobbies.time_out_absent, lobbies.void_abandoned)),
    "forgetting": Round(
        3600.0,
        (
            *(tokens.sweep, recovery.sweep, people.erase_hidden, lobbies.forget_old),
            *(lobbies.void_endless, inbox.forget_old, deliveries.forget_old),
            deliveries.lapse_excess,
        ),
    ),
    "hashing": Round(1.0, (hashing.Pass().hash_next,)),
    "archive": Round(10.0, (reading.Pass().read_next,)),
    "partitioning": Round(3600.0, (make_months,)),
    "guarding": Round(600.0, (check_protections,)),
}


def _do_all(work: Sequence[Callable[[], object]]) -> None:
    failed: Exception | None = None
    close_old_connections()
    try:
        for part in work:
            try:
                part()
            except Exception as error:  # noqa: BLE001  (raised below)
                failed = failed or error
    finally:
        close_old_connections()
    if failed is not None:
        raise failed
