"""Players and bets of a game, for tests of histories."""

from typing import Any

from games.models import Bet, Game, Seat
from tests.api.rest import Caller


def player(game: Game, number: int = 0) -> Caller:
    return Caller(Seat.objects.select_related("user").get(lobby=game.lobby, number=number).user)


def placed(game: Game, number: int, **columns: Any) -> Bet:
    """Create a bet of the player in seat 0, as stored."""
    user = Seat.objects.get(lobby=game.lobby, number=0).user
    defaults = {
        "version": number,
        "seat": 0,
        "user": user,
        "spot": str(number),
        "stake": number,
        "odds": "1x",
        "drawn": 0,
    }
    return Bet(game=game, number=number, **{**defaults, **columns})
