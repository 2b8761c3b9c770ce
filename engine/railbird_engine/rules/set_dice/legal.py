"""The legal commands of a seat. The list gives no advantage over a look at the board."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import msgspec

from railbird_engine import Seat
from railbird_engine.kernel.playout import Whims
from railbird_engine.rules.set_dice.commands import (
    CallSet,
    DeclareNoSet,
    KeepDice,
    PassTurn,
    PlaceDice,
    ReplaceWild,
    Reroll,
    SetDiceCommand,
)
from railbird_engine.rules.set_dice.data import BOARD_SIZE
from railbird_engine.rules.set_dice.search import sample_moves
from railbird_engine.rules.set_dice.state import SetDiceState

CALL_FORM: Final = CallSet(())
"""The form of a call: players must find the dice themselves (rulebook C, the race)."""

SAMPLE_TRIES: Final = 12


def legal_commands(state: SetDiceState, seat: Seat) -> Iterator[SetDiceCommand]:
    """Return every command, except that a call is a form and placements are a random sample.

    The same state gives the same sample.
    """
    match state.phase:
        case "opening":
            yield CALL_FORM
            if seat not in state.answered:
                yield DeclareNoSet()
        case "turns" if seat == state.on_turn:
            yield PassTurn()
            yield from _replacements(state, seat)
            hand = state.hands[seat]
            faces = {cell: die.face for cell, die in state.board.items()}
            whims = Whims(msgspec.json.encode([hand, faces]))
            yield from map(PlaceDice, sample_moves(faces, hand, SAMPLE_TRIES, whims))
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
