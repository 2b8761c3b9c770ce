"""Who holds money inside a game, and how it moves: purses and transfers."""

from functools import cache
from typing import Annotated, Final, NewType

import msgspec
from msgspec import Meta

Seat = NewType("Seat", int)
"""A place at the table, 0-based. People are users; seats play."""

Purse = NewType("Purse", str)
"""The name of who holds money inside one game: the bank, a seat, a pot, an office."""

BANK: Final = Purse("bank")
"""The only purse that may go below zero: what it owes is what the others hold."""

AMOUNT_MAX: Final = 2**53 - 1
"""The largest amount that JSON, JavaScript and the database all keep exactly."""


@cache
def seat_purse(seat: int) -> Purse:
    """The purse of a seat."""
    return Purse(f"seat:{seat}")


class Transfer(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Money that moved between two purses of one game: always one source, one target and an amount
    above zero."""

    source: Purse
    target: Purse
    amount: Annotated[int, Meta(ge=1, le=AMOUNT_MAX)]
    reason: str
