"""The box: its decks, which are the files beside this module, and the spots that cards bring to
the board."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from railbird_engine import edition_of
from railbird_engine.rules.ready_set_bet.data.board import SPOT_NAMED, Spot
from railbird_engine.rules.ready_set_bet.data.cards import BonusToken, Exotic, Prop, VipCard


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
    """Read the decks of a folder. Raises OSError, msgspec.ValidationError."""
    return Box(
        msgspec.json.decode((folder / "props.json").read_bytes(), type=tuple[Prop, ...]),
        msgspec.json.decode((folder / "exotics.json").read_bytes(), type=tuple[Exotic, ...]),
        msgspec.json.decode((folder / "vip.json").read_bytes(), type=tuple[VipCard, ...]),
    )


BOX: Final = read_box(Path(__file__).parent)
"""The box as it is sold, except for house values: see the README, "Decks"."""
