"""The whole state of a game, including hidden answers."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from railbird_engine import Seat, State
from railbird_engine.rules.quitte_ou_double.data import TEAMS_MAX
from railbird_engine.rules.quitte_ou_double.options import QuitteOuDoubleOptions
from railbird_engine.rules.quitte_ou_double.payout import Tile

CHANGES_MAX: Final = 40
"""How often a team may change its answer, and then its bets (ruling Q23)."""

Phase = Literal["level", "answer", "bet", "reveal", "finished"]
Level = Annotated[
    int, Meta(ge=1, le=3, description="Which of the three questions of every card is asked.")
]
TokenNumber = Annotated[int, Meta(ge=1, le=2, description="Which of a team's two bet tokens.")]
Zone = Annotated[
    int,
    Meta(ge=0, le=TEAMS_MAX, description="0: below the first tile; n: just above the n-th tile."),
]
Stake = Annotated[int, Meta(ge=0, le=10_000, description="Gain tokens under the bet token.")]


class Token(msgspec.Struct, frozen=True):
    """A bet token in a zone, the gain tokens under it, and the seat that placed it."""

    number: TokenNumber
    zone: Zone
    stake: Stake
    seat: Seat


class QuitteOuDoubleState(State, kw_only=True):
    """`teams` gives the team of each seat, `cards` the cards not yet drawn. `answers` and `tokens`
    are kept by team. `moment` numbers the alarms. `card` is the question being asked: its right
    answer is in the bank, not here.
    """

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
    changes: dict[int, int] = {}
    """By team, how often it changed its answer, or its bets."""
    bets: int = 0
    gains: list[int] | None = None
    """While an answer is shown: the gain or loss of each team."""
    tiebreak: list[int] = []
    """The teams that play the tie-break."""
    winners: list[int] = []
