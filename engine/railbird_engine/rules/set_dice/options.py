"""The options of SET Dice."""

from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from railbird_engine import SLOW_LIMITS_S, BotLevel, Options, OptionsGuide

Seconds = Annotated[int, Meta(ge=0, le=SLOW_LIMITS_S[-1], description="0: no limit.")]


class SetDiceOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`opening_s`, `turn_s` and `reroll_s` limit the opening, a turn and the reroll, in seconds; 0
    means no limit.

    `refill` sets how the last dice are drawn: hand by hand (ruling D22), or one die each in turn.
    `reroll` sets whether hands are refilled before or after dice are thrown again (ruling D13).
    `bots` is the strength of the bots.
    """

    opening_s: Seconds = 60
    turn_s: Seconds = 90
    reroll_s: Seconds = 30
    refill: Literal["by_hand", "one_each"] = "by_hand"
    reroll: Literal["after_refill", "before_refill"] = "after_refill"
    bots: BotLevel = "casual"


GUIDE: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "options.json").read_bytes(), type=OptionsGuide
)
"""Texts for a form of these options."""
