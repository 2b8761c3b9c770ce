"""What a seat may do now: everything but the placements, of which the best are listed."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from games.engine import Seat
from games.rules.set_dice.commands import (
    CallSet,
    DeclareNoSet,
    KeepDice,
    PassTurn,
    PlaceDice,
    ReplaceWild,
    Reroll,
    SetDiceCommand,
)
from games.rules.set_dice.data import BOARD_SIZE
from games.rules.set_dice.search import best_moves, opening_sets
from games.rules.set_dice.state import SetDiceState

MOVES_PER_SIZE: Final = 8


def legal_commands(state: SetDiceState, seat: Seat) -> Iterator[SetDiceCommand]:
    """One call for every three dice that make a SET; every replacement; the eight best turns of
    one, two and three dice; every reroll."""
    match state.phase:
        case "opening":
            yield from (CallSet(dice) for dice in opening_sets(state.hands[seat]))
            if seat not in state.answered:
                yield DeclareNoSet()
        case "turns" if seat == state.on_turn:
            yield PassTurn()
            yield from _replacements(state, seat)
            faces = {cell: die.face for cell, die in state.board.items()}
            moves = best_moves(faces, state.hands[seat], per_size=MOVES_PER_SIZE)
            yield from (PlaceDice(move.dice) for move in moves)
        case "reroll" if seat not in state.answered:
            yield KeepDice()
            numbers = [die.number for die in state.hands[seat]]
            for count in range(1, len(numbers) + 1):
                yield from (Reroll(chosen) for chosen in combinations(numbers, count))


def _replacements(state: SetDiceState, seat: Seat) -> Iterator[ReplaceWild]:
    if state.wild_replaced:
        return
    for cell, wild in state.board.items():
        for die in state.hands[seat]:
            if wild.wild and die.shows == wild.face:
                row, column = divmod(cell, BOARD_SIZE)
                yield ReplaceWild(row, column, die.number)
