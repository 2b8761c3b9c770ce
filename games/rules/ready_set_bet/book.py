"""What the box prints, and what an announcer calls out, for clients to show and to speak.

Rulebook, "Le speaker": totals, double 1 and double 6, new leaders, bonus moves, crossings of the
red line and the closing."""

from pathlib import Path
from typing import Final

import msgspec

from games.engine.book import Book, Call, Text
from games.rules.ready_set_bet.data import (
    CROSSINGS_TO_CLOSE,
    FINISH,
    HORSES,
    LANE_OF_HORSE,
    RED_LINE,
    Horse,
)
from games.rules.ready_set_bet.data.board import SPOTS, Spot
from games.rules.ready_set_bet.data.cards import Exotic, Prop, VipCard
from games.rules.ready_set_bet.data.decks import Box


class ReadySetBetBook(Book, frozen=True, kw_only=True):
    """The track's `finish` and the first space beyond its `red_line`, the horses, the spots of the
    betting board, all cards."""

    finish: int
    red_line: int
    crossings_to_close: int
    horses: tuple[Horse, ...]
    spots: tuple[Spot, ...]
    props: tuple[Prop, ...]
    exotics: tuple[Exotic, ...]
    vip: tuple[VipCard, ...]


CALLS: Final = msgspec.json.decode(
    Path(__file__).with_name("data").joinpath("calls.json").read_bytes(), type=tuple[Call, ...]
)

_BETS: Final = {
    "win": Text(en="{horse} to win", fr="{horse} gagnant"),
    "place": Text(en="{horse} to place", fr="{horse} couplé"),
    "show": Text(en="{horse} to show", fr="{horse} trio"),
    "black": Text(en="{horse} in fifth place or worse", fr="{horse} en 5e place ou pire"),
}
_COLOURS: Final = {
    "blue": Text(en="a blue winner", fr="un gagnant bleu"),
    "orange": Text(en="an orange winner", fr="un gagnant orange"),
    "pink": Text(en="a pink winner", fr="un gagnant rose"),
}


def book_of(box: Box) -> ReadySetBetBook:
    """The book of a game that is played with this box."""
    props, exotics, vip = (
        tuple(box.props.values()),
        tuple(box.exotics.values()),
        tuple(box.vip.values()),
    )
    cards: dict[str, Text] = {
        card.card: card.title for deck in (props, exotics, vip) for card in deck
    }
    names: dict[str, dict[str, Text]] = {
        "horse": {horse.horse: Text(horse.name, horse.name) for horse in HORSES},
        "card": cards,
        "spot": {
            name: cards[spot.card] if spot.card else _name_of(spot)
            for name, spot in box.spots.items()
        },
    }
    return ReadySetBetBook(
        names=names,
        calls=CALLS,
        finish=FINISH,
        red_line=RED_LINE,
        crossings_to_close=CROSSINGS_TO_CLOSE,
        horses=HORSES,
        spots=SPOTS,
        props=props,
        exotics=exotics,
        vip=vip,
    )


def _name_of(spot: Spot) -> Text:
    """A spot of the board in words; what it pays is said apart."""
    if spot.kind == "colour":
        return _COLOURS[str(spot.colour)]
    horse = HORSES[LANE_OF_HORSE[spot.horse or "7"]].name
    bet = _BETS[spot.kind]
    return Text(bet.en.format(horse=horse), bet.fr.format(horse=horse))
