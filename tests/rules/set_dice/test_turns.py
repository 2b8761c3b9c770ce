"""Placing dice, counting SETs, Wilds and bonus squares."""

import pytest

from railbird_engine.rules.set_dice.commands import (
    CallSet,
    NamedDie,
    PassTurn,
    PlaceDice,
    ReplaceWild,
)
from railbird_engine.rules.set_dice.events import DicePlaced, DiceThrown, TurnPassed, WildReplaced
from railbird_engine.rules.set_dice.state import BoardDie, Die
from tests.rules.set_dice.scene import (
    IDLE,
    LINE,
    WITH_WILD,
    act,
    at,
    kinds,
    refusal,
    score,
    table,
    tick,
)


def test_the_rulebooks_example_scores_six_and_three_and_three() -> None:
    """Rulebook, "Exemple": two SETs with the first die, one with each further die, twelve points.

    The two purple ovals make no SET downwards, which is allowed.
    """
    board = {
        (5, 3): "P2O",
        (5, 4): "R2O",
        (3, 5): "G3O",
        (4, 5): "G1O",
        (3, 6): "R1D",
        (4, 6): "R3S",
    }
    state = table(("G2O", "G3O", "P2O", "R1D", "R1D"), IDLE, board=board)
    first, second, third = at(1, 5, 5), at(2, 6, 5), at(3, 5, 6)
    assert score(act(state, 0, PlaceDice((first,))).state, 0) == 6
    assert score(act(state, 0, PlaceDice((first, second))).state, 0) == 9
    step = act(state, 0, PlaceDice((first, second, third)))
    assert score(step.state, 0) == 12
    (event,) = step.events
    assert isinstance(event, DicePlaced)
    assert [(one.squares, one.points) for one in event.sets] == [
        ([[5, 3], [5, 4], [5, 5]], 3),
        ([[5, 4], [5, 5], [5, 6]], 3),
        ([[3, 5], [4, 5], [5, 5]], 3),
        ([[4, 5], [5, 5], [6, 5]], 3),
    ]
    assert step.state.on_turn == 1


def test_an_ordinary_set_is_worth_three() -> None:
    step = act(table(("R1O", "G1D"), IDLE), 0, PlaceDice((at(1, 5, 7),)))
    assert score(step.state, 0) == 3
    assert [transfer.reason for transfer in step.transfers] == ["sets"]


def test_a_die_without_a_set_is_named_with_its_lines_and_what_breaks_them() -> None:
    violation = refusal(table(("R1O", "G1O"), IDLE), 0, PlaceDice((at(1, 5, 7), at(2, 5, 8))))
    assert violation.code == "die_makes_no_set"
    assert violation.data == {
        "die": 2,
        "face": "G1O",
        "square": [5, 8],
        "lines": [
            {
                "squares": [[5, 6], [5, 7], [5, 8]],
                "faces": ["R3O", "R1O", "G1O"],
                "broken": ["colour", "number"],
            }
        ],
    }


@pytest.mark.parametrize(
    ("row", "column", "why"),
    [(4, 7, "a diagonal is no line"), (6, 6, "round a corner is no line"), (0, 0, "far away")],
)
def test_a_die_in_no_line_makes_no_set(row: int, column: int, why: str) -> None:
    """Rulebook E: across or down only."""
    violation = refusal(table(("R1O", "G1D"), IDLE), 0, PlaceDice((at(1, row, column),)))
    assert (violation.code, violation.data["lines"]) == ("die_makes_no_set", []), why


@pytest.mark.parametrize(
    ("placements", "code"),
    [
        ((), "no_dice_named"),
        ((at(1, 5, 7), at(2, 5, 3), at(3, 4, 4), at(4, 6, 4)), "too_many_dice"),
        ((at(1, 5, 7), at(1, 5, 3)), "die_named_twice"),
        ((at(6, 5, 7),), "die_not_in_hand"),
        ((at(1, 5, 6),), "square_taken"),
        ((at(1, 5, 7), at(2, 5, 7)), "square_named_twice"),
        ((at(1, 5, 11),), "square_off_board"),
        ((at(1, 11, 7),), "square_off_board"),
        ((at(1, 5, -1),), "square_off_board"),
        ((at(1, -1, 7),), "square_off_board"),
        ((at(5, 5, 7),), "wild_needs_a_face"),
        ((at(1, 5, 7, "R1O"),), "die_is_not_wild"),
    ],
)
def test_placements_name_own_dice_and_empty_squares(
    placements: tuple[object, ...], code: str
) -> None:
    """Ruling D18: no die leaves the board."""
    state = table(("R1O", "R3O", "R1O", "R1O", "WILD"), IDLE)
    assert refusal(state, 0, PlaceDice(placements)).code == code  # type: ignore[arg-type]  # parametrize forgets the type


def test_only_the_active_player_plays() -> None:
    violation = refusal(table(IDLE, IDLE), 1, PassTurn())
    assert (violation.code, violation.data) == ("not_your_turn", {"seat": 1, "on_turn": 0})
    assert (
        refusal(table(IDLE, IDLE), 0, CallSet((NamedDie(1), NamedDie(2), NamedDie(3)))).code
        == "wrong_phase"
    )


