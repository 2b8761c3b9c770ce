"""The layout of the betting board, for clients that draw it.

The order is the rulebook's ("Mise en place", steps 2 to 4, and the figures of the board): prop bets
along the top, one row of spots for each horse, exotic finishes along the bottom. Sizes, and the
place of the coloured spots beside the rows, are ours.
"""

from typing import Final

import msgspec

from railbird_engine.rules.ready_set_bet.data import (
    COLOUR_SPOTS,
    GRID_COLUMNS,
    HORSES,
    PROPS_FACE_UP,
    RACES,
)

_CARD: Final = 2
"""Width and height of a card; a spot of the grid is 1 by 1."""


class Place(msgspec.Struct, frozen=True):
    """A rectangle on the board; `x` and `y` are its upper left corner."""

    x: int
    y: int
    width: int
    height: int


class Layout(msgspec.Struct, frozen=True):
    """The board as a grid of `width` by `height` units. `spots` has the places of the spots, by
    name. `rows` has the places of the horses' names, by horse, where result markers lie as well.
    `props` has the places of prop bets, from left to right, and `exotics` those of exotic finishes,
    one for each race; the three spots of a card are side by side. `decks` has the places of the
    decks `props`, `exotics` and `vip`."""

    width: int
    height: int
    spots: dict[str, Place]
    rows: dict[str, Place]
    props: tuple[Place, ...]
    exotics: tuple[Place, ...]
    decks: dict[str, Place]


def _layout() -> Layout:
    columns, top = len(GRID_COLUMNS), _CARD
    bottom = top + len(HORSES)
    spots: dict[str, Place] = {}
    rows: dict[str, Place] = {}
    for row, horse in enumerate(HORSES):
        rows[horse.horse] = Place(columns, top + row, 3, 1)
        for column, name in enumerate(GRID_COLUMNS):
            kind, side = name.split(":")
            spots[f"{kind}:{horse.horse}:{side}"] = Place(column, top + row, 1, 1)
    for row, colour in enumerate(COLOUR_SPOTS):
        spots[f"colour:{colour}"] = Place(columns + 3, top + row * _CARD, _CARD, _CARD)
    return Layout(
        width=columns + 3 + _CARD,
        height=bottom + _CARD,
        spots=spots,
        rows=rows,
        props=tuple(_card(number, 0) for number in range(1, PROPS_FACE_UP + 1)),
        exotics=tuple(_card(number, bottom) for number in range(1, RACES + 1)),
        decks={"props": _card(0, 0), "exotics": _card(0, bottom), "vip": _card(5, bottom)},
    )


def _card(number: int, y: int) -> Place:
    return Place(number * _CARD, y, _CARD, _CARD)


LAYOUT: Final = _layout()
