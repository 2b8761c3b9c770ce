"""Detach a month of games: their histories leave the database once their bundles are stored.

The month of a game is that of its id. Everything here runs as the owner of the database.
"""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple
from uuid import UUID

from accounts.models import User
from games.models import DetachedMonth


class Bundle(NamedTuple):
    """Where the bundle of a game is stored and was verified: see `ArchivedGame`."""

    object: str
    start: int
    length: int
    digest: bytes


class NotDetachableError(Exception):
    """A month cannot be detached. The message is one sentence that says why."""


def games_of(month: date) -> list[UUID]:
    """Return the games of a month, in the order of their ids."""
    raise NotImplementedError


def detach(month: date, bundles: Mapping[UUID, Bundle], *, by: User, reason: str) -> DetachedMonth:
    """Detach the histories of a month of games, in one transaction.

    `month` is its first day; `bundles` has the verified bundle of every game of the month. Writes
    the action of the operator `by`, an `ArchivedGame` row for each game, an `OpeningBalance` for
    each account of these games, and the digests of what left.

    Raises NotDetachableError.
    """
    raise NotImplementedError
