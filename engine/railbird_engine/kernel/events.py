"""Events that all games share. Bets of all games use the same three, so one table holds them."""

import re
from typing import Literal
from uuid import UUID

import msgspec

from railbird_engine.kernel.money import Seat


def snake_case(name: str) -> str:
    """Convert a class name to its tag: `BetPlaced` -> `bet_placed`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


# Events hold values, without cycles, so the garbage collector need not follow them (`gc=False`).
class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    omit_defaults=True,
    tag=snake_case,
    tag_field="type",
):
    """A fact. `only` lists the seats that may read it, in order; None means everyone.

    Everyone includes spectators. Give the other fields no defaults: msgspec omits a field whose
    value equals its default.
    """

    only: tuple[Seat, ...] | None = None


class BetPlaced(Event, frozen=True, kw_only=True):
    """A seat placed a bet. `bet` numbers the bets of a game from 1; `odds` are as shown."""

    bet: int
    seat: Seat
    spot: str
    stake: int
    odds: str


class BetSettled(Event, frozen=True, kw_only=True):
    """A bet was settled. `seat` and `spot` repeat its `bet_placed`.

    `payout` is what the settlement moved: above zero to the seat, below zero from it.
    """

    bet: int
    seat: Seat
    spot: str
    outcome: Literal["won", "lost"]
    payout: int


class BetVoided(Event, frozen=True, kw_only=True):
    """A bet was voided; `payout` is what went back to the seat."""

    bet: int
    payout: int
    reason: str


class Intervened(Event, frozen=True, kw_only=True):
    """An operator or the server intervened in this game, for this reason.

    `by` is the operator's opaque id; null for the server itself.
    """

    by: UUID | None
    reason: str


AnyServerEvent = BetVoided | Intervened
"""Events that any game can have in addition to its own."""
