"""Waiting for what another process does."""

import time
from collections.abc import Callable

WITHIN_S = 60.0  # the end of a test's patience, not a pace
LOOK_EVERY_S = 0.02


def until(done: Callable[[], bool], why: str) -> float:
    """Look until a condition holds, leaving the processor to those who are waited for; answers how
    long that took."""
    started = time.monotonic()
    while not done():
        assert time.monotonic() - started < WITHIN_S, f"waited {WITHIN_S} s for {why}"
        time.sleep(LOOK_EVERY_S)
    return time.monotonic() - started
