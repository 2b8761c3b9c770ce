"""The view of players and spectators."""

from railbird_engine import Seat, View
from railbird_engine.skeleton.coin_toss.options import CoinTossOptions
from railbird_engine.skeleton.coin_toss.state import Choice, CoinTossState


class CoinTossView(View, frozen=True, kw_only=True):
    """The whole state: nothing is secret."""

    options: CoinTossOptions
    round: int
    purses: dict[str, int]
    choices: dict[Seat, Choice]


def view_of(state: CoinTossState) -> CoinTossView:
    return CoinTossView(
        options=state.options,
        round=state.round,
        purses={str(purse): held for purse, held in state.purses.items()},
        choices=dict(state.choices),
    )
