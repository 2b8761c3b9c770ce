"""What happens in a room, from its opening to the talk after the game: one union, numbered per
lobby. None of it is hashed."""

from typing import ClassVar, Literal
from uuid import UUID

import msgspec

from games.engine.events import snake_case

Departure = Literal["left", "kicked", "banned", "timed_out"]


class Happening(msgspec.Struct, frozen=True, kw_only=True, tag=snake_case, tag_field="type"):
    """A fact about a room."""

    listed: ClassVar[bool] = True
    """Whether those hear of it who look for a table."""


class LobbyOpened(Happening, frozen=True, kw_only=True):
    """Somebody opened the lobby and hosts it."""

    user: UUID


class SatDown(Happening, frozen=True, kw_only=True):
    """A person took a seat, or a bot: then there is no user."""

    seat: int
    user: UUID | None


class StoodUp(Happening, frozen=True, kw_only=True):
    """A seat is empty again, and why. A buy-in has gone back."""

    seat: int
    user: UUID | None
    reason: Departure


class ReadinessSaid(Happening, frozen=True, kw_only=True):
    """Somebody is ready to start, or is not any more."""

    seat: int
    ready: bool


class SeatsSwapped(Happening, frozen=True, kw_only=True):
    """Who sat in one of these seats sits in the other; one of them may have been empty."""

    seats: tuple[int, int]


class HostChanged(Happening, frozen=True, kw_only=True):
    """Another person hosts the lobby."""

    user: UUID


class GameStarted(Happening, frozen=True, kw_only=True):
    """The lobby became a game. Seats are numbered as the game numbers them."""

    game: UUID


class LobbyClosed(Happening, frozen=True, kw_only=True):
    """Nobody is left: the lobby will not become a game."""


class Said(Happening, frozen=True, kw_only=True):
    """Somebody said something, under an id of their choice."""

    listed = False

    user: UUID
    id: UUID
    text: str


class Forgotten(Happening, frozen=True, kw_only=True):
    """Somebody said something here; what, and who, is not kept any more."""

    listed = False


class Banned(Happening, frozen=True, kw_only=True):
    """Somebody may neither sit down nor talk here any more, whether or not they ever came."""

    listed = False

    user: UUID


class Unbanned(Happening, frozen=True, kw_only=True):
    """Somebody may come again."""

    listed = False

    user: UUID


class Muted(Happening, frozen=True, kw_only=True):
    """Somebody may not talk here any more."""

    listed = False

    user: UUID


class Unmuted(Happening, frozen=True, kw_only=True):
    """Somebody may talk here again."""

    listed = False

    user: UUID


class RematchOpened(Happening, frozen=True, kw_only=True):
    """Somebody who sat here opened another lobby for the same table, in which seats are kept for
    the others."""

    user: UUID
    lobby: UUID


class SeatReleased(Happening, frozen=True, kw_only=True):
    """A seat is not kept for a person any more, who did not come."""

    seat: int
    user: UUID


AnyHappening = (
    LobbyOpened
    | SatDown
    | StoodUp
    | ReadinessSaid
    | SeatsSwapped
    | HostChanged
    | GameStarted
    | LobbyClosed
    | Said
    | Forgotten
    | Banned
    | Unbanned
    | Muted
    | Unmuted
    | RematchOpened
    | SeatReleased
)
