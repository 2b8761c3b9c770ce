"""A player's turn: perhaps a Wild replaced, then up to three dice placed, or a pass."""

from collections.abc import Sequence

from games.engine import BANK, RuleViolation, Seat, seat_purse
from games.rules.set_dice.board import judge, position
from games.rules.set_dice.commands import Placement, ReplaceWild
from games.rules.set_dice.data import BOARD_SIZE, BONUS, TURN_DICE_MAX
from games.rules.set_dice.events import DicePlaced, TurnPassed, WildReplaced
from games.rules.set_dice.hands import Table, announced, in_hand, lay, throw
from games.rules.set_dice.rounds import next_turn
from games.rules.set_dice.table import BoardDie, SetDiceState, square


def replace_wild(turn: Table, seat: Seat, command: ReplaceWild) -> None:
    """Rulebook, "Remplacement de Wild": one swap before placing (D6), face for face, without
    points."""
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


def place_dice(turn: Table, seat: Seat, placements: Sequence[Placement]) -> None:
    """Rulebook E, "Cases bonus" and "Resultats": up to three dice, every SET counts, a numbered
    square once."""
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
    bonus = sum(BONUS.get(cell, 0) for cell in new)
    turn.emit(
        DicePlaced(
            seat=seat,
            dice=[square(cell, die) for cell, die in new.items()],
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


def pass_turn(turn: Table, seat: Seat, *, timed_out: bool) -> None:
    """Rulebook F: everybody may pass, also who could play."""
    turn.emit(TurnPassed(seat=seat, timed_out=timed_out))
    next_turn(turn, after=seat)


def _cell(row: int, column: int) -> int:
    """Ruling D18: nothing lies outside the board."""
    if not (0 <= row < BOARD_SIZE and 0 <= column < BOARD_SIZE):
        raise RuleViolation("square_off_board", square=[row, column], size=BOARD_SIZE)
    return row * BOARD_SIZE + column


def _empty_cell(state: SetDiceState, placement: Placement) -> int:
    cell = _cell(placement.row, placement.column)
    if cell in state.board:
        raise RuleViolation("square_taken", square=position(cell), face=state.board[cell].face)
    return cell
