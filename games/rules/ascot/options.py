"""The options of the host. Deadlines are in seconds; 0 switches a deadline off."""

from typing import Annotated, Literal

import msgspec

from games.engine import Options

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=5)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=86_400)]


class AscotOptions(
    Options, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The host's choices. `banker` and `dealer` are seats.

    The Banker gets a tenth of the Bank; the exchange starts at the Dealer's left.
    """

    banker: SeatNumber = 0
    dealer: SeatNumber = 0
    victory: Literal["race", "money"] = "race"
    """Ruling A42: the owner of the first horse wins, or the richest player after the prizes."""
    tote_no_winner: Literal["bookmaker", "carry_over"] = "bookmaker"
    """Ruling A43: if nobody backed the winner, the pot goes to the Bookmaker or the next game."""
    carried_in: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] = 0
    """The pot that an earlier game of the series left in the totalisator."""
    literal_tote: bool = False
    """Ruling A41: pay the factor 0 if the division gives it, instead of returning the stakes."""
    manual_objection: bool = False
    """Ruling A36: players must object to horses whose owner kept Disadvantages.

    By default such horses are disqualified at the post.
    """
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
