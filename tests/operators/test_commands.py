"""`manage.py verify_game`: operators check a game in a terminal."""

from uuid import uuid4

from tests.builders import NewGame
from tests.commands import managed
from tests.moves import take


def test_a_game_is_verified_in_a_terminal(new_game: NewGame) -> None:
    game = new_game()
    take(game, 5)
    checked = managed("verify_game", str(game.id))
    assert (checked.returncode, "history verified" in checked.stdout) == (0, True)


def test_a_game_that_does_not_exist_cannot_be_verified() -> None:
    checked = managed("verify_game", str(uuid4()))
    assert (checked.returncode, checked.stderr.count("\n")) == (1, 1)
    assert "not_found" in checked.stderr
