"""The load game of the clock: a die is rolled at every beat, for ever. Not one of the catalogue's
games."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated

import msgspec

from games.engine import (
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
    """`last` is what the die showed last, 0 before the first roll."""

    beat_ms: int
    beats: int = 0
    last: int = 0


class MetronomeView(View, frozen=True, kw_only=True):
    """Nothing is hidden."""

    beats: int
    last: int


class Listen(Command, frozen=True):
    """There is nothing to do here: always refused."""


class Rolled(Event, frozen=True, kw_only=True):
    """A beat: what the die shows."""

    beat: int
    value: int


class Metronome(Rules[MetronomeOptions, MetronomeState, Listen, Rolled]):
    """One seat watches; nobody plays, nothing is staked, and it never ends."""

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

    def view(self, state: MetronomeState, viewer: Seat | None) -> MetronomeView:
        return MetronomeView(beats=state.beats, last=state.last)

    def bot(self, view: MetronomeView, legal: Iterable[Listen], chance: Chance) -> None:
        return None

    def result(self, state: MetronomeState) -> Result | None:
        return None
