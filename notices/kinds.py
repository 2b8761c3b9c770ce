"""The kinds of notices, and the channels that deliver them."""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, get_args
from uuid import UUID

Kind = Literal[
    "your_turn",
    "deadline_near",
    "table_full",
    "game_starts",
    "game_over",
    "bet_corrected",
    "seat_replaced",
    "seat_reserved",
    "webhook_disabled",
]
Channel = Literal["inbox", "mail", "push"]

KINDS: Final[Sequence[Kind]] = get_args(Kind)
CHANNELS: Final[Sequence[Channel]] = get_args(Channel)

TURNS: Final = ("your_turn", "deadline_near")
MAILED_AT_FIRST: Final = (*TURNS, "seat_replaced", "webhook_disabled")
"""The kinds that are mailed unless the user chooses otherwise."""


class Fact(NamedTuple):
    """Something to tell a person, once: see `models.Notice`. `data` are fields of a notice."""

    user: UUID
    kind: Kind
    subject: UUID
    version: int
    data: dict[str, Any]


def off_switch(kind: str, channel: str) -> str:
    """Return how an inbox names a kind that its person does not want on a channel."""
    return f"{kind}:{channel}"


def off_at_first() -> list[str]:
    """Return what an inbox does not deliver before its user chooses."""
    return sorted(off_switch(kind, "mail") for kind in KINDS if kind not in MAILED_AT_FIRST)
