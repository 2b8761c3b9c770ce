"""What a seat may ask for. A seat acts for its whole team."""

from games.engine import Command
from games.rules.quitte_ou_double.decimals import Number
from games.rules.quitte_ou_double.table import Level, Stake, TokenNumber, Zone


class ChooseLevel(Command, frozen=True):
    """The presenter: which question of each card this game asks."""

    level: Level


class WriteAnswer(Command, frozen=True):
    """Write, or write anew, the team's answer: the last one counts."""

    answer: Number


class LockAnswer(Command, frozen=True):
    """Lay the tile face down: the team's answer stands."""


class PlaceToken(Command, frozen=True):
    """Put a bet token between two tiles, or move it there, with this many gain tokens under it."""

    token: TokenNumber
    zone: Zone
    stake: Stake = 0


class LockBets(Command, frozen=True):
    """Both bet tokens stay where they are."""


class NextQuestion(Command, frozen=True):
    """The presenter: go on after the answer was shown."""


QuitteOuDoubleCommand = (
    ChooseLevel | WriteAnswer | LockAnswer | PlaceToken | LockBets | NextQuestion
)
