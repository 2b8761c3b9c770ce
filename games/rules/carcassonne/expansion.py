"""Where an expansion may speak: the stages of a turn and of the end of the game. One module and one
data file make one."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from games.engine import Command, Seat
from games.rules.carcassonne.commands import CarcassonneCommand
from games.rules.carcassonne.state import CarcassonneState, CarcassonneTurn


class Expansion(ABC):
    """What is added to the base game.

    After the placement a turn passes through `settlement` (action 3) and `bets` (action 4), and the
    game ends with `evaluation`, before the final scoring. Each of these stages lasts while some
    seat has a choice in it."""

    commands: ClassVar[tuple[type[Command], ...]]
    """The commands that are this expansion's to carry out."""

    @abstractmethod
    def prepare(self, state: CarcassonneState) -> None:
        """Give every seat what it starts with, and mix in the tiles."""

    @abstractmethod
    def begin(self, turn: CarcassonneTurn) -> None:
        """A stage begins: decide what needs no player."""

    @abstractmethod
    def choices(self, state: CarcassonneState, seat: Seat) -> Iterable[CarcassonneCommand]:
        """What the seat may choose in this stage; empty when it is not awaited."""

    @abstractmethod
    def play(self, turn: CarcassonneTurn, seat: Seat, command: CarcassonneCommand) -> None:
        """Carry out a choice, or raise RuleViolation."""

    @abstractmethod
    def default(self, state: CarcassonneState, seat: Seat) -> CarcassonneCommand:
        """The choice of an awaited seat that says nothing until its deadline."""

    @abstractmethod
    def finish(self, turn: CarcassonneTurn) -> None:
        """Everybody has chosen: carry the stage out."""
