"""Positions set by hand: a bank whose every question has the same answer, tokens and tiles."""

from collections.abc import Mapping

from railbird_engine import BANK, Event, RuleViolation, ScriptedChance, Seat, Step
from railbird_engine.rules.quitte_ou_double.commands import PlaceToken, QuitteOuDoubleCommand
from railbird_engine.rules.quitte_ou_double.data.bank import Bank, Question
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.payout import line_up
from railbird_engine.rules.quitte_ou_double.rules import QuitteOuDouble
from railbird_engine.rules.quitte_ou_double.state import QuitteOuDoubleState
from railbird_engine.rules.quitte_ou_double.teams import scores, team_purse

YELLOW, PURPLE, GREEN, BLACK, BLUE, RED = range(6)

DEFAULTS = QuitteOuDoubleOptions()


def bank(answer: str, cards: int = 20) -> Bank:
    """Return cards 1, 2, ... that all ask the same question."""
    question = Question("Combien ?", "How many?", "m", "m", answer, "Our source")
    return Bank(dict.fromkeys(range(1, cards + 1), (question, question, question)), "0" * 64)


class Game:
    """Six teams of one seat each (or as in the options), driven by the test, which knows the right
    answer."""

    def __init__(
        self,
        answer: str,
        *,
        seats: int = 6,
        options: QuitteOuDoubleOptions = DEFAULTS,
        cards: int = 20,
    ) -> None:
        self.rules = QuitteOuDouble({"house": bank(answer, cards)})
        self.step: Step[QuitteOuDoubleState] = self.rules.start(seats, options, ScriptedChance([]))
        self.state = self.step.state

    def act(self, seat: int, command: QuitteOuDoubleCommand) -> Step[QuitteOuDoubleState]:
        return self._keep(
            self.rules.apply(self.state, Seat(seat), command, ScriptedChance([0] * 20))
        )

    def tick(self) -> Step[QuitteOuDoubleState]:
        return self._keep(self.rules.advance(self.state, ScriptedChance([0] * 20)))

    def _keep(self, step: Step[QuitteOuDoubleState]) -> Step[QuitteOuDoubleState]:
        self.step, self.state = step, step.state
        return step

    def refusal(self, seat: int, command: QuitteOuDoubleCommand) -> RuleViolation:
        try:
            self.rules.apply(self.state, Seat(seat), command, ScriptedChance([]))
        except RuleViolation as violation:
            return violation
        raise AssertionError(f"{command} was accepted")

    def bet_on(
        self,
        answers: Mapping[int, str],
        *,
        round_number: int = 3,
        held: Mapping[int, int] | None = None,
    ) -> "Game":
        """Betting time of a round: these answers lie, these teams hold gain tokens."""
        state = self.state
        state.phase, state.round, state.level = "bet", round_number, 1
        state.card = state.cards.pop()
        state.answers = dict(answers)
        state.tiles = line_up(state.answers)
        for team, count in (held or {}).items():
            state.purses[team_purse(team)] += count
            state.purses[BANK] -= count
        return self

    def place(self, seat: int, token: int, zone: int, stake: int = 0) -> "Game":
        self.act(seat, PlaceToken(token, zone, stake))
        return self

    @property
    def scores(self) -> list[int]:
        return scores(self.state)

    @property
    def kinds(self) -> list[type[Event]]:
        """The types of the latest events."""
        return [type(event) for event in self.step.events]
