"""Bots wait for the pause that their game requires after the newest commit."""

from games.models import Game, Head
from games.play import absence
from kit import event_loop
from railbird_engine import Seat
from tests.builders import NewGame
from tests.looks import bots_look
from tests.waiting import until


def with_a_bot(game: Game) -> Game:
    assert event_loop.call(absence.replace(game.id, Seat(1), forfeits=False))
    return game


def version_after_a_look(game: Game) -> int:
    bots_look(game.id)
    return Head.objects.get(game=game).version


def test_a_bot_waits_so_that_a_user_can_act_first(new_game: NewGame) -> None:
    game = with_a_bot(new_game(slug="set_dice", bots="casual"))
    before = Head.objects.get(game=game).version
    assert {version_after_a_look(game) for _ in range(10)} == {before}


def test_a_bot_acts_once_the_pause_is_over(new_game: NewGame) -> None:
    game = with_a_bot(new_game(slug="set_dice", bots="expert", opening_s=1))
    before = Head.objects.get(game=game).version
    until(lambda: version_after_a_look(game) > before, "the bot to act")
