"""The legal commands of each phase."""

from railbird_engine import Seat
from railbird_engine.rules.quitte_ou_double.commands import (
    ChooseLevel,
    LockAnswer,
    LockBets,
    NextQuestion,
    PlaceToken,
    QuitteOuDoubleCommand,
    WriteAnswer,
)
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from tests.rules.quitte_ou_double.scene import Game

PAIRS = QuitteOuDoubleOptions(team_count=4, captain_locks=True)
"""With eight seats, seats 1 and 5 are team 1; seat 1 is its captain."""


def legal(game: Game, seat: int) -> list[QuitteOuDoubleCommand]:
    return list(game.rules.legal(game.state, Seat(seat)))


def kinds(game: Game, seat: int) -> set[type[QuitteOuDoubleCommand]]:
    return {type(command) for command in legal(game, seat)}


def test_only_the_presenter_chooses_the_level_and_asks_for_the_next_question() -> None:
    game = Game("175")
    assert legal(game, 0) == [ChooseLevel(1), ChooseLevel(2), ChooseLevel(3)]
    assert legal(game, 1) == []
    game.bet_on({0: "100"}).tick()
    assert legal(game, 0) == [NextQuestion()]
    assert legal(game, 1) == []


def test_an_answer_can_be_locked_once_it_is_written() -> None:
    game = Game("175", seats=8, options=PAIRS)
    game.act(0, ChooseLevel(1))
    assert kinds(game, 1) == {WriteAnswer}
    game.act(5, WriteAnswer("7"))
    assert kinds(game, 1) == {WriteAnswer, LockAnswer}
    assert kinds(game, 5) == {WriteAnswer}, "only the captain locks"
    game.act(1, LockAnswer())
    assert kinds(game, 1) == kinds(game, 5) == set()


def test_stakes_are_listed_as_nothing_half_and_all() -> None:
    game = Game("175").bet_on({0: "100"}, round_number=7, held={2: 5})
    assert {c.stake for c in legal(game, 2) if isinstance(c, PlaceToken)} == {0, 2, 5}
    game.place(2, 1, 0, 4)
    second = [c for c in legal(game, 2) if isinstance(c, PlaceToken) and c.token == 2]
    assert {c.stake for c in second} == {0, 1}


def test_bets_can_be_locked_once_both_tokens_are_placed() -> None:
    game = Game("175").bet_on({0: "100"}).place(2, 1, 0)
    assert LockBets() not in legal(game, 2)
    game.place(2, 2, 0)
    assert LockBets() in legal(game, 2)
