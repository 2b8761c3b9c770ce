"""A game for load tests of the clock: every beat rolls a die. It is not in the catalogue."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated

import msgspec

from railbird_engine import (
    Alarm,
    Chance,
    Command,
    Event,
    Options,
    Result,
    Rules,
    RuleViolation,
    Seat,
    State,
    Turn,
    View,
    opening_purses,
)


class MetronomeOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`beat_ms`: the time between two rolls."""

    beat_ms: Annotated[int, msgspec.Meta(ge=10, le=60_000)] = 1000


class MetronomeState(State, kw_only=True):
    """`last` is the latest roll, 0 before the first."""

    beat_ms: int
    beats: int = 0
    last: int = 0


class MetronomeView(View, frozen=True, kw_only=True):
    """The whole state: nothing is secret."""

    beats: int
    last: int


class Listen(Command, frozen=True):
    """A command that is always rejected, because the game needs a command type."""


class Rolled(Event, frozen=True, kw_only=True):
    """A beat with the value of the die."""

    beat: int
    value: int


class Metronome(Rules[MetronomeOptions, MetronomeState, Listen, Rolled]):
    """One seat watches; the game has no bets and never ends."""

    slug = "metronome"
    title = {"en": "Metronome", "fr": "Métronome"}
    seats = range(1, 2)
    unit = "point"
    version = 1

    def setup(self, seats: int, options: MetronomeOptions) -> MetronomeState:
        return MetronomeState(purses=opening_purses(seats), beat_ms=options.beat_ms)

    def play(self, turn: Turn[MetronomeState, Rolled], seat: Seat, command: Listen) -> None:
        raise RuleViolation("nothing_to_do")

    def tick(self, turn: Turn[MetronomeState, Rolled]) -> None:
        turn.state.beats += 1
        turn.state.last = turn.chance.die()
        turn.emit(Rolled(beat=turn.state.beats, value=turn.state.last))

    def alarm(self, state: MetronomeState) -> Alarm:
        return Alarm(state.beats, timedelta(milliseconds=state.beat_ms))

    def legal(self, state: MetronomeState, seat: Seat) -> Iterable[Listen]:
        return ()

    def awaited(self, state: MetronomeState) -> frozenset[Seat]:
        return frozenset()

    def view(self, state: MetronomeState, viewer: Seat | None) -> MetronomeView:
        return MetronomeView(beats=state.beats, last=state.last)

    def bot(self, view: MetronomeView, legal: Iterable[Listen], chance: Chance) -> None:
        return None

    def result(self, state: MetronomeState) -> Result | None:
        return None
