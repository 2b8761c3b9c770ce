"""The course of a game of Quitte ou double: who may do what when. The phases themselves are in
questions and betting."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import assert_never

from games.engine import Alarm, Chance, Result, Rules, RuleViolation, Seat
from games.engine.contract import opening_purses
from games.engine.server import VoidedBet
from games.rules.quitte_ou_double import betting, bots, questions
from games.rules.quitte_ou_double.bank import Bank, installed_banks
from games.rules.quitte_ou_double.commands import (
    ChooseLevel,
    LockAnswer,
    LockBets,
    NextQuestion,
    PlaceToken,
    QuitteOuDoubleCommand,
    WriteAnswer,
)
from games.rules.quitte_ou_double.data import LEVELS, TEAM_COLOURS
from games.rules.quitte_ou_double.events import GameOpened, QuitteOuDoubleEvent
from games.rules.quitte_ou_double.legal import legal_commands
from games.rules.quitte_ou_double.payout import paying_zones
from games.rules.quitte_ou_double.questions import Table
from games.rules.quitte_ou_double.refusals import REFUSALS
from games.rules.quitte_ou_double.table import (
    Phase,
    QuitteOuDoubleOptions,
    QuitteOuDoubleState,
    QuitteOuDoubleView,
    Reveal,
    TeamView,
)
from games.rules.quitte_ou_double.teams import assign_teams, members, scores, team_count, team_purse


class QuitteOuDouble(
    Rules[QuitteOuDoubleOptions, QuitteOuDoubleState, QuitteOuDoubleCommand, QuitteOuDoubleEvent]
):
    """Numeric questions for teams, and bets between their answers. The questions are data of the
    rules, by name of bank."""

    slug = "quitte_ou_double"
    title = {"en": "Double or Quits", "fr": "Quitte ou double"}
    seats = range(4, 21)
    unit = "token"
    version = 2
    refusals = REFUSALS
    legal_is_complete = False

    def __init__(self, banks: Mapping[str, Bank] | None = None) -> None:
        super().__init__()
        self.banks = installed_banks() if banks is None else banks

    def edition(self, options: QuitteOuDoubleOptions) -> str:
        bank = self.banks.get(options.bank)
        return "" if bank is None else bank.sha256

    def setup(self, seats: int, options: QuitteOuDoubleOptions) -> QuitteOuDoubleState:
        if options.bank not in self.banks:
            raise RuleViolation("unknown_bank", bank=options.bank, banks=sorted(self.banks))
        teams = assign_teams(seats, options)
        return QuitteOuDoubleState(
            purses=opening_purses(seats, *(team_purse(team) for team in range(max(teams) + 1))),
            options=options,
            teams=teams,
            cards=list(self.banks[options.bank].cards),
        )

    def deal(self, turn: Table) -> None:
        state, options = turn.state, turn.state.options
        turn.emit(
            GameOpened(
                teams=[list(members(state, team)) for team in range(team_count(state))],
                presenter=Seat(options.presenter),
                banker=Seat(options.banker),
                bank=options.bank,
                bank_sha256=self._bank(state).sha256,
            )
        )

    def play(self, turn: Table, seat: Seat, command: QuitteOuDoubleCommand) -> None:
        state = turn.state
        bank = self._bank(state)
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

    def tick(self, turn: Table) -> None:
        bank = self._bank(turn.state)
        match turn.state.phase:
            case "level":
                # Ruling Q21: who does not choose plays the first question of each card.
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

    def void_bet(self, turn: Table, bet: VoidedBet) -> int:
        return betting.void_bet(turn, bet)

    def legal(self, state: QuitteOuDoubleState, seat: Seat) -> Iterable[QuitteOuDoubleCommand]:
        return legal_commands(state, seat)

    def view(self, state: QuitteOuDoubleState, viewer: Seat | None) -> QuitteOuDoubleView:
        """Hidden from others while it matters: a team's answer, the right answer, and bets where
        the option says so."""
        own = None if viewer is None else state.teams[viewer]
        return QuitteOuDoubleView(
            phase=state.phase,
            round=state.round,
            options=state.options,
            presenter=Seat(state.options.presenter),
            banker=Seat(state.options.banker),
            teams=[
                _team_view(state, team, is_own=team == own) for team in range(team_count(state))
            ],
            level=state.level,
            question=questions.question_view(state, self._bank(state))
            if state.card is not None
            else None,
            tiles=state.tiles,
            stakes_allowed=betting.stakes_allowed(state),
            reveal=self._reveal(state),
            tiebreak=state.tiebreak,
            winners=state.winners,
            you=viewer,
            your_team=own,
        )

    def bot(
        self, view: QuitteOuDoubleView, legal: Iterable[QuitteOuDoubleCommand], chance: Chance
    ) -> QuitteOuDoubleCommand | None:
        return bots.choose(view, chance)

    def teams(self, state: QuitteOuDoubleState) -> tuple[tuple[Seat, ...], ...]:
        return tuple(
            tuple(Seat(seat) for seat in members(state, team)) for team in range(team_count(state))
        )

    def result(self, state: QuitteOuDoubleState) -> Result | None:
        """Rulebook 6: most gain tokens win. A team shares one rank; a tie-break tells winners from
        the rest (Q16)."""
        if state.phase != "finished":
            return None
        totals = scores(state)
        keys = [(-total, team not in state.winners) for team, total in enumerate(totals)]
        groups = [
            tuple(Seat(seat) for seat, team in enumerate(state.teams) if keys[team] == key)
            for key in sorted(set(keys))
        ]
        return Result(tuple(groups), tuple(totals[team] for team in state.teams))

    def _bank(self, state: QuitteOuDoubleState) -> Bank:
        return self.banks[state.options.bank]

    def _reveal(self, state: QuitteOuDoubleState) -> Reveal | None:
        if state.gains is None or state.card is None or state.level is None:
            return None
        question = self._bank(state).question(state.card, state.level)
        zones = [] if state.tiebreak else paying_zones(state.tiles, question.answer)
        return Reveal(question.answer, question.source, zones, state.gains)


def _team_view(state: QuitteOuDoubleState, team: int, *, is_own: bool) -> TeamView:
    tokens_shown = is_own or not state.options.hidden_bets or state.phase != "bet"
    return TeamView(
        team=team,
        colour=dict(TEAM_COLOURS[team]),
        seats=list(members(state, team)),
        score=state.purses[team_purse(team)],
        locked=team in state.locked,
        answer=state.answers.get(team) if is_own else None,
        tokens=state.tokens.get(team, []) if tokens_shown else None,
    )


def _require_phase(state: QuitteOuDoubleState, phase: Phase) -> None:
    if state.phase == "finished":
        raise RuleViolation("game_over")
    if state.phase != phase:
        raise RuleViolation("wrong_phase", phase=state.phase, needed=phase)


def _require_presenter(state: QuitteOuDoubleState, seat: Seat) -> None:
    if seat != state.options.presenter:
        raise RuleViolation("not_the_presenter", seat=seat, presenter=state.options.presenter)
