"""Moves of users, and games that this process loads again."""

from uuid import uuid4

import msgspec

from games.models import Game
from games.play import service
from games.store.loaded_games import loaded_games
from kit import event_loop
from railbird_engine import Seat


def play(game: Game, seat: int, command: object) -> None:
    """Play a command, which is one of the rules or has its fields, as the user of a seat does."""
    event_loop.call(service.play(game.id, Seat(seat), msgspec.json.encode(command), uuid4()))


def take(game: Game, spot: int, seat: int = 0, *, by_bot: bool = False) -> int:
    """Take a spot of the load game for a seat, and return the version of the commit."""
    command = b'{"type":"take_spot","spot":%d}' % spot
    return event_loop.call(
        service.play(game.id, Seat(seat), command, uuid4(), by_bot=by_bot)
    ).version


def take_in_turn(game: Game, spot: int, seats: int = 2) -> int:
    """Take a spot for the seat whose turn it is if all spots are taken in order."""
    return take(game, spot, spot % seats)


def forget(game: Game) -> None:
    """Forget a game as a process does that restarts."""

    async def drop() -> None:
        loaded_games().forget(game.id)

    event_loop.call(drop())
