"""The server's application, whose metrics a signal switches: SIGUSR1 on, SIGUSR2 off."""

import signal
from typing import Any, Final

from prometheus_client import Counter, Histogram

from gameserver.asgi import application
from kit.metrics import counted

__all__ = ["application"]

RECORDING: Final[dict[Any, dict[str, Any]]] = {
    Counter: {"inc": Counter.inc},
    Histogram: {"observe": Histogram.observe},
    counted: {"__exit__": counted.__exit__},
}


def _nothing(*_: object, **__: object) -> None:
    """Record nothing."""


def _switch(number: int, _: object) -> None:
    for kind, methods in RECORDING.items():
        for name, method in methods.items():
            setattr(kind, name, method if number == signal.SIGUSR1 else _nothing)


for each in (signal.SIGUSR1, signal.SIGUSR2):
    signal.signal(each, _switch)
