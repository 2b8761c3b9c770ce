"""Exact decimal numbers as text: the only form in which answers are stored and compared."""

import re
from decimal import Decimal
from typing import Annotated, Final

from msgspec import Meta

_NUMBER: Final = re.compile(r"-?[0-9]{1,15}([.,][0-9]{1,10})?")
_COMMA_AND_THREE_DIGITS: Final = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")

Number = Annotated[
    str,
    Meta(
        pattern=r"^-?[0-9]{1,15}([.][0-9]{1,10})?$(?!\n)",
        description="A decimal number: up to 15 digits, a point and up to 10 decimals. No unit.",
    ),
]

TypedNumber = Annotated[
    str,
    Meta(
        pattern=r"^\s*-?[0-9]{1,15}([.,][0-9]{1,10})?\s*$(?!\n)",
        max_length=40,
        description=(
            "A decimal number: up to 15 digits, a point or a comma and up to 10 decimals. No unit. "
            "Surrounding spaces are ignored."
        ),
    ),
]


def canonical(text: str) -> str | None:
    """Return the one spelling of a number (`007,50` is `7.5`, `-0` is `0`), or None (ruling Q1).

    `1,234` is refused: it is 1.234 to a French reader and 1234 to an English one.
    """
    text = text.strip()
    if _NUMBER.fullmatch(text) is None or _COMMA_AND_THREE_DIGITS.fullmatch(text):
        return None
    plain = format(Decimal(text.replace(",", ".")), "f")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if plain == "-0" else plain
