"""Standard output whose reader may leave before the end, such as `head`."""

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager

GONE = 141
"""The exit code that a shell reports for a program that SIGPIPE ended."""


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """End quietly with the code GONE when nobody reads the standard output any more."""
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except OSError as error:
        output = _abandoned()
        if output is None:
            raise
        # Else Python would try to write the rest when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)
        raise SystemExit(GONE) from error


def _abandoned() -> int | None:
    """Return the descriptor of the standard output if it is a pipe without a reader."""
    try:
        output = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return None
    if not hasattr(select, "poll"):  # on Windows
        return None
    poll = select.poll()
    poll.register(output, 0)
    has_left = any(events & select.POLLERR for _, events in poll.poll(0))
    return output if has_left else None
