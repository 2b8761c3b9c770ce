"""Teams, roles and the options that settle them."""

import pytest

from railbird_engine import BANK, RuleViolation, ScriptedChance
from railbird_engine.rules.quitte_ou_double.events import GameOpened
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.teams import assign_teams
from tests.rules.quitte_ou_double.scene import DEFAULTS, Game, bank


@pytest.mark.parametrize(
    ("seats", "team_count", "sizes"),
    [
        (20, 6, [4, 4, 3, 3, 3, 3]),
        (4, 3, [2, 1, 1]),
        (4, None, [1, 1, 1, 1]),
        (7, None, [2, 1, 1, 1, 1, 1]),
        (20, 3, [7, 7, 6]),
    ],
)
def test_teams_are_as_equal_as_possible(
    seats: int, team_count: int | None, sizes: list[int]
) -> None:
    """Rulebook, "Mise en place"."""
    teams = assign_teams(seats, QuitteOuDoubleOptions(team_count=team_count))
    assert [teams.count(team) for team in range(len(sizes))] == sizes


def test_a_host_may_form_the_teams() -> None:
    assert assign_teams(5, QuitteOuDoubleOptions(teams=(0, 0, 1, 1, 2))) == [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (QuitteOuDoubleOptions(teams=(0, 1, 2)), "teams_do_not_fit_seats"),
        (QuitteOuDoubleOptions(teams=(0, 0, 1, 1, 1)), "wrong_number_of_teams"),
        (QuitteOuDoubleOptions(teams=(0, 0, 1, 1, 2), team_count=4), "wrong_number_of_teams"),
        (QuitteOuDoubleOptions(teams=(0, 0, 1, 1, 3)), "team_left_out"),
        (QuitteOuDoubleOptions(teams=(0, 0, 0, 1, 2)), "teams_not_balanced"),
        (QuitteOuDoubleOptions(team_count=6), "wrong_number_of_teams"),
        (QuitteOuDoubleOptions(presenter=5), "no_such_seat"),
        (QuitteOuDoubleOptions(banker=5), "no_such_seat"),
        (QuitteOuDoubleOptions(presenter=1, banker=1), "presenter_is_banker"),
        (QuitteOuDoubleOptions(bank="mine"), "unknown_bank"),
    ],
)
def test_teams_and_roles_that_do_not_fit_are_refused(
    options: QuitteOuDoubleOptions, code: str
) -> None:
    with pytest.raises(RuleViolation) as caught:
        Game("175", seats=5, options=options)
    assert caught.value.code == code


@pytest.mark.parametrize("seats", [3, 21])
def test_four_to_twenty_players_play(seats: int) -> None:
    """Ruling Q19."""
    with pytest.raises(RuleViolation, match="wrong_number_of_seats"):
        Game("175").rules.start(seats, DEFAULTS, ScriptedChance([]))


def test_the_game_opens_with_empty_purses_and_names_its_bank() -> None:
    game = Game("175", seats=5, options=QuitteOuDoubleOptions(team_count=3, presenter=4))
    assert game.state.purses == {
        BANK: 0,
        **{f"seat:{seat}": 0 for seat in range(5)},
        "team:0": 0,
        "team:1": 0,
        "team:2": 0,
    }
    (opened,) = game.step.events
    assert isinstance(opened, GameOpened)
    assert opened.teams == [[0, 3], [1, 4], [2]]
    assert (opened.presenter, opened.banker, opened.bank) == (4, 1, "house")
    assert opened.bank_sha256 == bank("175").sha256
