"""Facts that every game shares. Bets of all games are three of them, so their histories are one
table."""

import re
from typing import Literal
from uuid import UUID

import msgspec

from games.engine.money import Seat


def snake_case(name: str) -> str:
    """`BetPlaced` -> `bet_placed`: the tag under which a struct travels."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Event(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag=snake_case, tag_field="type"
):
    """A fact. `only` names the seats that may read it, in order; None means everyone, spectators
    included.

    Give the other fields no defaults: a default that is met does not travel.
    """

    only: tuple[Seat, ...] | None = None


class BetPlaced(Event, frozen=True, kw_only=True):
    """A seat took a spot. `bet` numbers the bets of a game from 1; `odds` is what the spot
    promised, as shown."""

    bet: int
    seat: Seat
    spot: str
    stake: int
    odds: str


class BetSettled(Event, frozen=True, kw_only=True):
    """A bet was decided. `seat` and `spot` repeat its `bet_placed`; `payout` is what the settlement
    moved: above zero to the seat, below zero from it."""

    bet: int
    seat: Seat
    spot: str
    outcome: Literal["won", "lost"]
    payout: int


class BetVoided(Event, frozen=True, kw_only=True):
    """A bet was called off; `payout` is what went back to the seat."""

    bet: int
    payout: int
    reason: str


class Intervened(Event, frozen=True, kw_only=True):
    """Who runs the server did something about this game, for this reason. `by` is who, in no more
    than an opaque id; nobody: the server itself."""

    by: UUID | None
    reason: str


AnyServerEvent = BetVoided | Intervened
"""What may happen in any game besides the game's own events."""
