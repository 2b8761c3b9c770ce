"""The commands of Quitte ou double. A seat acts for its whole team."""

from railbird_engine import Command
from railbird_engine.rules.quitte_ou_double.decimals import TypedNumber
from railbird_engine.rules.quitte_ou_double.state import Level, Stake, TokenNumber, Zone


class ChooseLevel(Command, frozen=True):
    """Choose which question of each card this game asks (presenter only)."""

    level: Level


class WriteAnswer(Command, frozen=True):
    """Write the team's answer, or replace it: the last one counts."""

    answer: TypedNumber


class LockAnswer(Command, frozen=True):
    """Lock the team's answer: it can no longer change."""


class PlaceToken(Command, frozen=True):
    """Place a bet token between two tiles, or move it, with `stake` gain tokens under it."""

    token: TokenNumber
    zone: Zone
    stake: Stake = 0


class LockBets(Command, frozen=True):
    """Lock both bet tokens: they can no longer move."""


class NextQuestion(Command, frozen=True):
    """Continue with the next question after the answer was shown (presenter only)."""


QuitteOuDoubleCommand = (
    ChooseLevel | WriteAnswer | LockAnswer | PlaceToken | LockBets | NextQuestion
)
