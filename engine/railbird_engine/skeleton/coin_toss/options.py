"""The choices of the host before the game."""

from typing import Annotated

from msgspec import Meta

from railbird_engine import Options


class CoinTossOptions(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`rounds` to play, and `round_s`, the seconds to choose in; 0 waits for everybody."""

    rounds: Annotated[int, Meta(ge=1, le=50)] = 5
    round_s: Annotated[int, Meta(ge=0, le=600)] = 20
