"""Payouts and penalties of bets: rulebook, "Résoudre les paris", and worked examples of money."""

import pytest

from railbird_engine import Seat
from railbird_engine.rules.ready_set_bet.data.decks import BOX
from railbird_engine.rules.ready_set_bet.settlement import Bet, finish_of, settle, spot_wins
from railbird_engine.rules.ready_set_bet.vip_effects import NO_EFFECTS

FIVE_WINS = [9, 14, 15, 12, 11, 10, 8, 7, 6]
"""5 wins, 4 is second, 6 third, and 7 fourth."""


def bets(*placed: tuple[str, int]) -> list[Bet]:
    return [
        Bet(number, Seat(0), spot, token) for number, (spot, token) in enumerate(placed, start=1)
    ]


def payouts(positions: list[int], money: int, *placed: tuple[str, int]) -> list[int]:
    """By bet, in the order in which they were placed."""
    settled = settle(bets(*placed), money, finish_of(positions), NO_EFFECTS, BOX)
    decided = [each for each in settled if isinstance(each, Bet)]
    return [each.payout or 0 for each in sorted(decided, key=lambda each: each.bet)]


def wins(spot: str, positions: list[int]) -> bool:
    return spot_wins(BOX.spots[spot], finish_of(positions), BOX)


def test_a_five_on_the_best_spot_of_as_de_troie_gains_45() -> None:
    """The rulebook's example: 9 x 5."""
    assert payouts([15, 0, 0, 0, 0, 0, 0, 0, 0], 0, ("win:2/3:r", 5)) == [45]


def test_a_five_on_the_best_spot_of_as_de_troie_costs_2_when_lost() -> None:
    """The rulebook's example: the loss is printed, whatever the token."""
    assert payouts(FIVE_WINS, 10, ("win:2/3:r", 5)) == [-2]
    assert payouts(FIVE_WINS, 10, ("win:2/3:r", 2)) == [-2]


def test_a_spot_without_a_circle_costs_nothing() -> None:
    assert payouts(FIVE_WINS, 10, ("show:8:r", 5)) == [0]


def test_losses_stop_at_zero() -> None:
    """Money 3, losses 2 + 2 + 4; ruling 4.34."""
    assert payouts(FIVE_WINS, 3, ("win:2/3:l", 2), ("win:2/3:m", 3), ("show:2/3:l", 5)) == [
        -2,
        -1,
        0,
    ]


def test_gains_come_before_losses() -> None:
    """Money 0, gains 10, losses 8, leaves 2; ruling 4.35."""
    moved = payouts(FIVE_WINS, 0, ("show:2/3:l", 2), ("show:11/12:l", 3), ("win:5:r", 2))
    assert moved == [-4, -4, 10]
    assert sum(moved) == 2


@pytest.mark.parametrize(
    ("horse", "won"),
    [("5", ["win", "place", "show"]), ("4", ["place", "show"]), ("6", ["show"]), ("7", [])],
)
def test_the_winner_pays_on_all_the_second_on_place_the_third_on_show(
    horse: str, won: list[str]
) -> None:
    kinds = ("win", "place", "show")
    assert [kind for kind in kinds if wins(f"{kind}:{horse}:l", FIVE_WINS)] == won


def test_behind_a_tie_for_second_no_horse_shows() -> None:
    """Rulebook, "Paris Gagnant, Couplé et Trio"."""
    assert not wins("show:7:l", [12, 3, 15, 12, 11, 4, 5, 6, 7])


@pytest.mark.parametrize(
    ("winner", "colour"),
    [
        (0, "blue"),
        (1, "blue"),
        (2, "orange"),
        (3, "pink"),
        (4, None),
        (5, "pink"),
        (6, "orange"),
        (7, "blue"),
        (8, "blue"),
    ],
)
def test_a_coloured_bet_wins_with_the_winners_colour(winner: int, colour: str | None) -> None:
    """Rulebook, "Paris de couleur"."""
    positions = [3] * 9
    positions[winner] = 15
    won = [name for name in ("blue", "orange", "pink") if wins(f"colour:{name}", positions)]
    assert won == ([colour] if colour else [])


@pytest.mark.parametrize(
    ("positions", "won"),
    [
        (FIVE_WINS, False),
        ([12, 3, 15, 12, 11, 4, 5, 6, 7], False),
        ([15, 14, 13, 12, 11, 0, 0, 0, 0], True),
        ([15, 14, 13, 12, 11, 11, 0, 0, 0], True),
        ([0, 0, 0, 0, 15, 0, 0, 0, 0], False),
    ],
)
def test_black_wins_when_four_horses_are_strictly_ahead(positions: list[int], won: bool) -> None:
    """Rulebook, "Paris de couleur"."""
    assert wins("colour:black", positions) is won


def test_two_that_tie_for_fourth_are_both_fourth_for_black() -> None:
    """Ruling 4.9: only horses strictly ahead count."""
    assert not wins("colour:black", [15, 14, 13, 11, 11, 0, 0, 0, 0])
