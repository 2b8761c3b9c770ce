"""Reserved seats: free, but kept for a user until they take it, decline it, or time runs out."""

from collections.abc import Sequence
from uuid import UUID

from games.lobbies.access import record
from games.models import Lobby
from games.reads.lobby_events import SeatReleased


def number_for(lobby: Lobby, user_id: UUID) -> int | None:
    """Return the number of the seat that is reserved for a user."""
    return next((number for number, holder in lobby.held.items() if holder == user_id), None)


def drop(lobby: Lobby, numbers: Sequence[int]) -> None:
    """Drop these reservations of a locked lobby, without events."""
    lobby.held_for = [
        None if number in numbers else holder for number, holder in enumerate(lobby.held_for)
    ]
    if not lobby.held:
        lobby.held_for, lobby.held_until = [], None
    lobby.save(update_fields=["held_for", "held_until"])


def release(lobby: Lobby, *numbers: int) -> None:
    """Drop these reservations of a locked lobby and record the events."""
    held = lobby.held
    if numbers:
        drop(lobby, numbers)
        for number in numbers:
            record(lobby, SeatReleased(seat=number, user=held[number]))
