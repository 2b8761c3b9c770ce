"""The book: printed matter and the announcer's calls, for clients to show and to speak.

Rulebook, "Le speaker": totals, double 1 and double 6, new leaders, bonus moves, crossings of the
red line, and the closing.
"""

from pathlib import Path
from typing import Final

import msgspec

from railbird_engine import Book, Call, Guide, SeatColour, Text
from railbird_engine.rules.ready_set_bet.data import (
    BLACK_LANE,
    CLOSED_COLUMNS,
    CROSSINGS_TO_CLOSE,
    FINISH,
    HORSES,
    RED_LINE,
    Horse,
)
from railbird_engine.rules.ready_set_bet.data.board import SPOTS, Spot
from railbird_engine.rules.ready_set_bet.data.cards import Exotic, Prop, VipCard
from railbird_engine.rules.ready_set_bet.data.decks import Box
from railbird_engine.rules.ready_set_bet.data.layout import LAYOUT, Layout
from railbird_engine.rules.ready_set_bet.refusals import REFUSALS


class Track(msgspec.Struct, frozen=True):
    """Horses start at 0 and run to `finish`. The red line is before space `red_line`; the
    `crossings_to_close`-th horse that crosses it closes the bets."""

    finish: int
    red_line: int
    crossings_to_close: int


class ReadySetBetBook(Book, frozen=True, kw_only=True):
    """The `track`; its `horses`, lane by lane; the betting board: its `spots` and their `layout`;
    `closed_columns` by the number of active players; all cards."""

    track: Track
    horses: tuple[Horse, ...]
    spots: tuple[Spot, ...]
    layout: Layout
    closed_columns: dict[int, tuple[str, ...]]
    props: tuple[Prop, ...]
    exotics: tuple[Exotic, ...]
    vip: tuple[VipCard, ...]


_DATA: Final = Path(__file__).with_name("data")
CALLS: Final = msgspec.json.decode((_DATA / "calls.json").read_bytes(), type=tuple[Call, ...])
GUIDE: Final = msgspec.json.decode((_DATA / "guide.json").read_bytes(), type=Guide)
NAMES: Final = msgspec.json.decode(
    (_DATA / "names.json").read_bytes(), type=dict[str, dict[str, Text]]
)
SEAT_COLOURS: Final = msgspec.json.decode(
    (_DATA / "seat_colours.json").read_bytes(), type=tuple[SeatColour, ...]
)
"""House values: the box has eight colours, and the rulebook does not name them."""

_BETS: Final = {
    "win": Text(en="{horse} to win", fr="{horse} gagnant"),
    "place": Text(en="{horse} to place", fr="{horse} couplé"),
    "show": Text(en="{horse} to show", fr="{horse} trio"),
    "black": Text(en="{horse} fifth or worse", fr="{horse} en 5e place ou plus loin"),
}
_COLOURS: Final = {
    "blue": Text(en="a blue winner", fr="un gagnant bleu"),
    "orange": Text(en="an orange winner", fr="un gagnant orange"),
    "pink": Text(en="a pink winner", fr="un gagnant rose"),
}


def book_of(box: Box) -> ReadySetBetBook:
    """Return the book of a game that is played with this box."""
    props, exotics = tuple(box.props.values()), tuple(box.exotics.values())
    vip = tuple(box.vip.values())
    cards = {card.card: card.title for deck in (props, exotics, vip) for card in deck}
    spots = {
        name: cards[spot.card] if spot.card else _name_of(spot) for name, spot in box.spots.items()
    }
    horses: dict[str, Text] = {horse.horse: horse.name for horse in HORSES}
    return ReadySetBetBook(
        names={
            **NAMES,
            **dict.fromkeys(("horse", "win", "place", "show", "front", "behind"), horses),
            "card": cards,
            "spot": spots,
        },
        calls=CALLS,
        refusals=REFUSALS,
        track=Track(FINISH, RED_LINE, CROSSINGS_TO_CLOSE),
        horses=HORSES,
        spots=SPOTS,
        layout=LAYOUT,
        closed_columns=CLOSED_COLUMNS,
        seat_colours=SEAT_COLOURS,
        guide=GUIDE,
        props=props,
        exotics=exotics,
        vip=vip,
    )


def _name_of(spot: Spot) -> Text:
    """Return the name of a spot, without its odds: the board shows horses by their numbers."""
    if spot.kind == "colour":
        return _COLOURS[str(spot.colour)]
    bet, horse = _BETS[spot.kind], spot.horse or HORSES[BLACK_LANE].horse
    return Text(bet.en.format(horse=horse), bet.fr.format(horse=horse))
