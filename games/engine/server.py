"""What the server itself commits to a game's log, beside the commands of the game: one union for
all games."""

from uuid import UUID

import msgspec

from games.engine.events import snake_case
from games.engine.money import Seat


class ServerCommand(
    msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True
):
    """A step that no seat asked for."""


class Started(ServerCommand, frozen=True):
    """The first commit of every game: its deal."""


class Ticked(ServerCommand, frozen=True):
    """The clock answered this alarm."""

    alarm: int


class Paused(ServerCommand, frozen=True):
    """The server was away when this alarm fell due. The time lost is not charged to the players;
    nothing else changed."""

    alarm: int
    late_ms: int


class SeatReplaced(ServerCommand, frozen=True):
    """The person in this seat has gone: a bot plays on for them, until they return or, when the
    seat forfeits, to the end."""

    seat: int
    forfeits: bool


class SeatReturned(ServerCommand, frozen=True):
    """The person is back, and plays again."""

    seat: int


class Voided(ServerCommand, frozen=True):
    """The game was called off, even after it had ended: open bets are void, buy-ins go back."""

    reason: str
    by: UUID | None = None


class VoidedBet(ServerCommand, frozen=True):
    """One bet was called off. What is said of the bet is what the log says: `payout` when it was
    settled already."""

    bet: int
    seat: Seat
    stake: int
    payout: int | None
    reason: str
    by: UUID


class Annotated(ServerCommand, frozen=True):
    """A note for whoever reads this history; nothing else changed."""

    reason: str
    by: UUID


AnyServerCommand = (
    Started | Ticked | Paused | SeatReplaced | SeatReturned | Voided | VoidedBet | Annotated
)
