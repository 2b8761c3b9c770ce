"""Money inside a game: purses and the transfers between them."""

from functools import cache
from typing import Annotated, Final, NewType

import msgspec
from msgspec import Meta

Seat = NewType("Seat", int)
"""The number of a seat, from 0. Users sit on seats; seats play."""

Purse = NewType("Purse", str)
"""The name of a holder of money inside one game: the bank, a seat, a pot, an office."""

BANK: Final = Purse("bank")
"""The only purse that may go below zero: it owes what the others hold."""

AMOUNT_MAX: Final = 2**53 - 1
"""The largest amount that JSON, JavaScript and PostgreSQL all represent exactly."""


@cache
def seat_purse(seat: int) -> Purse:
    """Return the purse of a seat."""
    return Purse(f"seat:{seat}")


class Transfer(msgspec.Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """Money moved between two purses of one game; the amount is above zero."""

    source: Purse
    target: Purse
    amount: Annotated[int, Meta(ge=1, le=AMOUNT_MAX)]
    reason: str
