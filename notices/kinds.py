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
]
Channel = Literal["inbox"]

KINDS: Final[Sequence[Kind]] = get_args(Kind)
CHANNELS: Final[Sequence[Channel]] = get_args(Channel)


class Fact(NamedTuple):
    """Something to tell a person, once: see `models.Notice`. `data` are fields of a notice."""

    user: UUID
    kind: Kind
    subject: UUID
    version: int
    data: dict[str, Any]


def off_switch(kind: Kind, channel: Channel) -> str:
    """Return how an inbox names a kind that its person does not want on a channel."""
    return f"{kind}:{channel}"
