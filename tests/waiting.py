"""Wait for other processes."""

import threading
import time
from collections.abc import Callable

from django.db import connection

WITHIN_S = 300.0
"""How long a test waits for anything before it is lost, whatever else the machine does."""
LOOK_EVERY_S = 0.02


def until(done: Callable[[], bool], why: str) -> float:
    """Wait until a condition is true, without busy waiting. Return how long that took."""
    started = time.monotonic()
    while not done():
        assert time.monotonic() - started < WITHIN_S, f"waited {WITHIN_S} s for {why}"
        time.sleep(LOOK_EVERY_S)
    return time.monotonic() - started


def somebody_waits(backend: int | None = None) -> bool:
    """Whether a session waits for a lock of a backend, or of that of this thread."""
    # Not pg_stat_activity: in a transaction, it has only the sessions of the first look.
    query = (
        "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND %s = ANY(pg_blocking_pids(pid)))"
    )
    with connection.cursor() as cursor:
        cursor.execute(query, [backend or connection.connection.info.backend_pid])
        (found,) = cursor.fetchone()
    return bool(found)


class Waiting:
    """Work of another thread that waits for a lock of this one."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.answer: object = None
        self.failure: Exception | None = None
        self.thread = threading.Thread(target=self.run, args=(work,), daemon=True)
        self.thread.start()
        until(
            lambda: somebody_waits() or not self.thread.is_alive(),
            "the other thread waits for the lock",
        )
        assert self.thread.is_alive(), f"it waited for no lock: {self.failure or self.answer}"

    def run(self, work: Callable[[], object]) -> None:
        try:
            self.answer = work()
        except Exception as error:  # noqa: BLE001  (raised in the test)
            self.failure = error
        finally:
            connection.close()

    def ends(self) -> None:
        """Wait for the end of the work, and raise its failure."""
        self.thread.join(WITHIN_S)
        assert not self.thread.is_alive(), f"waited {WITHIN_S} s for the other thread"
        if self.failure is not None:
            raise self.failure
