"""The options of L'Ascot."""

from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from railbird_engine import SLOW_LIMITS_S, BotLevel, Options, OptionsGuide

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=5)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=SLOW_LIMITS_S[-1])]


class AscotOptions(
    Options, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """`banker` and `dealer` are seats: the Banker gets a tenth of the Bank, and the exchange starts
    at the Dealer's left.

    `victory`: the owner of the first horse wins (`race`), or the richest player after the prizes
    (`money`, ruling A42). `tote_no_winner`: if nobody backed the winner, the pot goes to the
    Bookmaker or is kept for the next game (ruling A43), which receives it as `carried_in`. With
    `literal_tote`, a factor of 0 pays nothing; otherwise it returns the stakes (ruling A41). With
    `manual_objection`, players must object to horses whose owner kept Disadvantages; otherwise such
    horses are disqualified at the post (ruling A36). `place_bets` allows place bets with the
    Bookmaker (ruling A22). With `private_cash`, players see only their own cash.

    Times are in seconds; 0 means no limit. `bid_s` is the time after the last bid in the auction,
    `sale_s` limits each step of any other sale, `trade_s` the preliminaries, `bet_s` the bets on a
    runner, `hazard_s` the purchase of a report. The others limit a decision in their phase.

    `bots` is the strength of the bots.
    """

    banker: SeatNumber = 0
    dealer: SeatNumber = 0
    victory: Literal["race", "money"] = "race"
    tote_no_winner: Literal["bookmaker", "carry_over"] = "bookmaker"
    carried_in: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] = 0
    literal_tote: bool = False
    manual_objection: bool = False
    place_bets: bool = False
    private_cash: bool = False
    nomination_s: Seconds = 30
    exchange_s: Seconds = 30
    discard_s: Seconds = 60
    bid_s: Seconds = 15
    training_s: Seconds = 30
    sale_s: Seconds = 60
    trade_s: Seconds = 180
    favourite_s: Seconds = 30
    bet_s: Seconds = 30
    race_s: Seconds = 45
    hazard_s: Seconds = 30
    bots: BotLevel = "casual"


GUIDE: Final = msgspec.json.decode(
    (Path(__file__).with_name("data") / "options.json").read_bytes(), type=OptionsGuide
)
"""Texts for a form of these options."""
