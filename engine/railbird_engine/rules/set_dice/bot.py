"""The bots: an expert plays the best turn, a casual bot mostly places one good die."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from railbird_engine import Chance, Seat
from railbird_engine.rules.set_dice.commands import (
    CallSet,
    DeclareNoSet,
    KeepDice,
    NamedDie,
    PassTurn,
    PlaceDice,
    ReplaceWild,
    Reroll,
    SetDiceCommand,
)
from railbird_engine.rules.set_dice.data import BOARD_SIZE, WILD
from railbird_engine.rules.set_dice.search import Move, best_moves, opening_sets, single_moves
from railbird_engine.rules.set_dice.state import Die, SetDiceState
from railbird_engine.rules.set_dice.view import SetDiceView

CASUAL_CHOICE: Final = 3
"""A casual bot picks one of this many moves, and sees a SET in its opening hand once in this many
looks."""

CASUAL_REPLACES_ONE_IN: Final = 2
"""How often a casual bot sees that it can replace a Wild."""

OPENING_PAUSE: Final = {"casual": timedelta(seconds=15), "expert": timedelta(seconds=6)}
"""The time that bots look at a throw before they call a SET or declare that they see none: about as
long as a person of that strength needs."""


def pause(state: SetDiceState) -> timedelta:
    """Return the least time before a bot acts: in the opening like a person's, at most half the
    limit."""
    if state.phase != "opening":
        return timedelta(0)
    needed = OPENING_PAUSE[state.options.bots]
    limit = state.options.opening_s
    return min(needed, timedelta(seconds=limit) / 2) if limit else needed


def choose(view: SetDiceView, chance: Chance) -> SetDiceCommand | None:
    """Return a bot's command for the seat of this view, or None to wait."""
    seat = view.you
    assert seat is not None, "a spectator has no bot"
    hand = view.hands[seat]
    match view.phase:
        case "opening":
            return _open(view, seat, hand, chance)
        case "turns" if seat == view.on_turn:
            return _take_turn(view, hand, chance)
        case "reroll" if seat not in view.answered:
            return _reroll(view, hand)
        case _:
            return None


def _open(
    view: SetDiceView, seat: Seat, hand: Sequence[Die], chance: Chance
) -> SetDiceCommand | None:
    sets = opening_sets(hand)
    if sets:
        sees_it = view.options.bots == "expert" or chance.below(CASUAL_CHOICE) == 0
        return CallSet(max(sets, key=_plain_dice)) if sees_it else None
    return None if seat in view.answered else DeclareNoSet()


def _plain_dice(call: Sequence[NamedDie]) -> int:
    """Return the dice without Wilds: a Wild in the opening costs a point."""
    return sum(die.wild_as is None for die in call)


def _take_turn(view: SetDiceView, hand: Sequence[Die], chance: Chance) -> SetDiceCommand:
    moves = _moves(view, hand)
    if view.options.bots == "expert":
        move, sees_wilds = (moves[0] if moves else None), True
    else:
        move = chance.pick(moves) if moves else None
        sees_wilds = chance.below(CASUAL_REPLACES_ONE_IN) == 0
    spare = [die for die in hand if not move or die.number not in _used(move)]
    replacement = _replacement(view, spare) if sees_wilds else None
    return replacement or (PlaceDice(move.dice) if move else PassTurn())


def _replacement(view: SetDiceView, spare: Sequence[Die]) -> ReplaceWild | None:
    """Replace a Wild by a die that the chosen move does not need, which can only add choices."""
    if view.wild_replaced:
        return None
    wilds = [square for square in view.board if square.wild]
    swaps = (
        ReplaceWild(square.row, square.column, die.number)
        for square in wilds
        for die in spare
        if die.shows == square.face
    )
    return next(swaps, None)


def _reroll(view: SetDiceView, hand: Sequence[Die]) -> SetDiceCommand:
    """Keep Wilds and the dice of the best move, and throw the others again.

    A casual bot keeps all dice if it has a move.
    """
    moves = _moves(view, hand)
    if moves and view.options.bots == "casual":
        return KeepDice()
    kept = _used(moves[0]) if moves else []
    rest = tuple(die.number for die in hand if die.number not in kept and die.shows != WILD)
    return Reroll(rest) if rest else KeepDice()


def _moves(view: SetDiceView, hand: Sequence[Die]) -> list[Move]:
    """Return the moves to choose from, best first. A casual bot looks for one die first."""
    board = {square.row * BOARD_SIZE + square.column: square.face for square in view.board}
    if view.options.bots == "expert":
        return best_moves(board, hand, per_size=1)
    easy = single_moves(board, hand) or best_moves(board, hand, per_size=CASUAL_CHOICE)
    return easy[:CASUAL_CHOICE]


def _used(move: Move) -> list[int]:
    return [placement.die for placement in move.dice]
