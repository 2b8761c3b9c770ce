"""What a host may choose."""

from typing import Annotated, Final, Literal

import msgspec

from games.engine import Options

TURN_SECONDS_MAX: Final = 604_800
"""A week."""


class CarcassonneOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`bets`: play with The Bets. `fields`: meeples may be put in fields (ruling A2). `turn_seconds`: how long a turn, and
    each round of bets, may take before the game moves by itself; 0 means for ever. `bots`: how well bots play."""

    bets: bool = True
    fields: bool = True
    turn_seconds: Annotated[int, msgspec.Meta(ge=0, le=TURN_SECONDS_MAX)] = 0
    bots: Literal["casual", "keen"] = "keen"
