"""The contract of an expansion: the stages of a turn and of the end of the game in which it acts.

An expansion is one module and one data file."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from railbird_engine import Command, Seat
from railbird_engine.rules.carcassonne.commands import CarcassonneCommand
from railbird_engine.rules.carcassonne.state import CarcassonneState, CarcassonneTurn


class Expansion(ABC):
    """An addition to the base game.

    After the placement, a turn passes through `settlement` (action 3) and `bets` (action 4). The
    game ends with `evaluation`, before the final scoring. Each stage lasts while some seat has a
    choice in it."""

    commands: ClassVar[tuple[type[Command], ...]]
    """The commands of this expansion."""

    @abstractmethod
    def prepare(self, state: CarcassonneState) -> None:
        """Give every seat what it starts with, and mix in the tiles."""

    @abstractmethod
    def begin(self, turn: CarcassonneTurn) -> None:
        """Begin a stage: decide everything that needs no player."""

    @abstractmethod
    def choices(self, state: CarcassonneState, seat: Seat) -> Iterable[CarcassonneCommand]:
        """Return the choices of the seat in this stage; empty when it has none."""

    @abstractmethod
    def play(self, turn: CarcassonneTurn, seat: Seat, command: CarcassonneCommand) -> None:
        """Carry out a choice, or raise RuleViolation."""

    @abstractmethod
    def default(self, state: CarcassonneState, seat: Seat) -> CarcassonneCommand:
        """Return the choice of a seat that does not choose before its deadline."""

    @abstractmethod
    def finish(self, turn: CarcassonneTurn) -> None:
        """Carry out the stage after all seats have chosen."""
