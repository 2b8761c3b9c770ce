"""A whole game on the pure rules, with bots and a simulated clock.

For simulations, conformance and golden playthroughs.
"""

import hashlib
import struct
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import msgspec

from railbird_engine.kernel.chance import Chance, Draw, SeededChance
from railbird_engine.kernel.contract import (
    AnyRules,
    Cue,
    Options,
    Result,
    RuleViolation,
    State,
    Step,
)
from railbird_engine.kernel.events import Event
from railbird_engine.kernel.hands import Ask, Hands, Player
from railbird_engine.kernel.money import Seat, Transfer
from railbird_engine.kernel.server_commands import VoidedBet

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


_OFTEN: Final = Cue(None, 400, 2000)


def bot_notices(rules: AnyRules, state: State, seat: Seat) -> Cue | None:
    """Return the cue of the game's bot in this seat."""
    return rules.bot_cue(state, seat)


def _looks_often(rules: AnyRules, state: State, seat: Seat) -> Cue:
    return _OFTEN


def player_of(ask: Ask | Player) -> Player:
    """Return a player that decides with `ask`. A bot has the cues of its game; any other player
    looks every 0.4 to 2 seconds."""
    if isinstance(ask, Player):
        return ask
    return Player(ask, bot_notices if ask is ask_bot else _looks_often)


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
        self.refused = 0
        """How many commands came too late."""
        self.key = key
        self._drawn = 0
        self._whims = whims or Whims(key)
        self._due_ms: float | None
        self._alarm: int | None = None
        self.state: State
        self._commit(None, None, rules.start(seats, options, self._chance()), ticked=False)

    def _chance(self) -> Chance:
        return SeededChance(self.key, self._drawn)

    def _commit(self, seat: Seat | None, command: Any, step: Step[Any], *, ticked: bool) -> None:
        self.state = step.state
        self._drawn += len(step.draws)
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

    def run(
        self, ask: Ask | Player = ask_bot, players: Mapping[Seat, Player] | None = None
    ) -> Iterator[Commit]:
        """Play to the end and yield every commit after the first.

        Each seat acts at its own pace while the clock runs: with `ask`, or as its player. A command
        that others made impossible before its player acted is refused, and its player looks again.
        Raises StuckError when nobody can move, and RuleViolation when a player asks for a command
        that was never possible.
        """
        hands = Hands(self.rules, self._whims)
        everyone = {Seat(seat): player_of(ask) for seat in range(self.seats)} | dict(players or {})
        while self.result is None:
            self._await_commit(hands, everyone)
            yield self.commits[-1]
            # The draws of whims are no part of the game; dropping them bounds the memory.
            self._whims.draws.clear()

    def _await_commit(self, hands: Hands, players: Mapping[Seat, Player]) -> None:
        """Let time pass until the clock ticks or a seat acts."""
        idle, version = 0, len(self.commits)
        while True:
            hands.look(self.state, version, self.now_ms, players)
            due_ms = hands.due_ms
            if self._due_ms is not None and (due_ms is None or self._due_ms <= due_ms):
                self.now_ms = self._due_ms
                self.tick()
                return
            if due_ms is None or (idle > IDLE_ASKS_MAX and self._due_ms is None):
                raise StuckError(
                    f"{self.rules.slug}: no alarm, and nobody has a move after {version} commits"
                )
            self.now_ms = due_ms
            move = hands.take(due_ms)
            if move is None:
                idle += 1
                continue
            try:
                self.act(move.seat, move.command)
            except RuleViolation:
                if move.version == version:
                    raise
                self.refused += 1
            else:
                return


def play_out(
    rules: AnyRules, seats: int, options: Options, key: bytes, ask: Ask | Player = ask_bot
) -> Playout:
    """Return a finished playout."""
    playout = Playout(rules, seats, options, key)
    for _ in playout.run(ask):
        pass
    return playout


__all__ = [
    "Ask",
    "Commit",
    "Player",
    "Playout",
    "RuleViolation",
    "StuckError",
    "ask_bot",
    "ask_random",
    "bot_notices",
    "play_out",
    "player_of",
]
