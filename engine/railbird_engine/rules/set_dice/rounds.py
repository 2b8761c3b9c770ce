"""The course of a round: the next turn, the end of a round, refill, reroll, and the end."""

from collections.abc import Sequence

from railbird_engine import RuleViolation, Seat
from railbird_engine.rules.set_dice.data import HAND_SIZE, IDLE_ROUNDS_MAX
from railbird_engine.rules.set_dice.events import DiceKept, GameEnded, RoundStarted
from railbird_engine.rules.set_dice.hands import SetDiceTurn, all_in_hand, throw, throw_all_again
from railbird_engine.rules.set_dice.state import Ending, SetDiceState


def next_turn(turn: SetDiceTurn, *, after: Seat) -> None:
    """Pass the turn clockwise; after the last seat the round ends (rulebook G)."""
    state = turn.state
    state.moment += 1
    state.wild_replaced = False
    state.on_turn = Seat((after + 1) % state.seats)
    if state.on_turn == state.first:
        state.on_turn = None
        _end_round(turn)


def _end_round(turn: SetDiceTurn) -> None:
    """End the game, or have every seat throw again, or refill the hands (rulebook F to J).

    Ruling D14, ours: the third round in a row in which every seat passed ends the game.
    """
    state = turn.state
    state.idle = 0 if state.dice_placed else state.idle + 1
    if not all(state.hands):
        assert not state.bag, "a hand of five cannot be emptied in one turn"
        end(turn, "hand_empty")
    elif state.idle == IDLE_ROUNDS_MAX:
        end(turn, "rounds_passed")
    elif state.dice_placed:
        if state.options.reroll == "after_refill":
            _refill(turn)
        state.phase = "reroll"
    else:
        throw_all_again(turn)
        _start_round(turn)


def _refill(turn: SetDiceTurn) -> None:
    """Fill the hands; the first player draws first (rulebook I).

    Ruling D22: each hand is filled before the next, or each seat draws one die in turn (option).
    """
    state = turn.state
    wanted = {seat: HAND_SIZE - len(state.hands[seat]) for seat in _from_first(state)}
    if state.options.refill == "by_hand":
        order = [seat for seat, count in wanted.items() for _ in range(count)]
    else:
        order = [seat for lap in range(HAND_SIZE) for seat, count in wanted.items() if lap < count]
    drawn: dict[Seat, list[int]] = {}
    for seat in order[: len(state.bag)]:
        drawn.setdefault(seat, []).append(turn.chance.take(state.bag))
    for seat, numbers in drawn.items():
        throw(turn, seat, numbers, "drawn")


def reroll(turn: SetDiceTurn, seat: Seat, numbers: Sequence[int]) -> None:
    """Throw some or all dice of a hand again, once (rulebook H)."""
    _require_undecided(turn.state, seat)
    all_in_hand(turn.state, seat, numbers)
    throw(turn, seat, numbers, "rerolled")
    _decided(turn, seat)


def keep(turn: SetDiceTurn, seat: Seat, *, timed_out: bool) -> None:
    """Keep the dice of a hand: rerolling is optional (rulebook H)."""
    _require_undecided(turn.state, seat)
    turn.emit(DiceKept(seat=seat, timed_out=timed_out))
    _decided(turn, seat)


def _require_undecided(state: SetDiceState, seat: Seat) -> None:
    if seat in state.answered:
        raise RuleViolation("already_decided", seat=seat)


def undecided(state: SetDiceState) -> list[Seat]:
    """The seats that may still reroll."""
    return [seat for seat in _from_first(state) if seat not in state.answered]


def _decided(turn: SetDiceTurn, seat: Seat) -> None:
    """Begin the round when every seat has decided (rulebook H: the first player waits)."""
    turn.state.answered.append(seat)
    if undecided(turn.state):
        return
    if turn.state.options.reroll == "before_refill":
        _refill(turn)
    _start_round(turn)


def _start_round(turn: SetDiceTurn) -> None:
    state = turn.state
    assert state.first is not None
    state.phase, state.answered, state.dice_placed = "turns", [], False
    state.round += 1
    state.moment += 1
    state.on_turn = state.first
    turn.emit(RoundStarted(round=state.round, first=state.first))


def end(turn: SetDiceTurn, ending: Ending) -> None:
    """End the game."""
    state = turn.state
    state.phase, state.ending, state.answered = "finished", ending, []
    turn.emit(GameEnded(ending=ending))


def _from_first(state: SetDiceState) -> list[Seat]:
    assert state.first is not None, "the opening has no first player yet"
    return [Seat((state.first + step) % state.seats) for step in range(state.seats)]
