"""The events of a game. Bets are reported by the engine's own events."""

from railbird_engine import BetPlaced, BetSettled, Event, Seat
from railbird_engine.skeleton.coin_toss.data import Side


class RoundPassed(Event, frozen=True, kw_only=True):
    """A player bets nothing in this round."""

    seat: Seat


class CoinTossed(Event, frozen=True, kw_only=True):
    """The coin shows a side, and the round is over."""

    round: int
    side: Side


CoinTossEvent = RoundPassed | CoinTossed | BetPlaced | BetSettled
