"""The list of legal commands: complete, except where it would help in the race or in a turn."""

import random

import pytest

from railbird_engine import RuleViolation, ScriptedChance, Seat
from railbird_engine.rules.set_dice.board import COMPLETES
from railbird_engine.rules.set_dice.commands import (
    CallSet,
    DeclareNoSet,
    KeepDice,
    PassTurn,
    PlaceDice,
    ReplaceWild,
    Reroll,
)
from railbird_engine.rules.set_dice.data import FACES, WILD
from railbird_engine.rules.set_dice.data.printed import BOX
from railbird_engine.rules.set_dice.search import best_moves
from railbird_engine.rules.set_dice.state import SetDiceState
from tests.rules.set_dice.scene import (
    A_SET,
    IDLE,
    NO_SET,
    RULES,
    WITH_WILD,
    Position,
    act,
    opening,
    refusal,
    table,
)

FIRST, SECOND = Seat(0), Seat(1)


def test_in_the_opening_a_call_is_listed_without_its_dice() -> None:
    """The list does not reveal whether the hand holds a SET."""
    state = opening(A_SET, NO_SET)
    listed = [CallSet(()), DeclareNoSet()]
    assert list(RULES.legal(state, FIRST)) == list(RULES.legal(state, SECOND)) == listed
    state = act(state, 0, DeclareNoSet()).state
    assert list(RULES.legal(state, FIRST)) == [CallSet(())], "a later call still counts"


def test_the_form_of_a_call_is_refused() -> None:
    assert RULES.is_form(CallSet(()))
    assert refusal(opening(A_SET, NO_SET), 0, CallSet(())).code == "set_needs_three_dice"


def crowded(seed: int) -> SetDiceState:
    """Columns of two dice over the logo: many moves of very different worth."""
    luck = random.Random(seed)
    faces = luck.sample(FACES, 4)
    board: dict[Position, str] = {}
    for column in range(1, 10):
        board[5, column], board[4, column] = luck.choice(faces), luck.choice(faces)
    shown = [COMPLETES[luck.choice(faces)][luck.choice(faces)] for _ in range(4)]
    return table([*shown, WILD], IDLE, board=board)


def points(state: SetDiceState, command: PlaceDice) -> int:
    step = RULES.apply(state, FIRST, command, ScriptedChance([]))
    return sum(transfer.amount for transfer in step.transfers)


def test_on_turn_the_placements_are_a_random_sample_and_not_the_best() -> None:
    best_listed = best_first = 0
    sizes: set[int] = set()
    for seed in range(20):
        state = crowded(seed)
        faces = {cell: die.face for cell, die in state.board.items()}
        best = max(move.points for move in best_moves(faces, state.hands[0], BOX.bonus, per_size=1))
        placements = [it for it in RULES.legal(state, FIRST) if isinstance(it, PlaceDice)]
        listed = [points(state, placement) for placement in placements]
        assert len(placements) == len(set(placements)) >= 8
        sizes |= {len(placement.dice) for placement in placements}
        best_listed += best in listed
        best_first += listed[0] == max(listed)
    assert sizes == {1, 2, 3}
    assert best_listed <= 4
    assert best_first <= 4


def test_the_same_state_gives_the_same_sample() -> None:
    assert list(RULES.legal(crowded(1), FIRST)) == list(RULES.legal(crowded(1), FIRST))


def test_on_turn_every_replacement_and_the_pass_are_listed() -> None:
    state = table(("R2O", "R2O", "G1D"), IDLE, board=WITH_WILD)
    listed = [it for it in RULES.legal(state, FIRST) if not isinstance(it, PlaceDice)]
    assert listed == [PassTurn(), ReplaceWild(5, 5, 1), ReplaceWild(5, 5, 2)]
    assert list(RULES.legal(state, SECOND)) == []


def test_without_a_move_only_the_pass_is_listed() -> None:
    assert list(RULES.legal(table(IDLE, IDLE), FIRST)) == [PassTurn()]


def test_every_reroll_is_listed() -> None:
    state = table(IDLE, IDLE)
    state.phase, state.on_turn = "reroll", None
    listed = list(RULES.legal(state, FIRST))
    assert listed[0] == KeepDice()
    assert len({it.dice for it in listed if isinstance(it, Reroll)}) == 2**5 - 1


@pytest.mark.parametrize("seat", [FIRST, SECOND])
def test_every_listed_command_but_a_form_is_accepted(seat: Seat) -> None:
    for state in (opening(A_SET, NO_SET), crowded(3), table(IDLE, IDLE)):
        for command in RULES.legal(state, seat):
            try:
                RULES.apply(state, seat, command, ScriptedChance([0] * 10))
            except RuleViolation:
                assert RULES.is_form(command)
