"""The opening race: the first valid call of a SET begins the game."""

from collections.abc import Sequence

from railbird_engine import BANK, RuleViolation, Seat, seat_purse
from railbird_engine.rules.set_dice.board import broken_features, is_set
from railbird_engine.rules.set_dice.commands import NamedDie
from railbird_engine.rules.set_dice.data import IDLE_ROUNDS_MAX, LOGO, OPENINGS_MAX, SET_SIZE
from railbird_engine.rules.set_dice.events import NoSetDeclared, SetCalled
from railbird_engine.rules.set_dice.hands import (
    SetDiceTurn,
    announced,
    lay,
    tell_wilds,
    throw_all_again,
)
from railbird_engine.rules.set_dice.rounds import end, next_turn
from railbird_engine.rules.set_dice.search import opening_sets
from railbird_engine.rules.set_dice.view import square


def call_set(turn: SetDiceTurn, seat: Seat, named: Sequence[NamedDie]) -> None:
    """Place the first valid call on the logo; its caller plays first (rulebook C and D).

    A wrong call is refused and costs nothing (ruling D9).
    """
    state = turn.state
    if len(named) != SET_SIZE:
        raise RuleViolation("set_needs_three_dice", dice=len(named))
    dice = announced(state, seat, named)
    faces = [die.face for die in dice]
    if not is_set(*faces):
        raise RuleViolation("not_a_set", faces=faces, broken=broken_features(faces))
    points = sum(not die.wild for die in dice)
    lay(state, seat, dict(zip(LOGO, dice, strict=True)))
    squares = [square(cell, state.board[cell]) for cell in LOGO]
    tell_wilds(turn, seat, dice)
    turn.emit(SetCalled(seat=seat, dice=squares, points=points))
    if points:
        turn.pay(BANK, seat_purse(seat), points, "sets")
    state.first = seat
    state.phase, state.answered, state.idle, state.dice_placed = "turns", [], 0, True
    next_turn(turn, after=seat)


def declare_no_set(turn: SetDiceTurn, seat: Seat) -> None:
    """Record the declaration; when every seat has made one, all throw again (rulebook C).

    A seat that declared may still call a SET.
    """
    state = turn.state
    if seat in state.answered:
        raise RuleViolation("already_declared", seat=seat)
    state.answered.append(seat)
    turn.emit(NoSetDeclared(seat=seat))
    if len(state.answered) == state.seats:
        restart_race(turn)


def restart_race(turn: SetDiceTurn) -> None:
    """Have every seat throw again (ruling D10).

    Ruling D23, ours: the game ends when no seat answers three openings in a row, or calls a SET in
    ten openings.
    """
    state = turn.state
    state.openings += 1
    state.idle = 0 if state.answered else state.idle + 1
    if state.openings == OPENINGS_MAX:
        end(turn, "openings_uncalled")
        return
    if state.idle == IDLE_ROUNDS_MAX:
        end(turn, "openings_unanswered")
        return
    state.answered = []
    state.moment += 1
    throw_all_again(turn)
    rethrow_until_a_set_shows(turn)


def rethrow_until_a_set_shows(turn: SetDiceTurn) -> None:
    """Throw again while no hand holds a SET: nobody could win that race (ruling D10)."""
    while not any(opening_sets(hand) for hand in turn.state.hands):
        throw_all_again(turn)