def test_every_seat_may_pass_and_the_clock_passes_for_absent_players() -> None:
    """Rulebook F."""
    state = table(("R1O", "G1D"), IDLE, IDLE)
    chosen, timed_out = act(state, 0, PassTurn()), tick(state)
    assert chosen.events == (TurnPassed(seat=0, timed_out=False),)  # type: ignore[arg-type]  # a literal seat
    assert timed_out.events == (TurnPassed(seat=0, timed_out=True),)  # type: ignore[arg-type]  # a literal seat
    assert chosen.state.on_turn == timed_out.state.on_turn == 1


# Bonus squares


def test_the_first_die_on_a_numbered_square_earns_its_number() -> None:
    """Rulebook, "Cases bonus": square (5,8) bears 2."""
    board = {**LINE, (5, 7): "R1O"}
    step = act(table(("R2O", "G1D"), IDLE, board=board), 0, PlaceDice((at(1, 5, 8),)))
    assert score(step.state, 0) == 3 + 2
    assert [(transfer.amount, transfer.reason) for transfer in step.transfers] == [
        (3, "sets"),
        (2, "bonus"),
    ]


def test_a_wild_earns_the_bonus_too() -> None:
    board = {**LINE, (5, 7): "R1O"}
    step = act(table(("WILD", "G1D"), IDLE, board=board), 0, PlaceDice((at(1, 5, 8, "R2O"),)))
    assert score(step.state, 0) == 2 + 2


def test_a_set_through_an_old_bonus_square_earns_no_second_bonus() -> None:
    board = {**LINE, (5, 7): "R1O", (5, 8): "R2O"}
    step = act(table(("R3O", "G1D"), IDLE, board=board), 0, PlaceDice((at(1, 5, 9),)))
    assert score(step.state, 0) == 3


# Wild dice


def test_a_wild_counts_nothing_in_the_turn_that_places_it_and_one_later() -> None:
    """Rulebook, "Resultats": R1O on (5,7) beside a Wild at (5,5) laid earlier: three points."""
    wild = act(table(("WILD", "G1D"), IDLE), 0, PlaceDice((at(1, 5, 7, "R1O"),))).state
    assert score(wild, 0) == 2
    later = table(("R1O", "G1D"), IDLE, board={**LINE, (5, 5): "R2O*"})
    assert score(act(later, 0, PlaceDice((at(1, 5, 7),))).state, 0) == 3


def test_any_number_of_wilds_may_be_played() -> None:
    placements = (at(1, 5, 7, "R1O"), at(2, 6, 7, "G2D"), at(3, 7, 7, "P3S"))
    step = act(table(("WILD", "WILD", "WILD"), IDLE), 0, PlaceDice(placements))
    assert score(step.state, 0) == 2 + 0 + 3


def test_the_announced_face_must_make_the_set() -> None:
    violation = refusal(table(("WILD", "G1D"), IDLE), 0, PlaceDice((at(1, 5, 7, "R2O"),)))
    assert violation.code == "die_makes_no_set"
    assert violation.data["face"] == "R2O"


def test_a_wild_is_replaced_without_points_and_thrown_in_the_same_turn() -> None:
    """Rulebook, "Remplacement de Wild"."""
    state = table(("R2O", "G2D", "R1O", "R3O", "P1S"), IDLE, board=WITH_WILD)
    step = act(state, 0, ReplaceWild(5, 5, 1), 0)
    assert kinds(step) == [WildReplaced, DiceThrown]
    assert step.transfers == ()
    assert step.state.board[60] == BoardDie(1, "R2O", wild=False)
    assert step.state.hands[0][-1] == Die(41, "R1S"), "die 41 was thrown and shows its first side"
    assert step.state.on_turn == 0
    assert step.state.moment == state.moment, "the turn's time runs on"
    three = PlaceDice((at(3, 5, 7), at(4, 5, 3), at(41, 5, 2, None)))
    assert refusal(step.state, 0, three).data["die"] == 41
    assert score(act(step.state, 0, PlaceDice(three.dice[:2])).state, 0) == 6


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (ReplaceWild(5, 4, 1), "not_a_wild"),
        (ReplaceWild(6, 4, 1), "square_empty"),
        (ReplaceWild(5, 5, 2), "wrong_features"),
        (ReplaceWild(5, 5, 3), "wrong_features"),  # Ruling D8: a Wild shows no features.
        (ReplaceWild(5, 5, 9), "die_not_in_hand"),
        (ReplaceWild(5, 11, 1), "square_off_board"),
    ],
)
def test_a_wild_is_replaced_only_by_an_own_die_with_its_features(
    command: ReplaceWild, code: str
) -> None:
    assert refusal(table(("R2O", "R2S", "WILD"), IDLE, board=WITH_WILD), 0, command).code == code


def test_every_player_may_replace_at_the_start_of_his_own_turn() -> None:
    state = act(
        table(("R2O", "R1O"), ("R2O", "R1O"), board={**WITH_WILD, (0, 0): "R2O*"}),
        0,
        ReplaceWild(5, 5, 1),
        0,
    ).state
    state = act(state, 0, PassTurn()).state
    assert act(state, 1, ReplaceWild(0, 0, 6), 0).state.board[0].number == 6
