"""The server's players. An expert plays the best turn there is; a casual player looks for one die
at a time."""

from collections.abc import Sequence

from games.engine import Chance, Seat
from games.rules.set_dice.commands import (
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
from games.rules.set_dice.data import BOARD_SIZE, WILD
from games.rules.set_dice.search import Move, best_moves, opening_sets
from games.rules.set_dice.state import Die
from games.rules.set_dice.view import SetDiceView

CASUAL_CHOICE = 3
"""A casual player takes one of this many moves, and looks at an opening hand this often, on
average, before seeing its SET."""


def choose(view: SetDiceView, chance: Chance) -> SetDiceCommand | None:
    """What a player at this seat does now, or None to wait."""
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
    """A Wild in the opening costs a point."""
    return sum(die.wild_as is None for die in call)


def _take_turn(view: SetDiceView, hand: Sequence[Die], chance: Chance) -> SetDiceCommand:
    moves = _moves(view, hand)
    if view.options.bots == "casual":
        easy = [move for move in moves if len(move.dice) == 1] or moves
        return PlaceDice(chance.pick(easy).dice) if easy else PassTurn()
    spare = [die for die in hand if not moves or die.number not in _used(moves[0])]
    return _replacement(view, spare) or (PlaceDice(moves[0].dice) if moves else PassTurn())


def _replacement(view: SetDiceView, spare: Sequence[Die]) -> ReplaceWild | None:
    """Throwing a die that the best move does not need can only widen the choice."""
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
    """Keep Wilds and the dice of the best move (a casual player: all dice, if there is a move),
    throw the rest again."""
    moves = _moves(view, hand)
    if moves and view.options.bots == "casual":
        return KeepDice()
    kept = _used(moves[0]) if moves else []
    rest = tuple(die.number for die in hand if die.number not in kept and die.shows != WILD)
    return Reroll(rest) if rest else KeepDice()


def _moves(view: SetDiceView, hand: Sequence[Die]) -> list[Move]:
    board = {square.row * BOARD_SIZE + square.column: square.face for square in view.board}
    return best_moves(board, hand, per_size=1 if view.options.bots == "expert" else CASUAL_CHOICE)


def _used(move: Move) -> list[int]:
    return [placement.die for placement in move.dice]
