"""The events of Quitte ou double, in addition to the common events of bets."""

from typing import Literal

from railbird_engine import BetPlaced, BetSettled, Event, Seat, Text, Turn
from railbird_engine.rules.quitte_ou_double.decimals import Number
from railbird_engine.rules.quitte_ou_double.options import Team
from railbird_engine.rules.quitte_ou_double.payout import Tile
from railbird_engine.rules.quitte_ou_double.state import (
    Level,
    QuitteOuDoubleState,
    Stake,
    TokenNumber,
    Zone,
)
from railbird_engine.rules.quitte_ou_double.view import QuestionView


class GameOpened(Event, frozen=True, kw_only=True):
    """The game begins: teams, roles, and the question bank with the SHA-256 of its content."""

    teams: list[list[Seat]]
    presenter: Seat
    banker: Seat
    bank: str
    bank_sha256: str


class LevelChosen(Event, frozen=True, kw_only=True):
    """The whole game asks questions of this level. `timed_out`: the clock chose it."""

    level: Level
    timed_out: bool


class QuestionAsked(Event, frozen=True, kw_only=True):
    """A question is asked and the hourglass runs. A round above seven is the tie-break.

    With `stakes_allowed`, gain tokens may be staked.
    """

    round: int
    question: QuestionView
    has_unit: bool
    stakes_allowed: bool


class AnswerWritten(Event, frozen=True, kw_only=True):
    """A seat wrote the answer of its team. Only the team may read it."""

    seat: Seat
    answer: Number


class TeamLocked(Event, frozen=True, kw_only=True):
    """A team locked its answer or its bets."""

    team: Team
    seat: Seat


class TilesRevealed(Event, frozen=True, kw_only=True):
    """The answers of all teams are shown, sorted and stacked."""

    tiles: list[Tile]


class QuestionDiscarded(Event, frozen=True, kw_only=True):
    """Nobody answered the question, so it is discarded and its answer shown."""

    card: int
    answer: Number


class RoundSkipped(Event, frozen=True, kw_only=True):
    """The round counts as played, without payment."""

    round: int
    reason: Literal["unanswered", "no_cards"]


class TokenPlaced(Event, frozen=True, kw_only=True):
    """A bet token was placed or moved. Where bets are hidden, only the team may read it."""

    seat: Seat
    team: Team
    token: TokenNumber
    zone: Zone
    stake: Stake


class AnswerRevealed(Event, frozen=True, kw_only=True):
    """The right answer is shown, with the zones that pay and the teams whose tiles do."""

    round: int
    answer: Number
    unit: Text
    source: str
    paying_zones: list[Zone]
    paid_tiles: list[Team]
    exact_tiles: list[Team]


class TilePaid(Event, frozen=True, kw_only=True):
    """A team got gain tokens for its tile; `is_exact`: its answer was exactly right."""

    team: Team
    amount: int
    is_exact: bool


class TiebreakStarted(Event, frozen=True, kw_only=True):
    """These teams lead together and answer one more question; the closest answer wins."""

    teams: list[Team]


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over: the winners, and the scores by team."""

    winners: list[Team]
    scores: list[int]


QuitteOuDoubleEvent = (
    GameOpened
    | LevelChosen
    | QuestionAsked
    | AnswerWritten
    | TeamLocked
    | TilesRevealed
    | QuestionDiscarded
    | RoundSkipped
    | TokenPlaced
    | AnswerRevealed
    | TilePaid
    | TiebreakStarted
    | GameEnded
    | BetPlaced
    | BetSettled
)

GameTurn = Turn[QuitteOuDoubleState, QuitteOuDoubleEvent]
