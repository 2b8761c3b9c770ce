"""How long to wait before asking again."""

import random
from typing import Final

FIRST_S: Final = 0.25
MOST_S: Final = 15.0


def pause_s(failures: int) -> float:
    """A pause after so many failures in a row: doubled each time, and all of it luck, so that
    clients that lost the same server do not come back together."""
    return random.uniform(0.05, min(MOST_S, FIRST_S * 2 ** min(failures, 10)))  # noqa: S311 -- jitter, not luck
