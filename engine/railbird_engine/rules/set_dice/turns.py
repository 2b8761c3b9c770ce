"""A turn: replace a Wild if you like, then place one to three dice or pass."""

from collections.abc import Sequence

from railbird_engine import BANK, RuleViolation, Seat, seat_purse
from railbird_engine.rules.set_dice.board import judge, position
from railbird_engine.rules.set_dice.commands import Placement, ReplaceWild
from railbird_engine.rules.set_dice.data import BOARD_SIZE, TURN_DICE_MAX
from railbird_engine.rules.set_dice.events import DicePlaced, TurnPassed, WildReplaced
from railbird_engine.rules.set_dice.hands import (
    SetDiceTurn,
    announced,
    in_hand,
    lay,
    tell_wilds,
    throw,
)
from railbird_engine.rules.set_dice.rounds import next_turn
from railbird_engine.rules.set_dice.state import BoardDie, SetDiceState
from railbird_engine.rules.set_dice.view import square


def replace_wild(turn: SetDiceTurn, seat: Seat, command: ReplaceWild) -> None:
    """Replace a Wild by a die that shows its face; nothing is scored.

    Rulebook, "Remplacement de Wild". Ruling D6: once a turn, before placing.
    """
    state = turn.state
    cell = _cell(command.row, command.column)
    if state.wild_replaced:
        raise RuleViolation("wild_already_replaced")
    if cell not in state.board:
        raise RuleViolation("square_empty", square=position(cell))
    wild = state.board[cell]
    if not wild.wild:
        raise RuleViolation("not_a_wild", square=position(cell), face=wild.face)
    die = in_hand(state, seat, command.die)
    if die.shows != wild.face:
        raise RuleViolation("wrong_features", die=die.number, shows=die.shows, needed=wild.face)
    state.wild_replaced = True
    lay(state, seat, {cell: BoardDie(die.number, die.shows, wild=False)})
    turn.emit(
        WildReplaced(
            seat=seat, row=command.row, column=command.column, die=die.number, recovered=wild.number
        )
    )
    throw(turn, seat, [wild.number], "recovered")


def place_dice(turn: SetDiceTurn, seat: Seat, placements: Sequence[Placement]) -> None:
    """Place up to three dice and score every SET and numbered square.

    Rulebook E, "Cases bonus" and "Resultats".
    """
    state = turn.state
    if len(placements) > TURN_DICE_MAX:
        raise RuleViolation("too_many_dice", dice=len(placements), most=TURN_DICE_MAX)
    dice = announced(state, seat, placements)
    new: dict[int, BoardDie] = {}
    for placement, die in zip(placements, dice, strict=True):
        cell = _empty_cell(state, placement)
        if cell in new:
            raise RuleViolation("square_named_twice", square=position(cell))
        new[cell] = die
    lay(state, seat, new)
    judgement = judge(state.board, new)
    bonus = sum(turn.box.bonus.get(cell, 0) for cell in new)
    tell_wilds(turn, seat, dice)
    turn.emit(
        DicePlaced(
            seat=seat,
            dice=[square(cell, die) for cell, die in new.items()],
            made=len(judgement.sets),
            sets=judgement.sets,
            bonus=bonus,
            points=judgement.points + bonus,
        )
    )
    turn.pay(BANK, seat_purse(seat), judgement.points, "sets")
    if bonus:
        turn.pay(BANK, seat_purse(seat), bonus, "bonus")
    state.dice_placed = True
    next_turn(turn, after=seat)


def pass_turn(turn: SetDiceTurn, seat: Seat, *, timed_out: bool) -> None:
    """Pass the turn. A seat may pass even if it could place dice (rulebook F)."""
    turn.emit(TurnPassed(seat=seat, timed_out=timed_out))
    next_turn(turn, after=seat)


def _cell(row: int, column: int) -> int:
    """The cell of these coordinates. Ruling D18: no die leaves the board."""
    if not (0 <= row < BOARD_SIZE and 0 <= column < BOARD_SIZE):
        raise RuleViolation("square_off_board", square=[row, column], size=BOARD_SIZE)
    return row * BOARD_SIZE + column


def _empty_cell(state: SetDiceState, placement: Placement) -> int:
    cell = _cell(placement.row, placement.column)
    if cell in state.board:
        raise RuleViolation("square_taken", square=position(cell), face=state.board[cell].face)
    return cell
