"""Everything that must be stored between two commands."""

import msgspec

from railbird_engine import Seat, State
from railbird_engine.skeleton.coin_toss.data import Side
from railbird_engine.skeleton.coin_toss.options import CoinTossOptions


class Choice(msgspec.Struct, frozen=True):
    """The choice of a player in this round. Bet 0 stands for a pass."""

    bet: int
    side: Side
    stake: int


class CoinTossState(State, kw_only=True):
    """`choices` of the current round by seat; `round` counts from 1; `bets` were placed so far."""

    seats: int
    options: CoinTossOptions
    round: int = 1
    bets: int = 0
    choices: dict[Seat, Choice] = {}
