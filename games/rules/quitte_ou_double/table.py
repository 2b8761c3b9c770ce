"""What stands on the table: options, the state, and the view that hides answers until they are
turned."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.engine import Options, Seat, State, View
from games.rules.quitte_ou_double.data import TEAMS_MAX, TEAMS_MIN
from games.rules.quitte_ou_double.decimals import Number
from games.rules.quitte_ou_double.payout import Tile

Seconds = Annotated[int, Meta(ge=0, le=3600, description="0: no limit.")]
Phase = Literal["level", "answer", "bet", "reveal", "finished"]
Level = Annotated[
    int, Meta(ge=1, le=3, description="Which of the three questions of every card is asked.")
]
Team = Annotated[int, Meta(ge=0, lt=TEAMS_MAX, description="A team, numbered from 0.")]
TokenNumber = Annotated[int, Meta(ge=1, le=2, description="Which of a team's two bet tokens.")]
Zone = Annotated[
    int,
    Meta(ge=0, le=TEAMS_MAX, description="0: below the first tile; n: just above the n-th tile."),
]
Stake = Annotated[int, Meta(ge=0, le=10_000, description="Gain tokens under the bet token.")]
SeatNumber = Annotated[int, Meta(ge=0, le=19)]


class QuitteOuDoubleOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`teams` gives the team of each seat; empty: balanced teams, `team_count` of them or as many
    as the seats allow.

    `hourglass_s` limits answering and betting alike (0: until all teams have locked), `level_s` the
    choice of the level, `reveal_s` the pause before the next question. `bank` names the questions.
    """

    teams: Annotated[tuple[Team, ...], Meta(max_length=20)] = ()
    team_count: Annotated[int, Meta(ge=TEAMS_MIN, le=TEAMS_MAX)] | None = None
    presenter: SeatNumber = 0
    banker: SeatNumber = 1
    captain_locks: bool = False
    hourglass_s: Seconds = 30
    level_s: Seconds = 60
    reveal_s: Seconds = 20
    expert_bonus: bool = False
    permanent_double: bool = False
    hidden_bets: bool = False
    tiebreak_question: bool = False
    bank: Annotated[str, Meta(pattern=r"^[a-z0-9_-]{1,40}$(?!\n)")] = "house"


class Token(msgspec.Struct, frozen=True):
    """A bet token on the table, the gain tokens under it, and who put it there."""

    number: TokenNumber
    zone: Zone
    stake: Stake
    seat: Seat


class QuitteOuDoubleState(State, kw_only=True):
    """`teams` gives the team of each seat, `cards` the cards not yet drawn. `answers` and `tokens`
    are kept by team. `moment` names what the clock is awaited for. The question is on `card`; its
    answer is in the bank, not here."""

    options: QuitteOuDoubleOptions
    teams: list[int]
    phase: Phase = "level"
    moment: int = 1
    round: int = 0
    level: Level | None = None
    cards: list[int]
    card: int | None = None
    unanswered: int = 0
    """Questions in a row, in this round, that nobody answered."""
    answers: dict[int, str] = {}
    tiles: list[Tile] = []
    tokens: dict[int, list[Token]] = {}
    locked: list[int] = []
    bets: int = 0
    gains: list[int] | None = None
    """While an answer is shown: what each team gained or lost with it."""
    tiebreak: list[int] = []
    """The teams that play the tie-break."""
    winners: list[int] = []


class TeamView(msgspec.Struct, frozen=True):
    """A team as one viewer sees it: `answer` and, where bets are hidden, `tokens` only for its own
    members."""

    team: Team
    colour: dict[str, str]
    seats: list[Seat]
    score: int
    locked: bool
    answer: Number | None
    tokens: list[Token] | None


class QuestionView(msgspec.Struct, frozen=True):
    """What is asked, in both languages."""

    card: int
    fr: str
    en: str
    unit_fr: str
    unit_en: str


class Reveal(msgspec.Struct, frozen=True):
    """The right answer, the zones that pay, and what each team gained or lost, by team."""

    answer: Number
    source: str
    paying_zones: list[Zone]
    gains: list[int]


class QuitteOuDoubleView(View, frozen=True, kw_only=True):
    """The table. `reveal` is there once the right answer is."""

    phase: Phase
    round: int
    options: QuitteOuDoubleOptions
    presenter: Seat
    banker: Seat
    teams: list[TeamView]
    level: Level | None
    question: QuestionView | None
    tiles: list[Tile]
    stakes_allowed: bool
    reveal: Reveal | None
    tiebreak: list[Team]
    winners: list[Team]
    you: Seat | None
    your_team: Team | None
