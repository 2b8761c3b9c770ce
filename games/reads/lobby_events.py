"""Events of a lobby over its whole life: one union, numbered per lobby. They are not hashed."""

from datetime import datetime
from typing import ClassVar, Literal
from uuid import UUID

import msgspec

from railbird_engine.kernel.events import snake_case

Audience = Literal["everyone", "team"]
"""All who see the lobby; or only the players who were in the team of the author."""

Departure = Literal["left", "kicked", "banned", "timed_out"]


class LobbyFact(msgspec.Struct, frozen=True, kw_only=True, tag=snake_case, tag_field="type"):
    """A fact about a lobby."""

    listed: ClassVar[bool] = True
    """Whether followers of lobby lists are notified."""


class LobbyOpened(LobbyFact, frozen=True, kw_only=True):
    """The lobby was created; `user` hosts it."""

    user: UUID


class SeatTaken(LobbyFact, frozen=True, kw_only=True):
    """A user took a seat; without a user, a bot did."""

    seat: int
    user: UUID | None


class SeatLeft(LobbyFact, frozen=True, kw_only=True):
    """A seat became free, for this reason. Its buy-in was returned."""

    seat: int
    user: UUID | None
    reason: Departure


class ReadyChanged(LobbyFact, frozen=True, kw_only=True):
    """A seat became ready to start, or is no longer ready."""

    seat: int
    ready: bool


class EntropyCommitted(LobbyFact, frozen=True, kw_only=True):
    """A seat committed to entropy; the commitment is in hex."""

    seat: int
    commitment: str


class EntropyRevealed(LobbyFact, frozen=True, kw_only=True):
    """A seat revealed its entropy, which is secret until the start."""

    seat: int


Stage = Literal["", "committing", "revealing", "beginning"]


class StartDue(LobbyFact, frozen=True, kw_only=True):
    """The start waits, until this time at most: for commitments of players while the `stage` is
    empty; for the log, which fixes all seats and commitments (`committing`); for players who reveal
    their entropy (`revealing`); for the log and the game (`beginning`). Without a time, the lobby
    waits for players again."""

    by: datetime | None
    stage: Stage


class AttemptAbandoned(LobbyFact, frozen=True, kw_only=True):
    """A start was given up after the seats were frozen: players commit again. `missing` are the
    seats that did not reveal their entropy in time. The log knows the next attempt by this name."""

    log_name: UUID
    missing: tuple[int, ...]


class SeatsSwapped(LobbyFact, frozen=True, kw_only=True):
    """Two seats swapped places; one of them may have been empty."""

    seats: tuple[int, int]


class ColourChanged(LobbyFact, frozen=True, kw_only=True):
    """A seat has another colour: a place in `seat_colours` of the game's book."""

    seat: int
    colour: int


class HostChanged(LobbyFact, frozen=True, kw_only=True):
    """Another user became the host."""

    user: UUID


class GameStarted(LobbyFact, frozen=True, kw_only=True):
    """The game started. Seats are numbered as the game numbers them."""

    game: UUID


class LobbyClosed(LobbyFact, frozen=True, kw_only=True):
    """The lobby closed without a game because its last player left."""


class TitleChanged(LobbyFact, frozen=True, kw_only=True):
    """An operator changed the title of the lobby."""

    title: str


class MessageSent(LobbyFact, frozen=True, kw_only=True):
    """A user sent a chat message, under an id of their choice, to everyone or to their team."""

    listed = False

    user: UUID
    id: UUID
    text: str
    audience: Audience = "everyone"


class MessageHidden(LobbyFact, frozen=True, kw_only=True):
    """A chat message to a team to which the reader did not belong, or an event that this server
    cannot read."""

    listed = False


class MessageErased(LobbyFact, frozen=True, kw_only=True):
    """A chat message whose text and author are no longer stored."""

    listed = False


class Banned(LobbyFact, frozen=True, kw_only=True):
    """A user was banned from the lobby."""

    listed = False

    user: UUID


class Unbanned(LobbyFact, frozen=True, kw_only=True):
    """A ban was lifted."""

    listed = False

    user: UUID


class Muted(LobbyFact, frozen=True, kw_only=True):
    """A user was muted in this lobby."""

    listed = False

    user: UUID


class Unmuted(LobbyFact, frozen=True, kw_only=True):
    """A user was unmuted in this lobby."""

    listed = False

    user: UUID


class RematchOpened(LobbyFact, frozen=True, kw_only=True):
    """A player created a lobby for a rematch, with seats reserved for the other players."""

    user: UUID
    lobby: UUID


class SeatReleased(LobbyFact, frozen=True, kw_only=True):
    """A seat is no longer reserved for a user who did not return."""

    seat: int
    user: UUID


AnyLobbyFact = (
    LobbyOpened
    | SeatTaken
    | SeatLeft
    | ReadyChanged
    | SeatsSwapped
    | ColourChanged
    | EntropyCommitted
    | EntropyRevealed
    | StartDue
    | AttemptAbandoned
    | HostChanged
    | GameStarted
    | LobbyClosed
    | TitleChanged
    | MessageSent
    | MessageHidden
    | MessageErased
    | Banned
    | Unbanned
    | Muted
    | Unmuted
    | RematchOpened
    | SeatReleased
)
