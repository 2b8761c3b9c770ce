"""The store loop: the one event loop of a process on which games are played.

In a web process it is uvicorn's loop; elsewhere it runs in a thread of its own.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import uvloop

T = TypeVar("T")
Made = TypeVar("Made")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None

CALL_TIMEOUT_S = 30.0


def adopt(loop: asyncio.AbstractEventLoop) -> None:
    """Make this running loop the store loop of the process.

    The owner of the loop calls this before any game is played.
    """
    global _loop  # noqa: PLW0603  (one loop per process is the point)
    with _lock:
        _loop = loop


def store_loop() -> asyncio.AbstractEventLoop:
    """Return the store loop; start one in a new thread if the process has none."""
    global _loop  # noqa: PLW0603
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = uvloop.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="store-loop", daemon=True).start()
        return _loop


def call(coroutine: Coroutine[Any, Any, T], timeout_s: float = CALL_TIMEOUT_S) -> T:
    """Run a coroutine on the store loop and wait for it, from any other thread.

    Raises TimeoutError after `timeout_s` seconds.
    """
    return asyncio.run_coroutine_threadsafe(coroutine, store_loop()).result(timeout_s)


def one_per_loop(make: Callable[[], Made]) -> Callable[[], Made]:
    """Wrap a factory so that each event loop gets one instance, created on first use. A loop always
    runs in the same thread."""
    made: dict[asyncio.AbstractEventLoop, Made] = {}
    here = threading.local()

    def own() -> Made:
        # To ask which loop runs costs a system call, many times for each commit.
        known: tuple[asyncio.AbstractEventLoop, Made] | None = getattr(here, "known", None)
        if known is not None and known[0].is_running():
            return known[1]
        loop = asyncio.get_running_loop()
        if loop not in made:
            for closed in [other for other in made if other.is_closed()]:
                del made[closed]
            made[loop] = make()
        here.known = loop, made[loop]
        return made[loop]

    return own
