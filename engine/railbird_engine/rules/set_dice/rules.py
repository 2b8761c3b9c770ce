"""SET Dice: which command belongs to which phase. `race`, `turns` and `rounds` carry them out."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final, assert_never

from railbird_engine import (
    Alarm,
    Chance,
    Cue,
    Result,
    Rules,
    RuleViolation,
    Seat,
    Turn,
    opening_purses,
)
from railbird_engine.rules.set_dice import bot, race, rounds, turns
from railbird_engine.rules.set_dice.book import SetDiceBook, book_of
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
from railbird_engine.rules.set_dice.data import HAND_SIZE
from railbird_engine.rules.set_dice.data.printed import BOX, Box
from railbird_engine.rules.set_dice.events import SetDiceEvent
from railbird_engine.rules.set_dice.hands import SetDiceTurn, throw
from railbird_engine.rules.set_dice.legal import CALL_FORM, legal_commands
from railbird_engine.rules.set_dice.options import GUIDE, SetDiceOptions
from railbird_engine.rules.set_dice.refusals import REFUSALS
from railbird_engine.rules.set_dice.state import Phase, SetDiceState
from railbird_engine.rules.set_dice.view import SetDiceView, scores, view_of


class SetDice(Rules[SetDiceOptions, SetDiceState, SetDiceCommand, SetDiceEvent]):
    """SET Dice for two to four seats."""

    slug = "set_dice"
    title = {"en": "SET Dice", "fr": "SET Dice"}
    seats = range(2, 5)
    unit = "point"
    version = 3
    limits = ("opening_s", "turn_s", "reroll_s")
    options_guide = GUIDE
    steps_max = 2_000  # A round places a die, but for two in a row.
    sole_commands = {PassTurn: "whether there is a move is for the player to find out (ruling D24)"}
    refusals = frozenset(REFUSALS)
    legal_is_complete = False

    def __init__(self, box: Box = BOX) -> None:
        """Play with the dice and the board of this box."""
        super().__init__()
        self.box: Final = box

    def edition(self, options: SetDiceOptions) -> str:
        return self.box.edition

    @property
    def editions(self) -> frozenset[str]:
        return frozenset({self.box.edition})

    def setup(self, seats: int, options: SetDiceOptions) -> SetDiceState:
        return SetDiceState(
            purses=opening_purses(seats),
            seats=seats,
            options=options,
            bag=list(self.box.dice),
            hands=[[] for _ in range(seats)],
        )

    def deal(self, turn: Turn[SetDiceState, SetDiceEvent]) -> None:
        """Draw five dice for every seat, then throw them (rulebook B and C)."""
        played = SetDiceTurn(turn, self.box)
        bag = turn.state.bag
        drawn = [[turn.chance.take(bag) for _ in range(HAND_SIZE)] for _ in range(turn.state.seats)]
        for seat, numbers in enumerate(drawn):
            throw(played, Seat(seat), numbers, "drawn")
        race.rethrow_until_a_set_shows(played)

    def play(
        self, turn: Turn[SetDiceState, SetDiceEvent], seat: Seat, command: SetDiceCommand
    ) -> None:
        state, played = turn.state, SetDiceTurn(turn, self.box)
        match command:
            case CallSet():
                _require_phase(state, "opening")
                race.call_set(played, seat, command.dice)
            case DeclareNoSet():
                _require_phase(state, "opening")
                race.declare_no_set(played, seat)
            case ReplaceWild():
                _require_turn(state, seat)
                turns.replace_wild(played, seat, command)
            case PlaceDice():
                _require_turn(state, seat)
                turns.place_dice(played, seat, command.dice)
            case PassTurn():
                _require_turn(state, seat)
                turns.pass_turn(played, seat, timed_out=False)
            case Reroll():
                _require_phase(state, "reroll")
                rounds.reroll(played, seat, command.dice)
            case KeepDice():
                _require_phase(state, "reroll")
                rounds.keep(played, seat, timed_out=False)
            case _:
                assert_never(command)

    def tick(self, turn: Turn[SetDiceState, SetDiceEvent]) -> None:
        state, played = turn.state, SetDiceTurn(turn, self.box)
        match state.phase:
            case "opening":
                race.restart_race(played)
            case "turns":
                assert state.on_turn is not None
                turns.pass_turn(played, state.on_turn, timed_out=True)
            case "reroll":
                for seat in rounds.undecided(state):
                    rounds.keep(played, seat, timed_out=True)
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
        return legal_commands(state, seat)

    def awaited(self, state: SetDiceState) -> frozenset[Seat]:
        """The seats that have not declared in the opening, the one on turn, or those to reroll."""
        match state.phase:
            case "opening" | "reroll":
                seats = (Seat(seat) for seat in range(state.seats))
                return frozenset(seat for seat in seats if seat not in state.answered)
            case "turns":
                assert state.on_turn is not None
                return frozenset({state.on_turn})
            case "finished":
                return frozenset()

    def is_form(self, command: SetDiceCommand) -> bool:
        return command == CALL_FORM

    def view(self, state: SetDiceState, viewer: Seat | None) -> SetDiceView:
        return view_of(state, viewer)

    def bot(
        self, view: SetDiceView, legal: Iterable[SetDiceCommand], chance: Chance
    ) -> SetDiceCommand | None:
        return bot.choose(view, self.box.bonus, chance)

    def bot_cue(self, state: SetDiceState, seat: Seat) -> Cue | None:
        return bot.cue(state, seat)

    def book(self) -> SetDiceBook:
        return book_of(self.box)

    def result(self, state: SetDiceState) -> Result | None:
        """Rank seats by points; equal scores share a rank (ruling D19). Dice in hand do not
        count."""
        if state.phase != "finished":
            return None
        points = scores(state)
        groups = [
            tuple(Seat(seat) for seat, score in enumerate(points) if score == best)
            for best in sorted(set(points), reverse=True)
        ]
        return Result(tuple(groups), tuple(points))


def _require_phase(state: SetDiceState, phase: Phase) -> None:
    if state.phase == "finished":
        raise RuleViolation("game_over")
    if state.phase != phase:
        raise RuleViolation("wrong_phase", phase=state.phase, needed=phase)


def _require_turn(state: SetDiceState, seat: Seat) -> None:
    _require_phase(state, "turns")
    if state.on_turn != seat:
        raise RuleViolation("not_your_turn", seat=seat, on_turn=state.on_turn)
