"""Secrets: what each viewer may see, and when."""

import msgspec
import pytest

from railbird_engine import RuleViolation, Seat
from railbird_engine.rules.quitte_ou_double.commands import ChooseLevel, LockAnswer, WriteAnswer
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble
from railbird_engine.rules.quitte_ou_double.view import QuitteOuDoubleView
from tests.rules.quitte_ou_double.scene import Game

PAIRS = QuitteOuDoubleOptions(team_count=4)
"""With eight seats, seats 1 and 5 are team 1."""


def seen(game: Game, viewer: int | None) -> QuitteOuDoubleView:
    return game.rules.view(game.state, None if viewer is None else Seat(viewer))


def written(answer: str) -> Game:
    """Team 1 has written this answer."""
    game = Game("175", seats=8, options=PAIRS)
    game.act(0, ChooseLevel(2))
    game.act(1, WriteAnswer(answer))
    return game


@pytest.mark.parametrize(("viewer", "answer"), [(None, None), (0, None), (1, "9.5"), (5, "9.5")])
def test_only_the_team_sees_its_answer_until_the_tiles_are_revealed(
    viewer: int | None, answer: str | None
) -> None:
    game = written("9.5")
    game.act(1, LockAnswer())
    view = seen(game, viewer)
    assert [team.answer for team in view.teams] == [None, answer, None, None]
    assert [team.locked for team in view.teams] == [False, True, False, False]
    assert (view.tiles, view.reveal) == ([], None)


@pytest.mark.parametrize("seat", [-1, 8, 11])
def test_a_seat_that_the_game_does_not_have_sees_no_answer(seat: int) -> None:
    game = written("9.5")
    for ask in (game.rules.view, game.rules.legal):
        with pytest.raises(RuleViolation, match="not_at_the_table"):
            ask(game.state, Seat(seat))


def test_hidden_bets_are_visible_to_their_own_team_until_the_answer_is_shown() -> None:
    options = QuitteOuDoubleOptions(hidden_bets=True, team_count=4)
    game = Game("175", seats=8, options=options).bet_on({0: "100"}).place(5, 1, 1)
    assert [event.only for event in game.step.events] == [(1, 5)]
    for viewer, hidden in ((None, True), (0, True), (1, False), (5, False)):
        assert (seen(game, viewer).teams[1].tokens is None) == hidden
    game.tick()
    assert seen(game, None).teams[1].tokens


def test_the_right_answer_is_in_no_view_before_it_is_shown() -> None:
    game = Game("175").bet_on({0: "100"})
    assert seen(game, 0).reveal is None
    game.tick()
    reveal = seen(game, None).reveal
    assert reveal is not None
    assert (reveal.answer, reveal.source) == ("175", "Our source")
    assert (reveal.paying_zones, reveal.gains) == ([1], [1, 0, 0, 0, 0, 0])


def test_the_book_holds_no_question() -> None:
    rules = QuitteOuDouble()
    book = msgspec.json.encode(rules.book()).decode()
    for card in rules.banks["house"].cards.values():
        assert not any(asked.fr in book or asked.en in book for asked in card)
