"""What the server itself commits to a game's log, beside the commands of the game: one union for all games."""

import msgspec

from games.engine.events import snake_case


class ServerCommand(msgspec.Struct, frozen=True, tag=snake_case, tag_field="type"):
    """A step that no seat asked for."""


class Started(ServerCommand, frozen=True):
    """The first commit of every game: its deal."""


class Ticked(ServerCommand, frozen=True):
    """The clock answered this alarm."""

    alarm: int


class Paused(ServerCommand, frozen=True):
    """The server was away when this alarm fell due. The time lost is not charged to the players; nothing else changed."""

    alarm: int
    late_ms: int


class Voided(ServerCommand, frozen=True):
    """The game was called off: open bets are void, buy-ins go back."""

    reason: str


AnyServerCommand = Started | Ticked | Paused | Voided
