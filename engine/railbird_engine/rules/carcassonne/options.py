"""The options of Carcassonne."""

from pathlib import Path
from typing import Annotated, Final

import msgspec

from railbird_engine import SLOW_LIMITS_S, BotLevel, Options, OptionsGuide


class CarcassonneOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`bets`: play with The Bets. `fields`: meeples may be placed in fields (ruling A2).

    `turn_seconds` limits each turn, each round of bets and the final choices; then the server
    chooses. 0 means no limit. `bots` is the strength of the bots.
    """

    bets: bool = True
    fields: bool = True
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=SLOW_LIMITS_S[-1])] = 0
    bots: BotLevel = "casual"


GUIDE: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "options.json").read_bytes(), type=OptionsGuide
)
"""Texts for a form of these options."""
