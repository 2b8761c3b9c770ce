"""The commands of a player."""

from typing import Annotated

from msgspec import Meta

from railbird_engine import Command
from railbird_engine.skeleton.coin_toss.data import STAKE_MAX, Side


class PlaceBet(Command, frozen=True):
    """Bet chips on a side."""

    side: Side
    stake: Annotated[int, Meta(ge=1, le=STAKE_MAX)]


class PassRound(Command, frozen=True):
    """Bet nothing in this round."""


CoinTossCommand = PlaceBet | PassRound
