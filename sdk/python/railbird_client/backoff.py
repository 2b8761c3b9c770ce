"""Pauses between retries."""

import random
from typing import Final

FIRST_S: Final = 0.25
MOST_S: Final = 15.0


def pause_s(failures: int) -> float:
    """Return a random pause after this many failures in a row; its limit doubles each time.

    The random part keeps clients that lost the same server from returning together.
    """
    return random.uniform(0.05, min(MOST_S, FIRST_S * 2 ** min(failures, 10)))  # noqa: S311 -- jitter, not luck
