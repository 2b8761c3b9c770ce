"""The sealer of a worker, in a process of its own: in the worker itself it would delay the clock.

python -m gameserver.processes.sealer

The worker keeps it running. Its standard input is a socket, on which it reports its loops once a
second. It ends when the socket does: when the worker stops it, or dies.
"""

import gc
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any, Final

import msgspec
from celery import bootsteps
from django.conf import settings

from gameserver.processes.children import STOP_SIGNALS
from gameserver.processes.startup import limit_pauses, set_up
from kit import background
from kit.background import Report
from kit.database import WORKER_THREADS_ANSWER_WITHIN_S

REPORT_EVERY_S: Final = 1.0
SILENT_S: Final = 30.0
"""A sealer that has not reported for so long is killed."""
START_WITHIN_S: Final = 60.0
"""So long may the first start take. Imports take longer the busier the machine is, so each next
limit is twice as long, up to `START_WITHIN_MAX_S`: else a busy machine would never get a sealer."""
START_WITHIN_MAX_S: Final = 960.0
STOP_WITHIN_S: Final = 10.0


class EndedError(Exception):
    """The sealer ended; the message is one line."""


class Sealer:
    """A sealer that was started, as its worker sees it."""

    def __init__(self, start_within_s: float = START_WITHIN_S) -> None:
        self._socket, given = socket.socketpair()
        with given:
            arguments = [sys.executable, "-m", "gameserver.processes.sealer"]
            self._process = subprocess.Popen(arguments, stdin=given.fileno())  # noqa: S603 -- our own program
        self._within_s = start_within_s
        self._reports = self._socket.makefile("rb")
        self.has_started = False

    def report(self) -> Report:
        """Wait for the next report. Raises EndedError."""
        killed = ""
        try:
            self._socket.settimeout(self._within_s)
            if line := self._reports.readline():
                self._within_s, self.has_started = SILENT_S, True
                return msgspec.json.decode(line, type=Report)
            self._process.wait(STOP_WITHIN_S)
        except TimeoutError:
            what = "report" if self.has_started else "start"
            killed = f"killed by its worker: no {what} within {self._within_s:g} s"
        except subprocess.TimeoutExpired:
            killed = f"killed by its worker: did not end within {STOP_WITHIN_S:g} s"
        if killed:
            self._process.kill()
        self._reports.close()
        self._socket.close()
        code = self._process.wait()
        raise EndedError(killed or f"ended with exit code {code}")

    def ask_to_end(self) -> None:
        """Tell it to end after its round, without waiting."""
        with suppress(OSError):  # it has ended
            self._socket.shutdown(socket.SHUT_WR)


class SealerStep(bootsteps.StartStopStep):
    """Keeps a sealer running for as long as the worker lives, unless SEALING is off."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._sealer: Sealer | None = None
        self._start_within_s = START_WITHIN_S
        self._stopping = Event()
        self._starting = Lock()
        self._thread = Thread(
            target=background.until,
            args=[self._stopping, "sealer process", self._look],
            name="sealer process",
            daemon=True,
        )

    def include_if(self, parent: Any) -> bool:
        return settings.SEALING

    def start(self, parent: Any) -> None:
        self._thread.start()

    def _look(self) -> None:
        """Take in a report. Start the sealer first if there is none."""
        with self._starting:
            if self._stopping.is_set():
                return
            sealer = self._sealer = self._sealer or Sealer(self._start_within_s)
        try:
            background.take_in(sealer.report())
            self._start_within_s = START_WITHIN_S
        except EndedError:
            if not sealer.has_started:
                self._start_within_s = min(2 * self._start_within_s, START_WITHIN_MAX_S)
            self._sealer = None
            background.take_in(Report({}, []))
            if not self._stopping.is_set():
                raise

    def stop(self, parent: Any) -> None:
        with self._starting:
            self._stopping.set()
            sealer = self._sealer
        if sealer is not None:
            sealer.ask_to_end()
            self._thread.join(STOP_WITHIN_S)

    terminate = stop


def main() -> None:
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)  # the worker decides
    gc.disable()  # until it is ready: imports leave hardly any garbage
    set_up("sealer", answer_within_s=WORKER_THREADS_ANSWER_WITHIN_S)
    # Imported after Django's setup, because they import models.
    from games.log import cosigning, sealing  # noqa: PLC0415

    limit_pauses()
    stopping = Event()
    threads = [
        Thread(target=run, args=[stopping], name=name, daemon=True)
        for name, run in (("sealer", sealing.run), ("cosigner", cosigning.run))
    ]
    for thread in threads:
        thread.start()
    with socket.socket(fileno=sys.stdin.fileno()) as worker, suppress(ConnectionError):
        while not select.select([worker], [], [], REPORT_EVERY_S)[0]:
            worker.sendall(msgspec.json.encode(background.report()) + b"\n")
    stopping.set()
    for thread in threads:
        thread.join(STOP_WITHIN_S / 2)


if __name__ == "__main__":
    main()
