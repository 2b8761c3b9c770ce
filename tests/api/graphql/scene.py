"""The players of a game."""

from accounts.models import User
from games.models import Game, Seat


def player(game: Game, number: int = 0) -> User:
    user = Seat.objects.select_related("user").get(lobby=game.lobby, number=number).user
    assert user is not None
    return user
