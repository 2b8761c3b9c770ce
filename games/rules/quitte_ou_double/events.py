"""What happens at the table, and who may read it. Bets are the engine's common events."""

from typing import Literal

from games.engine import BetPlaced, BetSettled, Event, Seat
from games.rules.quitte_ou_double.decimals import Number
from games.rules.quitte_ou_double.payout import Tile
from games.rules.quitte_ou_double.table import Level, QuestionView, Stake, Team, TokenNumber, Zone


class GameOpened(Event, frozen=True, kw_only=True):
    """Teams and roles, and the question bank with the fingerprint of its text."""

    teams: list[list[Seat]]
    presenter: Seat
    banker: Seat
    bank: str
    bank_sha256: str


class LevelChosen(Event, frozen=True, kw_only=True):
    """The whole game asks questions of this level."""

    level: Level
    timed_out: bool


class QuestionAsked(Event, frozen=True, kw_only=True):
    """The hourglass runs. A round above seven is the tie-break."""

    round: int
    question: QuestionView


class AnswerWritten(Event, frozen=True, kw_only=True):
    """For the team only: what one of them wrote."""

    seat: Seat
    answer: Number


class TeamLocked(Event, frozen=True, kw_only=True):
    """A team's answer, or its bets, stand."""

    team: Team
    seat: Seat


class TilesRevealed(Event, frozen=True, kw_only=True):
    """All answers, sorted and stacked."""

    tiles: list[Tile]


class QuestionDiscarded(Event, frozen=True, kw_only=True):
    """Nobody answered, so nobody can bet."""

    card: int
    answer: Number


class RoundSkipped(Event, frozen=True, kw_only=True):
    """The round counts as played, without payment."""

    round: int
    reason: Literal["unanswered", "no_cards"]


class TokenPlaced(Event, frozen=True, kw_only=True):
    """A bet token was put down or moved; for the team only where bets are hidden."""

    seat: Seat
    team: Team
    token: TokenNumber
    zone: Zone
    stake: Stake


class AnswerRevealed(Event, frozen=True, kw_only=True):
    """The right answer, the zones that pay and the teams whose tiles do."""

    round: int
    answer: Number
    source: str
    paying_zones: list[Zone]
    paid_tiles: list[Team]
    exact_tiles: list[Team]


class TiebreakStarted(Event, frozen=True, kw_only=True):
    """These teams lead together and answer one more question; the closest answer wins."""

    teams: list[Team]


class GameEnded(Event, frozen=True, kw_only=True):
    """Who won; scores by team."""

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
    | TiebreakStarted
    | GameEnded
    | BetPlaced
    | BetSettled
)
