"""The box: its decks, which are the files beside this module, and the spots that cards bring to
the board."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeVar

from railbird_engine import edition_of
from railbird_engine.kernel.host_data import placed, read_json, require, require_once
from railbird_engine.rules.ready_set_bet.data import PROPS_FACE_UP, RACES, VIP_DEALT
from railbird_engine.rules.ready_set_bet.data.board import SPOT_NAMED, Spot
from railbird_engine.rules.ready_set_bet.data.cards import BonusToken, Exotic, Prop, VipCard

CardT = TypeVar("CardT", Prop, Exotic, VipCard)


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
    """The decks of a game: cards by name, and the spots of board and cards by name."""

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


def read_box(folder: Path) -> Box:
    """Read the decks of a folder. Raises ValueError with file and place of a fault.

    Eight players use up 32 VIP cards in two drafts; the third deals the discards.
    """
    props = _deck(folder / "props.json", tuple[Prop, ...], PROPS_FACE_UP * RACES)
    exotics = _deck(folder / "exotics.json", tuple[Exotic, ...], RACES)
    vip = _deck(folder / "vip.json", tuple[VipCard, ...], 8 * 2 * VIP_DEALT)
    with placed("exotics.json, beside props.json"):
        require_once(card.card for deck in (props, exotics) for card in deck)
    effects = [card.effect for card in vip]
    with placed("vip.json, bonus tokens"):
        require_once((one.colour, one.value) for one in effects if isinstance(one, BonusToken))
    return Box(props, exotics, vip)


def _deck(path: Path, kind: type[tuple[CardT, ...]], least: int) -> tuple[CardT, ...]:
    cards = read_json(path, kind)
    with placed(path.name):
        require(len(cards) >= least, f"{len(cards)} cards, where a game needs {least}")
        require_once(card.card for card in cards)
    return cards


BOX: Final = read_box(Path(__file__).parent)
"""The box as it is sold, except for house values: see the README, "Decks"."""
