"""The box: its decks, read and checked, and the spots that cards bring to the board.

The decks are the files beside this module; another deck can be given as bytes or as a path. An
invalid deck is refused with the name of the card and of the field."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from railbird_engine import edition_of
from railbird_engine.rules.ready_set_bet.data import PROPS_FACE_UP, RACES, VIP_CARDS_LEAST
from railbird_engine.rules.ready_set_bet.data.board import SPOT_NAMED, Spot
from railbird_engine.rules.ready_set_bet.data.cards import BonusToken, Exotic, Prop, VipCard


class BadDeckError(ValueError):
    """A deck is invalid: which deck, which card, which field, and why."""

    def __init__(self, deck: str, card: str, field: str, reason: str) -> None:
        super().__init__(f"{deck}, card {card}, field {field}: {reason}")
        self.deck = deck
        self.card = card
        self.field = field
        self.reason = reason


Card = TypeVar("Card", Prop, Exotic, VipCard)


def read_deck(
    deck: str, source: bytes | Path, card_type: type[Card], least: int
) -> tuple[Card, ...]:
    """Read one deck: at least `least` cards with unique names. Raises BadDeckError."""
    try:
        plain = msgspec.json.decode(
            source if isinstance(source, bytes) else source.read_bytes(),
            type=list[dict[str, object]],
        )
    except msgspec.DecodeError as error:
        raise BadDeckError(deck, "*", "*", str(error)) from error
    cards = tuple(
        _read_card(deck, number, fields, card_type) for number, fields in enumerate(plain, start=1)
    )
    if len(cards) < least:
        raise BadDeckError(deck, "*", "*", f"{len(cards)} cards, where a game needs {least}")
    _require_unique(deck, cards, "card", lambda card: card.card)
    return cards


def _read_card(deck: str, number: int, fields: dict[str, object], card_type: type[Card]) -> Card:
    try:
        return msgspec.convert(fields, card_type)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        raise BadDeckError(
            deck, str(fields.get("card", f"number {number}")), path.rstrip("`") or "*", reason
        ) from error


def _require_unique(
    deck: str, cards: Sequence[Card], field: str, value: Callable[[Card], object]
) -> None:
    seen: dict[object, str] = {}
    for card in cards:
        if (mark := value(card)) in seen:
            raise BadDeckError(deck, card.card, field, f"the same as on card {seen[mark]}")
        seen[mark] = card.card


def read_props(source: bytes | Path) -> tuple[Prop, ...]:
    """Read a deck of prop bets: five for each race; no card names a horse twice. Raises
    BadDeckError."""
    props = read_deck("props", source, Prop, PROPS_FACE_UP * RACES)
    for prop in props:
        if len({prop.front, *prop.behind}) != 1 + len(prop.behind):
            raise BadDeckError("props", prop.card, "behind", "a horse is named twice")
    return props


def read_exotics(source: bytes | Path) -> tuple[Exotic, ...]:
    """Read a deck of exotic finishes: one for each race. Raises BadDeckError."""
    return read_deck("exotics", source, Exotic, RACES)


def read_vip(source: bytes | Path) -> tuple[VipCard, ...]:
    """Read a deck of VIP cards: enough for eight players, and one card for each bonus token (ruling
    4.31). Raises BadDeckError."""
    cards = read_deck("vip", source, VipCard, VIP_CARDS_LEAST)
    bonus = [card for card in cards if isinstance(card.effect, BonusToken)]
    _require_unique("vip", bonus, "effect", _bonus_token)
    return cards


def _bonus_token(card: VipCard) -> object:
    assert isinstance(card.effect, BonusToken)
    return card.effect.colour, card.effect.value


def _prop_spots(prop: Prop) -> tuple[Spot, ...]:
    return (Spot(f"prop:{prop.card}", "prop", None, None, None, prop.gain, prop.loss, prop.card),)


def _exotic_spots(exotic: Exotic) -> tuple[Spot, ...]:
    return tuple(
        Spot(
            f"exotic:{exotic.card}:{side}",
            "exotic",
            None,
            None,
            None,
            odds.gain,
            odds.loss,
            exotic.card,
        )
        for side, odds in zip("lmr", exotic.spots, strict=True)
    )


class Box:
    """The decks of a game: cards by name, and the spots of board and cards by name. Raises
    BadDeckError."""

    def __init__(
        self, props: Sequence[Prop], exotics: Sequence[Exotic], vip: Sequence[VipCard]
    ) -> None:
        self.edition: Final = edition_of((props, exotics, vip))
        self.props: Final = {prop.card: prop for prop in props}
        self.exotics: Final = {exotic.card: exotic for exotic in exotics}
        self.vip: Final = {card.card: card for card in vip}
        self.bonus_tokens: Final = {
            (card.effect.colour, card.effect.value): card.effect
            for card in vip
            if isinstance(card.effect, BonusToken)
        }
        self.spots_of_card: Final = {prop.card: _prop_spots(prop) for prop in props} | {
            exotic.card: _exotic_spots(exotic) for exotic in exotics
        }
        self.spots: Final = SPOT_NAMED | {
            spot.spot: spot for spots in self.spots_of_card.values() for spot in spots
        }
        for card in self.exotics.keys() & self.props.keys():
            raise BadDeckError("exotics", card, "card", "the same as on a prop bet")


def read_box(folder: Path) -> Box:
    """Read the decks of a folder. Raises BadDeckError."""
    return Box(
        read_props(folder / "props.json"),
        read_exotics(folder / "exotics.json"),
        read_vip(folder / "vip.json"),
    )


BOX: Final = read_box(Path(__file__).parent)
"""The box as it is sold, except for house values: see the README, "Decks"."""
