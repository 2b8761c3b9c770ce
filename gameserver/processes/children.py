"""Child processes: started so that they die with their parent, awaited until ready, and stopped.

Other modules (`embedded`, `supervisor`) decide what to start and how.
"""

import ctypes
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
READY_FD = "GAMESERVER_READY_FD"

# From <linux/prctl.h> and <linux/capability.h>; the standard library does not define them.
_PR_SET_PDEATHSIG, _PR_SET_SECUREBITS, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE = 1, 28, 47, 2
_SECBIT_NO_SETUID_FIXUP = 1 << 2
_CAPABILITY_VERSION_3 = 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


class StartError(Exception):
    """The server cannot start; the message is one line that says what to do."""


@dataclass(frozen=True)
class Identity:
    """The user and group of a child process.

    `capability` is the one capability of root that the child keeps (Linux).
    """

    uid: int
    gid: int
    capability: int | None = None

    def assume(self) -> None:
        if self.capability is not None and _libc.prctl(
            _PR_SET_SECUREBITS, _SECBIT_NO_SETUID_FIXUP, 0, 0, 0
        ):
            # Without this, access(2), which PostgreSQL calls before it opens files, ignores
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
    """Block stop signals while a child is created, because Python would swallow their exceptions.

    Yields the previous mask, which `before_exec` restores in the child.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield set(mask)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def before_exec(
    identity: Identity | None, death_signal: signal.Signals, mask: set[int]
) -> Callable[[], None]:
    """Return what the forked process does first: assume its identity, and die with the parent.

    The death signal exists on Linux only.
    """
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
    """A child process that can be restarted after it died.

    It has its own session, so that Ctrl-C reaches only the parent. Start it from the main thread:
    Linux binds the death signal to the thread that forked.
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
    _stopping: bool = field(default=False, init=False)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def exit_code(self) -> int | None:
        """The exit code; None while the child runs, and before its start."""
        return self._process.poll() if self._process else None

    def start(self) -> None:
        environment = dict(os.environ if self.environment is None else self.environment)
        inherited = list(self.inherited)
        if self.announces:
            self._forget_announcement()
            self._announcement, announcing = os.pipe()
            inherited.append(announcing)
            environment[READY_FD] = str(announcing)
        self._stopping = False
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
        """Wait for the child's `announce_ready`; return False if it died or the time is over."""
        assert self._announcement is not None, "the child was started without announces"
        readable, _, _ = select.select([self._announcement], [], [], within_s)
        announced = bool(readable) and os.read(self._announcement, 1) == b"1"
        self._forget_announcement()
        return announced

    def wait(self, within_s: float) -> int | None:
        """Wait for the child to end. Return its exit code, or None if it still runs."""
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(within_s)
        return self.exit_code

    def ask_to_stop(self) -> None:
        """Send the stop signal once, without waiting."""
        if self._process and self.exit_code is None and not self._stopping:
            self._stopping = True
            self._process.send_signal(self.stop_signal)

    def stop(self) -> None:
        """Stop the child and all its descendants: ask, wait, then kill."""
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
    """Report to the parent that this child is ready; do nothing without such a parent."""
    descriptor = os.environ.pop(READY_FD, None)
    if descriptor is not None:
        with suppress(OSError):
            os.write(int(descriptor), b"1")
        os.close(int(descriptor))
