"""The opponent."""

from collections.abc import Iterable

from railbird_engine import Chance
from railbird_engine.skeleton.coin_toss.commands import CoinTossCommand


def choose(legal: Iterable[CoinTossCommand], chance: Chance) -> CoinTossCommand | None:
    """Return any legal command, each as likely."""
    commands = list(legal)
    return chance.pick(commands) if commands else None
