"""The course of a game of SET Dice: who may do what when. The phases themselves are in race, turns
and rounds."""

from collections.abc import Iterable
from datetime import timedelta
from typing import assert_never

from games.engine import Alarm, Chance, Result, Rules, RuleViolation, Seat, seat_purse
from games.engine.contract import opening_purses
from games.rules.set_dice import bots, race, rounds, turns
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
from games.rules.set_dice.data import DICE, HAND_SIZE
from games.rules.set_dice.events import SetDiceEvent
from games.rules.set_dice.hands import Table, throw
from games.rules.set_dice.legal import legal_commands
from games.rules.set_dice.refusals import REFUSALS
from games.rules.set_dice.table import Phase, SetDiceOptions, SetDiceState, SetDiceView, square


class SetDice(Rules[SetDiceOptions, SetDiceState, SetDiceCommand, SetDiceEvent]):
    """SETs of three dice on a board with bonus squares."""

    slug = "set_dice"
    title = {"en": "SET Dice", "fr": "SET Dice"}
    seats = range(2, 5)
    unit = "point"
    version = 1
    refusals = REFUSALS
    legal_is_complete = False

    def setup(self, seats: int, options: SetDiceOptions) -> SetDiceState:
        return SetDiceState(
            purses=opening_purses(seats),
            seats=seats,
            options=options,
            bag=list(DICE),
            hands=[[] for _ in range(seats)],
        )

    def deal(self, turn: Table) -> None:
        """Rulebook B and C: everybody draws five dice blindly; then all throw together."""
        drawn = [
            [turn.chance.take(turn.state.bag) for _ in range(HAND_SIZE)]
            for _ in range(turn.state.seats)
        ]
        for seat, numbers in enumerate(drawn):
            throw(turn, Seat(seat), numbers, "drawn")
        race.rethrow_until_a_set_shows(turn)

    def play(self, turn: Table, seat: Seat, command: SetDiceCommand) -> None:
        state = turn.state
        match command:
            case CallSet():
                _require_phase(state, "opening")
                race.call_set(turn, seat, command.dice)
            case DeclareNoSet():
                _require_phase(state, "opening")
                race.declare_no_set(turn, seat)
            case ReplaceWild():
                _require_turn(state, seat)
                turns.replace_wild(turn, seat, command)
            case PlaceDice():
                _require_turn(state, seat)
                turns.place_dice(turn, seat, command.dice)
            case PassTurn():
                _require_turn(state, seat)
                turns.pass_turn(turn, seat, timed_out=False)
            case Reroll():
                _require_phase(state, "reroll")
                rounds.reroll(turn, seat, command.dice)
            case KeepDice():
                _require_phase(state, "reroll")
                rounds.keep(turn, seat, timed_out=False)
            case _:
                assert_never(command)

    def tick(self, turn: Table) -> None:
        state = turn.state
        match state.phase:
            case "opening":
                race.restart_race(turn)
            case "turns":
                assert state.on_turn is not None
                turns.pass_turn(turn, state.on_turn, timed_out=True)
            case "reroll":
                for seat in rounds.undecided(state):
                    rounds.keep(turn, seat, timed_out=True)
            case "finished":
                raise AssertionError("a finished game awaits no clock")

    def alarm(self, state: SetDiceState) -> Alarm | None:
        limits = {
            "opening": state.options.opening_s,
            "turns": state.options.turn_s,
            "reroll": state.options.reroll_s,
        }
        limit = limits.get(state.phase, 0)
        return Alarm(state.moment, timedelta(seconds=limit)) if limit else None

    def legal(self, state: SetDiceState, seat: Seat) -> Iterable[SetDiceCommand]:
        """One call for each SET of the hand; all replacements; the best moves of one, two and three
        dice; all rerolls."""
        return legal_commands(state, seat)

    def view(self, state: SetDiceState, viewer: Seat | None) -> SetDiceView:
        return SetDiceView(
            phase=state.phase,
            round=state.round,
            options=state.options,
            scores=_scores(state),
            hands=state.hands,
            board=[square(cell, die) for cell, die in sorted(state.board.items())],
            bag=len(state.bag),
            first=state.first,
            on_turn=state.on_turn,
            wild_replaced=state.wild_replaced,
            answered=state.answered,
            ending=state.ending,
            you=viewer,
        )

    def bot(
        self, view: SetDiceView, legal: Iterable[SetDiceCommand], chance: Chance
    ) -> SetDiceCommand | None:
        return bots.choose(view, chance)

    def result(self, state: SetDiceState) -> Result | None:
        """Most points win; equal scores share a rank (ruling D19). Dice in hand count nothing."""
        if state.phase != "finished":
            return None
        scores = _scores(state)
        groups = [
            tuple(Seat(seat) for seat, score in enumerate(scores) if score == best)
            for best in sorted(set(scores), reverse=True)
        ]
        return Result(tuple(groups), tuple(scores))


def _require_phase(state: SetDiceState, phase: Phase) -> None:
    if state.phase == "finished":
        raise RuleViolation("game_over")
    if state.phase != phase:
        raise RuleViolation("wrong_phase", phase=state.phase, needed=phase)


def _require_turn(state: SetDiceState, seat: Seat) -> None:
    _require_phase(state, "turns")
    if state.on_turn != seat:
        raise RuleViolation("not_your_turn", seat=seat, on_turn=state.on_turn)


def _scores(state: SetDiceState) -> list[int]:
    return [state.purses[seat_purse(seat)] for seat in range(state.seats)]
