"""The course of a game of Quitte ou double: which seat may give which command, and when.

`questions` and `betting` contain the phases.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import assert_never

from railbird_engine import (
    Alarm,
    Chance,
    Cue,
    Result,
    Rules,
    RuleViolation,
    Seat,
    VoidedBet,
    opening_purses,
)
from railbird_engine.rules.quitte_ou_double import betting, bot, questions
from railbird_engine.rules.quitte_ou_double.book import BOOK, QuitteOuDoubleBook
from railbird_engine.rules.quitte_ou_double.commands import (
    ChooseLevel,
    LockAnswer,
    LockBets,
    NextQuestion,
    PlaceToken,
    QuitteOuDoubleCommand,
    WriteAnswer,
)
from railbird_engine.rules.quitte_ou_double.data import LEVELS
from railbird_engine.rules.quitte_ou_double.data.bank import Bank, installed_banks
from railbird_engine.rules.quitte_ou_double.events import GameOpened, GameTurn, QuitteOuDoubleEvent
from railbird_engine.rules.quitte_ou_double.legal import awaited_seats, legal_commands
from railbird_engine.rules.quitte_ou_double.options import GUIDE, QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.refusals import REFUSALS
from railbird_engine.rules.quitte_ou_double.state import Phase, QuitteOuDoubleState
from railbird_engine.rules.quitte_ou_double.teams import (
    assign_teams,
    members,
    scores,
    team_count,
    team_purse,
)
from railbird_engine.rules.quitte_ou_double.view import QuitteOuDoubleView, view_of


class QuitteOuDouble(
    Rules[QuitteOuDoubleOptions, QuitteOuDoubleState, QuitteOuDoubleCommand, QuitteOuDoubleEvent]
):
    """Numeric questions for teams, and bets between their answers.

    `banks` holds the question banks by name; the default is the folder `data/banks`.
    """

    slug = "quitte_ou_double"
    title = {"en": "Double or Quits", "fr": "Quitte ou double"}
    seats = range(4, 21)
    unit = "token"
    version = 5
    limits = ("level_s", "hourglass_s", "reveal_s")
    options_guide = GUIDE
    steps_max = 6_000  # Eight questions of six teams, each with all its changes (ruling Q23).
    sole_commands = {
        NextQuestion: "the presenter sets the pace (rulebook 5)",
        LockAnswer: "the team sets the pace, although it may change nothing more (ruling Q23)",
        LockBets: "the team sets the pace, although it may change nothing more (ruling Q23)",
    }
    refusals = frozenset(REFUSALS)
    example_options = ({}, {"hidden_bets": True}, {"tiebreak_question": True})
    legal_is_complete = False

    def __init__(self, banks: Mapping[str, Bank] | None = None) -> None:
        super().__init__()
        self.banks = installed_banks() if banks is None else banks

    def edition(self, options: QuitteOuDoubleOptions) -> str:
        bank = self.banks.get(options.bank)
        return "" if bank is None else bank.sha256

    @property
    def editions(self) -> frozenset[str]:
        return frozenset(bank.sha256 for bank in self.banks.values())

    def setup(self, seats: int, options: QuitteOuDoubleOptions) -> QuitteOuDoubleState:
        if options.bank not in self.banks:
            raise RuleViolation("unknown_bank", bank=options.bank, banks=sorted(self.banks))
        if options.captain_locks and not options.hourglass_s:
            # A bot captain never locks for a person: only the clock ends the phase.
            raise RuleViolation("captain_locks_without_hourglass")
        teams = assign_teams(seats, options)
        return QuitteOuDoubleState(
            purses=opening_purses(seats, *(team_purse(team) for team in range(max(teams) + 1))),
            options=options,
            teams=teams,
            cards=[card for card in self.banks[options.bank].cards if card not in options.left_out],
        )

    def deal(self, turn: GameTurn) -> None:
        state, options = turn.state, turn.state.options
        turn.emit(
            GameOpened(
                teams=[list(members(state, team)) for team in range(team_count(state))],
                presenter=Seat(options.presenter),
                banker=Seat(options.banker),
                bank=options.bank,
                bank_sha256=self._bank(options).sha256,
            )
        )

    def play(self, turn: GameTurn, seat: Seat, command: QuitteOuDoubleCommand) -> None:
        state = turn.state
        bank = self._bank(state.options)
        match command:
            case ChooseLevel():
                _require_phase(state, "level")
                _require_presenter(state, seat)
                if command.level not in LEVELS:
                    raise RuleViolation("no_such_level", level=command.level, levels=LEVELS)
                questions.choose_level(turn, bank, command.level, timed_out=False)
            case WriteAnswer():
                _require_phase(state, "answer")
                questions.write_answer(turn, seat, command.answer)
            case LockAnswer():
                _require_phase(state, "answer")
                questions.lock_answer(turn, bank, seat)
            case PlaceToken():
                _require_phase(state, "bet")
                betting.place_token(turn, seat, command)
            case LockBets():
                _require_phase(state, "bet")
                betting.lock_bets(turn, bank, seat)
            case NextQuestion():
                _require_phase(state, "reveal")
                _require_presenter(state, seat)
                questions.next_round(turn, bank)
            case _:
                assert_never(command)

    def tick(self, turn: GameTurn) -> None:
        bank = self._bank(turn.state.options)
        match turn.state.phase:
            case "level":
                # Ruling Q21: without a choice in time, the first question of each card is asked.
                questions.choose_level(turn, bank, LEVELS[0], timed_out=True)
            case "answer":
                questions.close_answers(turn, bank)
            case "bet":
                betting.close_bets(turn, bank)
            case "reveal":
                questions.next_round(turn, bank)
            case "finished":
                raise AssertionError("a finished game awaits no clock")

    def alarm(self, state: QuitteOuDoubleState) -> Alarm | None:
        """Rulebook 1 and 3: the same hourglass for answering and for betting."""
        options = state.options
        limits = {
            "level": options.level_s,
            "answer": options.hourglass_s,
            "bet": options.hourglass_s,
            "reveal": options.reveal_s,
        }
        limit = limits.get(state.phase, 0)
        return Alarm(state.moment, timedelta(seconds=limit)) if limit else None

    def void_bet(self, turn: GameTurn, bet: VoidedBet) -> int:
        return betting.void_bet(turn, bet)

    def legal(self, state: QuitteOuDoubleState, seat: Seat) -> Iterable[QuitteOuDoubleCommand]:
        return legal_commands(state, seat)

    def awaited(self, state: QuitteOuDoubleState) -> frozenset[Seat]:
        """The presenter, or the seats that may lock for a team that has not."""
        return awaited_seats(state)

    def view(self, state: QuitteOuDoubleState, viewer: Seat | None) -> QuitteOuDoubleView:
        return view_of(state, viewer, self._bank(state.options))

    def book(self) -> QuitteOuDoubleBook:
        return BOOK

    def bot(
        self, view: QuitteOuDoubleView, legal: Iterable[QuitteOuDoubleCommand], chance: Chance
    ) -> QuitteOuDoubleCommand | None:
        return bot.choose(view, self._bank(view.options), chance)

    def bot_cue(self, state: QuitteOuDoubleState, seat: Seat) -> Cue | None:
        return bot.cue(state, seat)

    def decides_for_team(self, command: QuitteOuDoubleCommand) -> bool:
        return isinstance(command, LockAnswer | LockBets)

    def teams(self, state: QuitteOuDoubleState) -> tuple[tuple[Seat, ...], ...]:
        return tuple(members(state, team) for team in range(team_count(state)))

    def result(self, state: QuitteOuDoubleState) -> Result | None:
        """Rank teams by gain tokens (rulebook 6). The members of a team share its rank.

        Ruling Q16: the winners of a tie-break rank above the teams that they tied with.
        """
        if state.phase != "finished":
            return None
        totals = scores(state)
        keys = [(-total, team not in state.winners) for team, total in enumerate(totals)]
        groups = [
            tuple(Seat(seat) for seat, team in enumerate(state.teams) if keys[team] == key)
            for key in sorted(set(keys))
        ]
        return Result(tuple(groups), tuple(totals[team] for team in state.teams))

    def _bank(self, options: QuitteOuDoubleOptions) -> Bank:
        return self.banks[options.bank]


def _require_phase(state: QuitteOuDoubleState, phase: Phase) -> None:
    if state.phase == "finished":
        raise RuleViolation("game_over")
    if state.phase != phase:
        raise RuleViolation("wrong_phase", phase=state.phase, needed=phase)


def _require_presenter(state: QuitteOuDoubleState, seat: Seat) -> None:
    if seat != state.options.presenter:
        raise RuleViolation("not_the_presenter", seat=seat, presenter=state.options.presenter)
