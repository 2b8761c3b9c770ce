"""Allowed bets, spots and times: rulebook, "Placer des paris", and the rulings about it."""

import pytest

from railbird_engine import BetPlaced, Seat
from railbird_engine.rules.ready_set_bet.commands import PlaceBet
from tests.rules.ready_set_bet.scene import (
    SEVEN_WINS,
    THREE_CROSS,
    Scene,
    plain,
    refusal,
    running,
)


def test_a_bet_takes_its_spot_and_moves_no_money() -> None:
    scene = running()
    (placed,) = scene.bet(0, "win:2/3:r", 5)
    assert placed == BetPlaced(bet=1, seat=Seat(0), spot="win:2/3:r", stake=5, odds="9x -2")
    assert scene.state.tokens[0] == (2, 3, 3, 4)
    assert scene.money() == [0, 0, 0, 0, 0]


def test_a_spot_holds_one_token_whoever_owns_it() -> None:
    """Rulebook, "Placer des paris": first come, first served; ruling 4.7: the order of arrival
    decides."""
    scene = running()
    scene.bet(0, "win:7:r", 2)
    assert refusal(scene, 1, PlaceBet("win:7:r", 5)) == (
        "spot_taken",
        {"spot": "win:7:r", "seat": 0},
    )
    assert refusal(scene, 0, PlaceBet("win:7:r", 5)) == (
        "spot_taken",
        {"spot": "win:7:r", "seat": 0},
    )


def test_a_player_may_back_one_horse_on_several_spots() -> None:
    """The rulebook's violet player, three times on As de Troie."""
    scene = running()
    for spot, token in (("win:2/3:l", 2), ("win:2/3:m", 3), ("win:2/3:r", 3)):
        scene.bet(0, spot, token)
    assert scene.state.tokens[0] == (4, 5)


def test_each_token_is_placed_once() -> None:
    scene = running()
    scene.bet(0, "win:7:r", 3)
    scene.bet(0, "win:7:m", 3)
    assert refusal(scene, 0, PlaceBet("win:7:l", 3)) == (
        "no_such_token",
        {"token": 3, "left": [2, 4, 5]},
    )
    assert refusal(scene, 0, PlaceBet("win:7:l", 6)) == (
        "no_such_token",
        {"token": 6, "left": [2, 4, 5]},
    )


@pytest.mark.parametrize("spot", ["", "win:7", "win:7:x", "place:7:m", "colour:green", "WIN:7:R"])
def test_a_spot_that_is_not_on_the_board_is_unknown(spot: str) -> None:
    assert refusal(running(), 0, PlaceBet(spot, 2)) == ("unknown_spot", {"spot": spot})


@pytest.mark.parametrize("seat", [-1, 5])
def test_only_seats_of_the_table_bet(seat: int) -> None:
    assert refusal(running(5), seat, PlaceBet("win:7:r", 2)) == ("not_at_the_table", {"seat": seat})


# When


def test_bets_before_the_start_call_are_refused() -> None:
    """Ruling 4.6."""
    scene = Scene()
    assert refusal(scene, 0, PlaceBet("win:7:r", 2)) == (
        "race_not_running",
        {"race": 1, "phase": "paddock"},
    )
    scene.tick()
    scene.bet(0, "win:7:r", 2)


def test_a_bet_that_arrives_after_the_closing_roll_is_refused() -> None:
    """Rulebook, "Clôture des paris"; ruling 4.7: rolls and bets have one order."""
    scene = running()
    scene.roll(*THREE_CROSS[:-1])
    scene.bet(0, "win:7:r", 2)
    scene.roll(THREE_CROSS[-1])
    assert refusal(scene, 1, PlaceBet("win:8:r", 2)) == (
        "betting_closed",
        {"race": 1, "crossed": 3},
    )


def test_bets_on_a_finished_race_are_refused() -> None:
    """Rulebook, "Fin de la course": the finish closes the bets even if no closing was called."""
    scene = running()
    scene.roll(*SEVEN_WINS)
    assert refusal(scene, 0, PlaceBet("win:7:r", 2)) == (
        "race_not_running",
        {"race": 1, "phase": "finished"},
    )


def test_bets_after_the_end_of_the_game_are_refused() -> None:
    scene = running(options=plain(races=1))
    scene.roll(*SEVEN_WINS)
    assert refusal(scene, 0, PlaceBet("win:7:r", 2)) == ("game_over", {"races": 1})


# Small and large tables


@pytest.mark.parametrize(
    ("seats", "closed", "still_open"),
    [
        (
            2,
            ["win:7:l", "place:7:l", "show:7:l"],
            ["win:7:m", "place:7:r", "show:7:r", "colour:blue"],
        ),
        (3, ["win:7:l", "place:7:l"], ["win:7:m", "place:7:r", "show:7:l", "colour:black"]),
        (4, ["win:7:l"], ["win:7:m", "place:7:l", "show:7:l", "colour:pink"]),
        (5, [], ["win:7:l", "place:7:l", "show:7:l", "colour:orange"]),
    ],
)
def test_a_small_table_leaves_columns_empty(
    seats: int, closed: list[str], still_open: list[str]
) -> None:
    """Rulebook, "Variantes à 2, 3 et 4 joueurs"; rulings 4.19 and 4.22."""
    scene = running(seats)
    for spot in closed:
        code, data = refusal(scene, 0, PlaceBet(spot, 2))
        assert (code, data["players"]) == ("column_closed", seats)
    for spot, token in zip(still_open, (2, 3, 4, 5), strict=True):
        scene.bet(0, spot, token)


def test_the_host_may_open_all_columns_to_a_small_table() -> None:
    """The rulebook only advises to close them."""
    running(2, plain(few_close_columns=False)).bet(0, "win:7:l", 2)


@pytest.mark.parametrize(
    ("seats", "tokens"), [(6, (2, 3, 3, 4, 5)), (7, (2, 3, 4, 5)), (8, (2, 3, 4, 5))]
)
def test_seven_and_eight_players_leave_a_three_in_the_box(
    seats: int, tokens: tuple[int, ...]
) -> None:
    """Rulebook, "Mise en place", step 9; ruling 4.22."""
    assert running(seats).state.tokens == (tokens,) * seats


def test_the_host_may_leave_all_tokens_to_a_large_table() -> None:
    assert running(8, plain(many_drop_a_token=False)).state.tokens[7] == (2, 3, 3, 4, 5)
