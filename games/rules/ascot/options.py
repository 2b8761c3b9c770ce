"""What the host chooses. Deadlines are seconds; 0 switches a deadline off."""

from typing import Annotated, Literal

import msgspec

from games.engine import Options

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=5)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=86_400)]


class AscotOptions(
    Options, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """`banker` and `dealer` are seats; the Banker takes a tenth of the Bank, play starts at the
    Dealer's left."""

    banker: SeatNumber = 0
    dealer: SeatNumber = 0
    victory: Literal["race", "money"] = "race"
    """Ruling A42: the owner of the first horse wins, or the richest player after the prizes."""
    tote_no_winner: Literal["bookmaker", "carry_over"] = "bookmaker"
    """Ruling A43: who gets the totalisator when nobody backed the winner."""
    carried_in: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] = 0
    """What an earlier game of the series left in the totalisator."""
    literal_tote: bool = False
    """Ruling A41: pay factor 0 as the rulebook's division says, instead of returning the stakes."""
    manual_objection: bool = False
    """Ruling A36: players must object to a finisher whose owner kept Disadvantages; by default the
    steward sees them."""
    place_bets: bool = False
    """Ruling A22: players may agree on private place bets with the Bookmaker."""
    private_cash: bool = False
    """Each player sees only his own cash."""
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
