"""`manage.py intervene` and `verify_game`: operators act, and check a game, in a terminal."""

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest

from accounts.models import User
from games.models import Game, Head, OperatorAction
from tests.commands import managed
from tests.moves import take

REASON = "two tables were mixed up"


@pytest.fixture
def operator(new_user: Callable[[], User]) -> str:
    user = new_user()
    User.objects.filter(id=user.id).update(is_staff=True)
    return str(user.username)


@pytest.fixture
def game(new_game: Callable[..., Game]) -> Game:
    """A game with an open bet."""
    game = new_game()
    take(game, 5)
    return game


def intervene(action: str, game: UUID, by: str, *options: str) -> tuple[int, str]:
    done = managed("intervene", action, str(game), f"--reason={REASON}", f"--by={by}", *options)
    return done.returncode, (done.stdout + done.stderr).strip()


def test_an_operator_adds_notes_and_voids_in_a_terminal(game: Game, operator: str) -> None:
    assert intervene("annotate", game.id, operator) == (0, "done")
    assert intervene("void_bet", game.id, operator, "--bet=1") == (0, "done")
    assert intervene("void_game", game.id, operator) == (0, "done")
    assert Head.objects.get(game=game).ended == Head.Ended.VOIDED
    actions = OperatorAction.objects.filter(operator__username=operator)
    assert {action.reason for action in actions} == {REASON}
    assert len(actions) == 3
    checked = managed("verify_game", str(game.id))
    assert (checked.returncode, "history verified" in checked.stdout) == (0, True)


def test_an_invalid_intervention_is_refused_in_one_line(
    game: Game, operator: str, new_user: Callable[[], User]
) -> None:
    somebody = new_user().username
    for action, where, by, options, reason in (
        ("annotate", game.id, somebody, [], f"{somebody} is not a member of staff"),
        ("annotate", game.id, operator, ["--bet=1"], "--bet is required for void_bet"),
        ("void_bet", game.id, operator, [], "--bet is required for void_bet"),
        ("annotate", uuid4(), operator, [], "not_found"),
    ):
        code, said = intervene(action, where, by, *options)
        assert (code, said.count("\n")) == (1, 0)
        assert reason in said
    assert not OperatorAction.objects.filter(operator__username=operator).exists()


def test_a_game_that_does_not_exist_cannot_be_verified() -> None:
    checked = managed("verify_game", str(uuid4()))
    assert (checked.returncode, checked.stderr.count("\n")) == (1, 1)
    assert "not_found" in checked.stderr
