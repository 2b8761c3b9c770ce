"""Commands that the server itself commits to a game's log: one union for all games."""

from uuid import UUID

import msgspec

from railbird_engine.kernel.events import snake_case
from railbird_engine.kernel.money import Seat


class ServerCommand(
    msgspec.Struct, frozen=True, tag=snake_case, tag_field="type", forbid_unknown_fields=True
):
    """A step that no seat requested."""


class Started(ServerCommand, frozen=True):
    """The first commit of every game: the deal."""


class Ticked(ServerCommand, frozen=True):
    """The clock answered this alarm."""

    alarm: int


class Paused(ServerCommand, frozen=True):
    """The server was not running when this alarm fell due, or all whom a slow game awaits were on
    vacation.

    The lost time is not charged to the players; nothing else changed.
    """

    alarm: int
    late_ms: int


class SeatReplaced(ServerCommand, frozen=True):
    """The player of this seat left; a bot plays for them.

    The bot plays until the player returns or, if the seat forfeits, to the end.
    """

    seat: int
    forfeits: bool


class SeatReturned(ServerCommand, frozen=True):
    """The player returned and plays again."""

    seat: int


class Voided(ServerCommand, frozen=True):
    """The game was voided, possibly after its end: open bets are void, buy-ins go back."""

    reason: str
    by: UUID | None = None


class VoidedBet(ServerCommand, frozen=True):
    """One bet was voided. `payout` is set if it was settled already; all fields repeat the log."""

    bet: int
    seat: Seat
    stake: int
    payout: int | None
    reason: str
    by: UUID


class Annotated(ServerCommand, frozen=True):
    """A note for readers of this history; nothing else changed."""

    reason: str
    by: UUID


AnyServerCommand = (
    Started | Ticked | Paused | SeatReplaced | SeatReturned | Voided | VoidedBet | Annotated
)
