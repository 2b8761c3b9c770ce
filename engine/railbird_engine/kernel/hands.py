"""The hands of players that a program plays: each looks, decides, and acts some time later.

Workers and playouts share them. They know no clock: the caller says what time it is.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from railbird_engine.kernel.chance import Chance
from railbird_engine.kernel.contract import AnyRules, Cue, State
from railbird_engine.kernel.money import Seat

Ask = Callable[[AnyRules, State, Seat, Chance], Any]
"""Return the command of a seat, or None to wait."""

Notice = Callable[[AnyRules, State, Seat], Cue | None]
"""Return what a seat reacts to, or None while it has nothing to do."""


class Player(NamedTuple):
    """A player that a program plays: what it decides, and what it reacts to."""

    ask: Ask
    notice: Notice


class Move(NamedTuple):
    """The command of a seat, and the version of the game on which it was decided."""

    seat: Seat
    command: Any
    version: int


class _Plan(NamedTuple):
    cue: Cue
    move: Move
    at_ms: float


class Hands:
    """The plans of the players of one game.

    A player decides on the state in which its cue appears, and acts when the delay of the cue has
    passed. If the cue changes meanwhile, it decides again. If it decides to wait, it looks again
    after the delay.
    """

    def __init__(self, rules: AnyRules, chance: Chance, scale: float = 1.0) -> None:
        self._rules = rules
        self._chance = chance
        self._scale = scale
        self._plans: dict[Seat, _Plan] = {}

    @property
    def due_ms(self) -> float | None:
        """When a player acts or looks again, or None."""
        return min((plan.at_ms for plan in self._plans.values()), default=None)

    def look(
        self, state: State, version: int, now_ms: float, players: Mapping[Seat, Player]
    ) -> None:
        """Let all players see a state. Those whose cue is new decide now."""
        for seat in self._plans.keys() - players.keys():
            del self._plans[seat]
        for seat, player in players.items():
            plan, cue = self._plans.get(seat), player.notice(self._rules, state, seat)
            if cue is None:
                self._plans.pop(seat, None)
            elif plan is None or plan.cue != cue or _looks_again(plan, now_ms):
                command = player.ask(self._rules, state, seat, self._chance)
                at_ms = now_ms + self._delay_ms(cue)
                self._plans[seat] = _Plan(cue, Move(seat, command, version), at_ms)

    def take(self, now_ms: float) -> Move | None:
        """Return a command that is due, if any, and forget it: its player looks again."""
        due = [plan for plan in self._plans.values() if plan.at_ms <= now_ms]
        commands = [plan for plan in due if plan.move.command is not None]
        if not commands:
            return None
        first = min(commands, key=lambda plan: plan.at_ms)
        del self._plans[first.move.seat]
        return first.move

    def _delay_ms(self, cue: Cue) -> float:
        spread = self._chance.below(1 + cue.most_ms - cue.least_ms)
        return (cue.least_ms + spread) * self._scale


def _looks_again(plan: _Plan, now_ms: float) -> bool:
    return plan.move.command is None and plan.at_ms <= now_ms
