"""A whole game on the pure rules, with bots and a simulated clock.

For simulations, conformance and golden playthroughs.
"""

import hashlib
import struct
from collections.abc import Callable, Collection, Iterator
from typing import Any

import msgspec

from railbird_engine.kernel.chance import Chance, Draw, SeededChance
from railbird_engine.kernel.contract import AnyRules, Options, Result, RuleViolation, State, Step
from railbird_engine.kernel.events import Event
from railbird_engine.kernel.money import Seat, Transfer
from railbird_engine.kernel.server_commands import VoidedBet

Ask = Callable[[AnyRules, State, Seat, Chance], Any]

THINK_MS = (400, 2000)
"""How long a bot looks before it acts, at least and at most, in milliseconds of simulated time."""

IDLE_ASKS_MAX = 10_000


class Whims(Chance):
    """Fast luck for the decisions of players. It is no part of the game, so nothing is recorded.

    The same key gives the same whims.
    """

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self._key = key
        self._blocks = 0
        self._words: list[int] = []

    def _value(self, number: int, bound: int) -> int:
        return self.below(bound)

    def below(self, bound: int) -> int:
        """Pick from `range(bound)`: a remainder of 64 bits, whose bias matters to no bot."""
        if not self._words:
            block = hashlib.shake_256(self._key + self._blocks.to_bytes(8, "big")).digest(2048)
            self._words = list(struct.unpack("<256Q", block))
            self._blocks += 1
        return self._words.pop() % bound


class StuckError(Exception):
    """A game that has not ended awaits nobody: no alarm is set and no seat has a move."""


class Commit(msgspec.Struct, frozen=True, gc=False):
    """One accepted step: its seat and command, and what followed.

    `seat` is None for the clock (no command) and for the operator (a VoidedBet).
    """

    seat: Seat | None
    command: Any
    draws: tuple[Draw, ...]
    events: tuple[Event, ...]
    transfers: tuple[Transfer, ...]


def ask_bot(
    rules: AnyRules,
    state: State,
    seat: Seat,
    chance: Chance,
    bots: Collection[int] | None = None,
) -> Any:
    """Return what the game's bot does in this seat, or None to wait.

    `bots` are the seats that bots play (None: all). A bot leaves a command that decides for its
    team to the people in the team.
    """
    if rules.bot_waits(state, seat):
        return None
    command = rules.bot(rules.view(state, seat), rules.legal(state, seat), chance)
    if bots is None or command is None or not rules.decides_for_team(command):
        return command
    mates = next((team for team in rules.teams(state) or () if seat in team), ())
    return command if all(mate in bots for mate in mates) else None


def ask_random(rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
    """Return any legal command, each as likely; None when there is none.

    The bot fills in a form.
    """
    legal = list(rules.legal(state, seat))
    command = chance.pick(legal) if legal else None
    if command is not None and rules.is_form(command):
        return ask_bot(rules, state, seat, chance)
    return command


class Playout:
    """One game from its first step to its result.

    `key` decides the draws, `whims` the decisions of the players.
    """

    def __init__(
        self, rules: AnyRules, seats: int, options: Options, key: bytes, whims: Chance | None = None
    ) -> None:
        self.rules = rules
        self.seats = seats
        self.options = options
        self.now_ms = 0.0
        self.commits: list[Commit] = []
        self.key = key
        self._drawn = 0
        self._whims = whims or Whims(key)
        self._due_ms: float | None = None
        self._alarm: int | None = None
        self.state: State
        self._commit(None, None, rules.start(seats, options, self._chance()), ticked=False)

    def _chance(self) -> Chance:
        return SeededChance(self.key, self._drawn)

    def _commit(self, seat: Seat | None, command: Any, step: Step[Any], *, ticked: bool) -> None:
        self.state = step.state
        self._drawn += len(step.draws)
        self._committed_ms = self.now_ms
        self.commits.append(Commit(seat, command, step.draws, step.events, step.transfers))
        alarm = self.rules.alarm(self.state)
        if alarm is None:
            self._alarm = self._due_ms = None
        elif alarm.number != self._alarm:
            base = self._due_ms if ticked and self._due_ms is not None else self.now_ms
            self._alarm, self._due_ms = alarm.number, base + alarm.after.total_seconds() * 1000

    @property
    def result(self) -> Result | None:
        """How the game ended, or None."""
        return self.rules.result(self.state)

    def act(self, seat: Seat, command: Any) -> Step[Any]:
        """Carry out a seat's command. A RuleViolation changes nothing."""
        step = self.rules.apply(self.state, seat, command, self._chance())
        self._commit(seat, command, step, ticked=False)
        return step

    def tick(self) -> Step[Any]:
        """Let the clock answer the alarm now."""
        step = self.rules.advance(self.state, self._chance())
        self._commit(None, None, step, ticked=True)
        return step

    def void(self, bet: VoidedBet) -> Step[Any]:
        """Void a bet as the operator, even after the end. Raises RuleViolation."""
        step = self.rules.void(self.state, bet, self._chance())
        self._commit(None, bet, step, ticked=False)
        return step

    def run(self, ask: Ask = ask_bot, think_ms: tuple[int, int] = THINK_MS) -> Iterator[Commit]:
        """Play to the end and yield every commit after the first.

        Each seat acts at its own pace while the clock runs. Raises StuckError when nobody can
        move, and RuleViolation when a player asks for an illegal command.
        """
        least, spread = think_ms[0], think_ms[1] - think_ms[0] + 1
        looks = [float(least + self._whims.below(spread)) for _ in range(self.seats)]
        while self.result is None:
            self._await_commit(ask, looks, least, spread)
            yield self.commits[-1]
            # The draws of whims are no part of the game; dropping them bounds the memory.
            self._whims.draws.clear()

    def _await_commit(self, ask: Ask, looks: list[float], least: int, spread: int) -> None:
        """Let time pass until the clock ticks or a seat acts. `looks`: when each seat looks next,
        in milliseconds."""
        rules, state, whims, due_ms, idle = self.rules, self.state, self._whims, self._due_ms, 0
        while True:
            look = min(looks)
            if due_ms is not None and due_ms <= look:
                self.now_ms = due_ms
                self.tick()
                return
            seat = Seat(looks.index(look))
            self.now_ms = look
            looks[seat] += least + whims.below(spread)
            pause = rules.bot_pause(state, seat)
            if pause and look < self._committed_ms + pause.total_seconds() * 1000:
                continue
            command = ask(rules, state, seat, whims)
            if command is not None:
                self.act(seat, command)
                return
            idle += 1
            if due_ms is None and idle > IDLE_ASKS_MAX:
                raise StuckError(
                    f"{rules.slug}: no alarm, and nobody has a move "
                    f"after {len(self.commits)} commits"
                )


def play_out(
    rules: AnyRules, seats: int, options: Options, key: bytes, ask: Ask = ask_bot
) -> Playout:
    """Return a finished playout."""
    playout = Playout(rules, seats, options, key)
    for _ in playout.run(ask):
        pass
    return playout


__all__ = ["Commit", "Playout", "RuleViolation", "StuckError", "ask_bot", "ask_random", "play_out"]
