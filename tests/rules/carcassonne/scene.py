"""Positions for tests: a scene places the tiles that a test chooses, whatever was drawn.

For example `Scene(2).lay("BK3@0,-1r2", meeple="C1", seat=0)`.
"""

import re
from typing import TypeVar

import msgspec
import pytest

from railbird_engine import Event, RuleViolation, Seat, SeededChance, Step
from railbird_engine.rules.carcassonne.board import Feature, cell_at
from railbird_engine.rules.carcassonne.commands import (
    CarcassonneCommand,
    ChooseFeature,
    PassBet,
    PlaceBet,
    PlaceMeeple,
    PlaceTile,
    SkipMeeple,
)
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.rules import Carcassonne
from railbird_engine.rules.carcassonne.scoring import points_of
from railbird_engine.rules.carcassonne.state import CarcassonneState
from railbird_engine.rules.carcassonne.view import CarcassonneView

EventT = TypeVar("EventT", bound=Event)

RULES = Carcassonne()

A, B, C = Seat(0), Seat(1), Seat(2)

_PLACEMENT = re.compile(r"(\w+)@(-?\d+),(-?\d+)r([0-3])")


class Scene:
    """A game in play. `events` are those of the last command."""

    def __init__(
        self, seats: int = 2, options: CarcassonneOptions | None = None, rules: Carcassonne = RULES
    ) -> None:
        self.rules = rules
        self._drawn = 0
        self.state: CarcassonneState
        self.events: tuple[Event, ...] = ()
        self._take(rules.start(seats, options or CarcassonneOptions(), self._chance()))

    def _chance(self) -> SeededChance:
        return SeededChance(b"table", self._drawn)

    def _take(self, step: Step[CarcassonneState]) -> None:
        self.state, self.events = step.state, step.events
        self._drawn += len(step.draws)

    def play(self, seat: Seat, command: CarcassonneCommand) -> None:
        """Carry out a command."""
        self._take(self.rules.apply(self.state, seat, command, self._chance()))

    def tick(self) -> None:
        """Let the clock answer the alarm."""
        self._take(self.rules.advance(self.state, self._chance()))

    def refusal(self, seat: Seat, command: CarcassonneCommand) -> tuple[str, dict[str, object]]:
        """Return code and data of the refusal of a command."""
        before = msgspec.json.encode(self.state)
        with pytest.raises(RuleViolation) as caught:
            self.rules.apply(self.state, seat, command, self._chance())
        assert msgspec.json.encode(self.state) == before
        assert command not in self.legal(seat)
        return caught.value.code, caught.value.data

    def turn(self, seat: Seat, tile: str) -> None:
        """Start this seat's turn with this tile; the tile that it drew goes back to the stack."""
        state = self.state
        assert state.stage == "tile", f"the scene is waiting for {state.stage}"
        if state.tile is not None and state.stack:
            state.stack.append(state.tile)
        if tile in state.stack:
            state.stack.remove(tile)
        state.active, state.tile = seat, tile

    def put(self, placement: str, seat: Seat = A) -> None:
        """Place this tile for this seat (actions 0 and 1)."""
        match = _PLACEMENT.fullmatch(placement)
        assert match is not None, placement
        self.turn(seat, match[1])
        self.play(seat, PlaceTile(int(match[2]), int(match[3]), int(match[4])))

    def lay(self, placement: str, meeple: str | None = None, seat: Seat = A) -> None:
        """Place this tile for this seat, with a meeple on this segment or none (actions 0 to 2, and
        3 if it needs no choice)."""
        self.put(placement, seat)
        placed = self.events
        if self.state.stage == "meeple":
            self.play(seat, PlaceMeeple(meeple) if meeple else SkipMeeple())
            self.events = placed + self.events

    def bet(self, **chips: str | None) -> None:
        """Bet in action 4: `bet(a="b4", b=None)`. Other seats pass."""
        for seat in self.awaited:
            chip = chips.get("abcdef"[seat])
            self.play(seat, PlaceBet(chip) if chip else PassBet())

    def choose(self, seat: Seat, x: int, y: int, segment: str) -> None:
        """Choose a feature for the chips by a segment of their tile."""
        self.play(seat, ChooseFeature(x, y, self.number(x, y, segment)))

    def empty_stack(self, *left: str) -> None:
        """Leave only these tiles in the stack."""
        self.state.stack[:] = left

    @property
    def awaited(self) -> list[Seat]:
        return list(self.view(None).awaited)

    @property
    def points(self) -> tuple[int, ...]:
        return points_of(self.state)

    def view(self, viewer: Seat | None) -> CarcassonneView:
        return self.rules.view(self.state, viewer)

    def legal(self, seat: Seat) -> list[CarcassonneCommand]:
        return list(self.rules.legal(self.state, seat))

    def number(self, x: int, y: int, segment: str) -> int:
        """Return the number of the feature of a segment of the tile at x, y."""
        placed = self.state.board.cells[cell_at(x, y)]
        return placed.features[self.rules._land.names(placed.tile).index(segment)]

    def feature(self, x: int, y: int, segment: str) -> Feature:
        return self.state.board.features[self.number(x, y, segment)]

    def events_of(self, kind: type[EventT]) -> list[EventT]:
        """Return the events of this type from the last command."""
        return [event for event in self.events if isinstance(event, kind)]

    def chips(self, seat: Seat) -> list[str]:
        assert self.state.betting is not None
        return self.state.betting.chips[seat]


# Positions that several tests start from; B1, B2 and B8 are vectors of test_bets.


def board_b1(knight: str | None = "C1") -> Scene:
    """You are A (b36), green is B (b4), blue is C (b45)."""
    scene = Scene(3)
    scene.lay("BK3@0,-1r2", knight, A)
    scene.bet(a="b36", b="b4", c="b45")
    scene.lay("F@1,-1r0")
    return scene


def board_b2() -> Scene:
    scene = Scene(2)
    scene.lay("U@1,0r0")
    scene.lay("E@1,-1r3")
    return scene


def board_b8() -> Scene:
    scene = Scene(3)
    scene.lay("BK5@1,0r2")
    scene.bet(a="b28", b="b36", c="b4")
    scene.lay("U@-1,0r0")
    scene.put("F@2,0r0", A)
    scene.empty_stack()
    scene.play(A, SkipMeeple())
    return scene


def two_choices(seats: int = 2, options: CarcassonneOptions | None = None) -> Scene:
    """Return a scene in which the tile L at 1, 1 completes features at two offices.

    At 1, 0 these are a city of 2 and a road of 6; at 2, 2 they are two roads of 3.
    """
    scene = Scene(seats, options)
    scene.lay("BK2@1,0r2")
    scene.bet(a="b28", b="b56")
    for placement in ("V@-1,0r3", "V@-1,1r2", "U@0,1r0", "B@0,2r0", "V@1,2r2"):
        scene.lay(placement)
    scene.lay("BK4@2,2r1")
    scene.bet(a="b37", b="b36")
    scene.lay("V@2,1r0")
    scene.put("L@1,1r0", B)
    scene.play(B, SkipMeeple())
    return scene
