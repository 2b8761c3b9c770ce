"""Boxes for tests: a short game, and chips with a unique name per seat, to search for leaks."""

import json
from collections.abc import Iterable
from importlib import resources
from typing import Any

from railbird_engine import Seat, State
from railbird_engine.rules.carcassonne.data import TileSet, load_set
from railbird_engine.rules.carcassonne.options import CarcassonneOptions
from railbird_engine.rules.carcassonne.rules import Carcassonne
from railbird_engine.rules.carcassonne.state import CarcassonneState


def box_of(name: str) -> Any:
    return json.loads(
        resources.files("railbird_engine.rules.carcassonne.data")
        .joinpath(f"{name}.json")
        .read_text("utf-8")
    )


def short_base() -> TileSet:
    """Return one tile of each kind: a game of 34 tiles with all the offices."""
    box = box_of("base")
    for tile in box["tiles"]:
        tile["count"] = 1
    return load_set(json.dumps(box).encode())


class PlantedChips(Carcassonne):
    """The same game with a unique chip name per seat, to search for leaks."""

    def __init__(self, base: TileSet | None = None) -> None:
        box = box_of("bets")
        box["chips"] = [
            chip | {"chip": f"{chip['chip']}planted{seat}"}
            for seat in range(6)
            for chip in box["chips"]
        ]
        super().__init__(base, load_set(json.dumps(box).encode()))

    def setup(self, seats: int, options: CarcassonneOptions) -> CarcassonneState:
        state = super().setup(seats, options)
        if state.betting:
            for seat, chips in enumerate(state.betting.chips):
                chips[:] = [chip for chip in chips if chip.endswith(str(seat))]
        return state


PLANTED = PlantedChips()
SHORT = PlantedChips(short_base())


def sealed_chips(state: State, viewer: Seat | None) -> Iterable[str]:
    """Yield the chips on offices and the undisclosed decisions of other seats."""
    assert isinstance(state, CarcassonneState)
    if state.betting is None:
        return
    for stack in state.betting.stacks.values():
        yield from (sealed.chip for sealed in stack)
    yield from (
        chip for seat, chip in state.betting.decided.items() if chip is not None and seat != viewer
    )
