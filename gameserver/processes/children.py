"""Child processes: begun so that they die with their parent, awaited until they say that they are
ready, stopped in time.

What is started, and with which arguments, is decided elsewhere (`embedded`, `supervisor`).
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
READY_FD = "GAMESERVER_READY_FD"

# <linux/prctl.h> and <linux/capability.h>: the standard library has no names for them.
_PR_SET_PDEATHSIG, _PR_SET_SECUREBITS, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE = 1, 28, 47, 2
_SECBIT_NO_SETUID_FIXUP = 1 << 2
_CAPABILITY_VERSION_3 = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


class StartError(Exception):
    """Something that the server needs is not there; the message is one line that says what to
    do."""


@dataclass(frozen=True)
class Identity:
    """Who a child runs as, when not as we do; `capability` is the one right of root that it keeps
    (Linux)."""

    uid: int
    gid: int
    capability: int | None = None

    def assume(self) -> None:
        if self.capability is not None and _libc.prctl(
            _PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP, 0, 0, 0
        ):
            # Without it access(2), which PostgreSQL asks before it opens anything, does not count
            # capabilities.
            raise OSError(ctypes.get_errno(), "cannot keep a capability")
        os.setgroups([])
        os.setgid(self.gid)
        os.setuid(self.uid)
        if self.capability is not None:
            self._keep(self.capability)

    @staticmethod
    def _keep(capability: int) -> None:
        header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
        effective = permitted = inheritable = 1 << capability
        sets = (ctypes.c_uint32 * 6)(effective, permitted, inheritable, 0, 0, 0)
        if _libc.capset(header, sets) or _libc.prctl(
            _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability, 0, 0
        ):
            raise OSError(ctypes.get_errno(), "cannot pass on a capability")


@contextmanager
def stop_signals_held() -> Iterator[set[int]]:
    """Holds back the signals that ask us to stop, while a child is born: Python would swallow what
    their handler raises.

    Gives the mask from before, which the child takes back with `before_exec`.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield set(mask)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def before_exec(
    identity: Identity | None, death_signal: signal.Signals, mask: set[int]
) -> Callable[[], None]:
    """What the forked process does before it becomes the child: take its identity, then bind its
    life to ours (Linux)."""
    parent = os.getpid()

    def prepare() -> None:
        if identity is not None:
            identity.assume()
        if sys.platform == "linux":
            _libc.prctl(_PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
            if os.getppid() != parent:
                os._exit(1)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    return prepare


@dataclass
class Child:
    """One child process, which may be begun again after it died; in a session of its own, so that
    Ctrl-C reaches only us.

    Must be started from the main thread: Linux binds the death signal to the thread that forked.
    """

    name: str
    arguments: Sequence[str | Path]
    environment: Mapping[str, str] | None = None
    folder: Path | None = None
    identity: Identity | None = None
    log: Path | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    stop_within_s: float = 12.0
    force_signal: signal.Signals = signal.SIGKILL
    death_signal: signal.Signals = signal.SIGKILL
    inherited: Sequence[int] = ()
    announces: bool = False
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _announcement: int | None = field(default=None, init=False)
    _asked: bool = field(default=False, init=False)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def exit_code(self) -> int | None:
        """None while it runs, and before it begins."""
        return self._process.poll() if self._process else None

    def start(self) -> None:
        environment = dict(os.environ if self.environment is None else self.environment)
        inherited = list(self.inherited)
        if self.announces:
            self._forget_announcement()
            self._announcement, announcing = os.pipe()
            inherited.append(announcing)
            environment[READY_FD] = str(announcing)
        self._asked = False
        output = self.log.open("ab") if self.log else None
        try:
            with stop_signals_held() as mask:
                self._process = subprocess.Popen(  # noqa: S603 -- our own programs
                    [os.fspath(argument) for argument in self.arguments],
                    env=environment,
                    cwd=self.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=inherited,
                    start_new_session=True,
                    preexec_fn=before_exec(self.identity, self.death_signal, mask),  # noqa: PLW1509 -- no threads here
                )
        finally:
            if self.announces:
                os.close(announcing)
            if output:
                output.close()

    def is_ready(self, *, within_s: float) -> bool:
        """Waits for the child's `announce_ready`; False when it died or the time is over."""
        assert self._announcement is not None, "this child announces nothing"
        readable, _, _ = select.select([self._announcement], [], [], within_s)
        announced = bool(readable) and os.read(self._announcement, 1) == b"1"
        self._forget_announcement()
        return announced

    def wait(self, within_s: float) -> int | None:
        """Wait for the child to end; returns its exit code, None when it still runs."""
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(within_s)
        return self.exit_code

    def ask_to_stop(self) -> None:
        """Sends the stop signal, once, and does not wait."""
        if self._process and self.exit_code is None and not self._asked:
            self._asked = True
            self._process.send_signal(self.stop_signal)

    def stop(self) -> None:
        """Asks, waits, then insists; whatever the child had started goes with it."""
        self._forget_announcement()
        if self._process is None:
            return
        self.ask_to_stop()
        try:
            self._process.wait(self.stop_within_s)
        except subprocess.TimeoutExpired:
            self._process.send_signal(self.force_signal)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(3.0)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _forget_announcement(self) -> None:
        if self._announcement is not None:
            os.close(self._announcement)
            self._announcement = None


def announce_ready() -> None:
    """Called by a child that can work now; does nothing when nobody asked."""
    descriptor = os.environ.pop(READY_FD, None)
    if descriptor is not None:
        with suppress(OSError):
            os.write(int(descriptor), b"1")
        os.close(int(descriptor))
