"""The commands that a seat may give."""

from collections.abc import Iterator

from railbird_engine import Seat, seat_purse
from railbird_engine.skeleton.coin_toss.commands import CoinTossCommand, PassRound, PlaceBet
from railbird_engine.skeleton.coin_toss.data import SIDES, STAKE_MAX
from railbird_engine.skeleton.coin_toss.state import CoinTossState


def legal_commands(state: CoinTossState, seat: Seat) -> Iterator[CoinTossCommand]:
    if seat in state.choices:
        return
    yield PassRound()
    for stake in range(1, min(STAKE_MAX, state.purses[seat_purse(seat)]) + 1):
        yield from (PlaceBet(side, stake) for side in SIDES)
