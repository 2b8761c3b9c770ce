"""Exact decimal numbers as text: the only form in which an answer is stored, compared and shown."""

import re
from decimal import Decimal
from typing import Annotated, Final

from msgspec import Meta

_DIGITS: Final = "-?[0-9]{1,15}([.][0-9]{1,10})?"
_NUMBER: Final = re.compile(_DIGITS)

Number = Annotated[
    str,
    Meta(
        pattern=rf"^{_DIGITS}$(?!\n)",
        description="A decimal number: up to 15 digits, a point and up to 10 more if need be. No unit.",
    ),
]


def canonical(text: str) -> str | None:
    """The one way to write this number (`007.50` is `7.5`, `-0` is `0`), or None if it is not one
    (ruling Q1)."""
    if _NUMBER.fullmatch(text) is None:
        return None
    plain = format(Decimal(text), "f")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if plain == "-0" else plain
