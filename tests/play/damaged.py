"""Games to damage, and statements that do it, each with the version that is then refused."""

from uuid import uuid4

from games.models import Game
from games.play import service
from games.store.loaded_games import loaded_games
from kit import event_loop
from railbird_engine import Seat
from tests.builders import NewGame

CHANGES = {
    "body": ("UPDATE games_commit SET body = set_byte(body, 40, get_byte(body, 40) # 1) "
             "WHERE game_id = %(game)s AND version = 3", 3),
    "hash": ("UPDATE games_commit SET hash = sha256(hash) "
             "WHERE game_id = %(game)s AND version = 3", 3),
    "missing": ("DELETE FROM games_commit WHERE game_id = %(game)s AND version = 3", 3),
    "first": ("DELETE FROM games_commit WHERE game_id = %(game)s AND version = 1", 1),
    "last": ("DELETE FROM games_commit WHERE game_id = %(game)s AND version = 5", 5),
    "head": ("UPDATE games_head SET hash = sha256(hash) WHERE game_id = %(game)s", 5),
    "gap": ("UPDATE games_commit SET version = 60 WHERE game_id = %(game)s AND version = 5", 5),
}  # fmt: skip


def take(game: Game, spot: int) -> int:
    command = b'{"type":"take_spot","spot":%d}' % (spot % 68)
    return event_loop.call(service.play(game.id, Seat(spot % 2), command, uuid4())).version


def played(new_game: NewGame, spots: int = 4) -> Game:
    """A game at version `spots + 1`."""
    game = new_game(2)
    for spot in range(spots):
        take(game, spot)
    return game


async def _forget(game: Game) -> None:
    loaded_games().forget(game.id)


def forget(game: Game) -> None:
    """Forget a game as a process does that restarts."""
    event_loop.call(_forget(game))
