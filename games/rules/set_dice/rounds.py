"""From turn to turn and from round to round: refill, reroll, rethrow, end."""

from collections.abc import Sequence

from games.engine import RuleViolation, Seat
from games.rules.set_dice.data import HAND_SIZE, IDLE_ROUNDS_MAX
from games.rules.set_dice.events import DiceKept, GameEnded, RoundStarted
from games.rules.set_dice.hands import Table, all_in_hand, throw, throw_all_again
from games.rules.set_dice.table import Ending, SetDiceState


def next_turn(turn: Table, *, after: Seat) -> None:
    """Clockwise, until everybody had his chance (rulebook G)."""
    state = turn.state
    state.moment += 1
    state.wild_replaced = False
    state.on_turn = Seat((after + 1) % state.seats)
    if state.on_turn == state.first:
        state.on_turn = None
        _end_round(turn)


def _end_round(turn: Table) -> None:
    """Rulebook F to J: the game is over, or everybody throws again, or hands are filled and may be
    rerolled."""
    state = turn.state
    state.idle = 0 if state.dice_placed else state.idle + 1
    if not all(state.hands):
        assert not state.bag, "a hand of five cannot be emptied in one turn"
        end(turn, "hand_empty")
    elif state.idle == IDLE_ROUNDS_MAX:
        end(turn, "rounds_passed")
    elif state.dice_placed:
        _refill(turn)
        state.phase = "reroll"
    else:
        throw_all_again(turn)
        _start_round(turn)


def _refill(turn: Table) -> None:
    """Rulebook I: the first player draws first; hand by hand, or one die each in turn (option,
    D22)."""
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


def reroll(turn: Table, seat: Seat, numbers: Sequence[int]) -> None:
    """Rulebook H: some or all dice, once."""
    _require_undecided(turn.state, seat)
    all_in_hand(turn.state, seat, numbers)
    throw(turn, seat, numbers, "rerolled")
    _decided(turn, seat)


def keep(turn: Table, seat: Seat, *, timed_out: bool) -> None:
    """Rulebook H: nobody has to reroll."""
    _require_undecided(turn.state, seat)
    turn.emit(DiceKept(seat=seat, timed_out=timed_out))
    _decided(turn, seat)


def _require_undecided(state: SetDiceState, seat: Seat) -> None:
    if seat in state.answered:
        raise RuleViolation("already_decided", seat=seat)


def undecided(state: SetDiceState) -> list[Seat]:
    """Who may still reroll."""
    return [seat for seat in _from_first(state) if seat not in state.answered]


def _decided(turn: Table, seat: Seat) -> None:
    """The first player waits until everybody has decided (rulebook H)."""
    turn.state.answered.append(seat)
    if not undecided(turn.state):
        _start_round(turn)


def _start_round(turn: Table) -> None:
    state = turn.state
    assert state.first is not None
    state.phase, state.answered, state.dice_placed = "turns", [], False
    state.round += 1
    state.moment += 1
    state.on_turn = state.first
    turn.emit(RoundStarted(round=state.round, first=state.first))


def end(turn: Table, ending: Ending) -> None:
    """Nothing more can happen."""
    state = turn.state
    state.phase, state.ending, state.answered = "finished", ending, []
    turn.emit(GameEnded(ending=ending))


def _from_first(state: SetDiceState) -> list[Seat]:
    assert state.first is not None, "the opening has no first player yet"
    return [Seat((state.first + step) % state.seats) for step in range(state.seats)]
