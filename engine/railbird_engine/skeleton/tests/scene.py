"""Positions for the tests."""

from typing import Any

from railbird_engine import Seat, SeededChance, Step
from railbird_engine.skeleton.coin_toss.commands import CoinTossCommand
from railbird_engine.skeleton.coin_toss.options import CoinTossOptions
from railbird_engine.skeleton.coin_toss.rules import CoinToss
from railbird_engine.skeleton.coin_toss.state import CoinTossState

RULES = CoinToss()


def opening(seats: int = 2, **options: Any) -> CoinTossState:
    """Return the state at the start of a game."""
    return RULES.start(seats, CoinTossOptions(**options), SeededChance(b"scene")).state


def after(
    state: CoinTossState, seat: int, command: CoinTossCommand, key: bytes = b"scene"
) -> Step[CoinTossState]:
    """Return what follows from a command."""
    return RULES.apply(state, Seat(seat), command, SeededChance(key))
