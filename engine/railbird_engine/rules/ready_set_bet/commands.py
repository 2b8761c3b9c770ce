"""The commands of Ready Set Bet."""

from typing import Annotated

from msgspec import Meta

from railbird_engine import Command
from railbird_engine.rules.ready_set_bet.data import TokenColour


class PlaceBet(Command, frozen=True):
    """Put one of your tokens, named by its value, on a free spot. `bonus` is the colour of a bonus
    token."""

    spot: Annotated[str, Meta(max_length=32)]
    token: int
    bonus: TokenColour | None = None


class KeepVip(Command, frozen=True):
    """Keep one of the VIP cards that you were dealt. It stays secret until all seats have
    chosen."""

    card: Annotated[str, Meta(max_length=16)]


class SkipTokens(Command, frozen=True):
    """Leave your unplaced tokens off the board in this race (announcer only)."""


class StartRace(Command, frozen=True):
    """Make the start call (announcer only)."""


class RollDice(Command, frozen=True):
    """Roll the dice (announcer only)."""


class TakeDice(Command, frozen=True):
    """Take the dice again, while the server rolls for you (announcer only)."""


class AnswerOffer(Command, frozen=True):
    """Accept or decline the offer to announce the next race."""

    accept: bool


class GetReady(Command, frozen=True):
    """Be ready before the pause ends: it ends at once when all seats are."""


RaceCommand = (
    PlaceBet | KeepVip | SkipTokens | StartRace | RollDice | TakeDice | AnswerOffer | GetReady
)
