"""Games to damage, and statements that do it, each with the version that is then refused."""

from games.models import Game
from tests.builders import NewGame
from tests.moves import take_in_turn

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


def played(new_game: NewGame, spots: int = 4) -> Game:
    """A game at version `spots + 1`."""
    game = new_game(2)
    for spot in range(spots):
        take_in_turn(game, spot % 68)
    return game
