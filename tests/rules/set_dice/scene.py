"""Positions for tests: a board in a short notation, and hands by their faces."""

from collections.abc import Mapping, Sequence

from railbird_engine import (
    Event,
    RuleViolation,
    ScriptedChance,
    Seat,
    Step,
    opening_purses,
    seat_purse,
)
from railbird_engine.rules.set_dice.commands import CallSet, NamedDie, Placement, SetDiceCommand
from railbird_engine.rules.set_dice.data import BOARD_SIZE
from railbird_engine.rules.set_dice.data.printed import BOX
from railbird_engine.rules.set_dice.options import SetDiceOptions
from railbird_engine.rules.set_dice.rules import SetDice
from railbird_engine.rules.set_dice.state import BoardDie, Die, SetDiceState

RULES = SetDice()

Position = tuple[int, int]

IDLE = ("G1D", "G1D", "G2S", "G2S", "P3O")
"""A hand without a move on the usual board."""

EAGER = ("R1O", "G1D", "G2S", "G2S", "P3O")
"""A hand with one move on the usual board: its first die goes to (5, 7) or (5, 3)."""

A_SET = ("R1O", "R2O", "R3O", "G1D", "G1D")
NO_SET = ("R1O", "R1O", "R2O", "R2O", "G1D")
"""Two pairs and another die: no three of them make a SET."""

PLAIN = CallSet((NamedDie(1), NamedDie(2), NamedDie(3)))

LINE = {(5, 4): "R1O", (5, 5): "R2O", (5, 6): "R3O"}
"""The usual board: a SET on the logo."""

WITH_WILD = {**LINE, (5, 5): "R2O*"}


def laid(dice: Mapping[Position, str]) -> dict[int, BoardDie]:
    """Return a board by row and column; a star marks a Wild that was announced as this face. Dice
    are numbered down from 42."""
    return {
        row * BOARD_SIZE + column: BoardDie(42 - index, face.rstrip("*"), wild=face.endswith("*"))
        for index, ((row, column), face) in enumerate(dice.items())
    }


def hand(*shown: str, first: int = 1) -> list[Die]:
    """Return dice numbered from `first`, in order."""
    return [Die(number, face) for number, face in enumerate(shown, first)]


def table(
    *hands: Sequence[str],
    board: Mapping[Position, str] | None = None,
    bag: int = 12,
    options: SetDiceOptions | None = None,
) -> SetDiceState:
    """Return a round in which seat 0 is first and active. Seat s owns dice 5s + 1, 5s + 2, ..."""
    cells = laid(board or LINE)
    dice = [hand(*shown, first=5 * seat + 1) for seat, shown in enumerate(hands)]
    taken = {die.number for die in cells.values()} | {die.number for one in dice for die in one}
    return SetDiceState(
        purses=opening_purses(len(hands)),
        seats=len(hands),
        options=options or SetDiceOptions(),
        phase="turns",
        round=2,
        bag=[number for number in BOX.dice if number not in taken][:bag],
        hands=dice,
        board=cells,
        first=Seat(0),
        on_turn=Seat(0),
    )


def opening(*hands: Sequence[str], options: SetDiceOptions | None = None) -> SetDiceState:
    """Return the opening race with these hands."""
    state = table(*hands, options=options)
    state.phase, state.round, state.board, state.first, state.on_turn = "opening", 1, {}, None, None
    return state


def act(state: SetDiceState, seat: int, command: SetDiceCommand, *draws: int) -> Step[SetDiceState]:
    """Carry out a command, which must be accepted."""
    return RULES.apply(state, Seat(seat), command, ScriptedChance(draws))


def tick(state: SetDiceState, *draws: int) -> Step[SetDiceState]:
    """Let the clock answer the alarm."""
    return RULES.advance(state, ScriptedChance(draws))


def refusal(state: SetDiceState, seat: int, command: SetDiceCommand) -> RuleViolation:
    """Return the code of a refused command."""
    try:
        RULES.apply(state, Seat(seat), command, ScriptedChance([]))
    except RuleViolation as violation:
        return violation
    raise AssertionError(f"{command} was accepted")


def score(state: SetDiceState, seat: int) -> int:
    """Return the points of a seat."""
    return state.purses[seat_purse(seat)]


def at(die: int, row: int, column: int, wild_as: str | None = None) -> Placement:
    """Return a placement."""
    return Placement(die, row, column, wild_as)


def kinds(step: Step[SetDiceState]) -> list[type[Event]]:
    """Return the names of the events."""
    return [type(event) for event in step.events]
