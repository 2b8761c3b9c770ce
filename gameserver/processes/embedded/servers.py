"""PostgreSQL and Valkey of one data folder: one process holds them, others find their addresses."""

import fcntl
import json
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from gameserver.processes.children import Child
from gameserver.processes.embedded import valkey
from gameserver.processes.embedded.postgres import APPLICATION, OWNER, Postgres
from gameserver.processes.embedded.programs import EmbeddedError
from gameserver.processes.embedded.valkey import Valkey

RUNTIME_PREFIX = "gameserver-"
SOCKET_PATH_MAX = 103  # bytes, on macOS; Linux allows 107
LOCK, ADDRESSES, POSTGRES = "lock", "servers.json", "postgres"
STARTING_WITHIN_S = 60.0


@dataclass(frozen=True)
class Urls:
    """Addresses of the servers; None for a server that is not embedded."""

    database_url: str | None = None
    owner_url: str | None = None
    redis_url: str | None = None


class EmbeddedServers:
    """A context in which the servers of `folder` run; it yields their addresses.

    `postgres` and `valkey` select the servers; `settings` are extra PostgreSQL settings (tests
    switch fsync off). Raises EmbeddedError, one line, when they cannot run or the folder is in use.
    """

    def __init__(
        self,
        folder: Path,
        *,
        postgres: bool = True,
        valkey: bool = True,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder.absolute()
        self.settings = settings or {}
        self.wants_postgres, self.wants_valkey = postgres, valkey
        self.urls = Urls()
        self.children: list[Child] = []
        self._lock: IO[str] | None = None
        self._runtime: Path | None = None

    def __enter__(self) -> Urls:
        self.start()
        return self.urls

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start all servers or none, even if a signal interrupts it."""
        try:
            self._start()
        except OSError as error:
            self.stop()
            reason = f"{error.strerror}: {error.filename}" if error.filename else str(error)
            raise EmbeddedError(
                f"The data folder {self.folder} cannot be used ({reason}): "
                "set GAMESERVER_DATA_DIR to a folder that you can write."
            ) from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the servers and release the folder. Can be called repeatedly."""
        if self._lock is None:
            return
        (self.folder / ADDRESSES).unlink(missing_ok=True)
        for child in self.children:
            child.ask_to_stop()
        for child in self.children:
            child.stop()
        self.children.clear()
        if self._runtime is not None:
            shutil.rmtree(self._runtime, ignore_errors=True)
        self._lock.close()
        self._lock = None

    def _start(self) -> None:
        self.folder.mkdir(mode=0o711, parents=True, exist_ok=True)
        self._lock, left_over = _take(self.folder)
        if left_over is not None:
            valkey.stop_left_over(left_over)
        runtime = self._runtime = _make_runtime_folder()
        self._lock.truncate(0)
        self._lock.write(json.dumps({"process": os.getpid(), "runtime": str(runtime)}))
        self._lock.flush()
        logs = self.folder / "log"
        logs.mkdir(exist_ok=True)
        urls: dict[str, str] = {}
        if self.wants_valkey:
            cache = Valkey(runtime=runtime, log=logs / "valkey.log")
            self.children.append(cache.child)
            cache.start()
            urls["redis_url"] = cache.url
        if self.wants_postgres:
            database = Postgres(
                self.folder / POSTGRES,
                runtime=runtime / "postgres",
                log=logs / "postgres.log",
                settings=self.settings,
            )
            self.children.append(database.child)
            database.start()
            urls |= {"database_url": database.url(APPLICATION), "owner_url": database.url(OWNER)}
        if left_over is not None:
            shutil.rmtree(left_over, ignore_errors=True)
        self.urls = Urls(**urls)
        self._publish()

    def _publish(self) -> None:
        draft = self.folder / f"{ADDRESSES}.new"
        draft.unlink(missing_ok=True)
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123 -- mode at creation
            json.dump(asdict(self.urls), file)
        draft.rename(self.folder / ADDRESSES)


def has_database(folder: Path) -> bool:
    """Whether the servers of this folder were ever started."""
    return (folder / POSTGRES / "PG_VERSION").exists()


def urls_of_running(folder: Path) -> Urls | None:
    """Return the addresses of servers that another process runs on `folder`; None without such.

    Waits while they start. Raises EmbeddedError if they do not become ready.
    """
    deadline = time.monotonic() + STARTING_WITHIN_S
    while _is_taken(folder):
        with suppress(FileNotFoundError):
            return Urls(**json.loads((folder / ADDRESSES).read_text()))
        if time.monotonic() > deadline:
            raise EmbeddedError(
                f"The servers on {folder} do not become ready: "
                "stop the process that uses the folder and try again."
            )
        time.sleep(0.05)
    return None


def _is_taken(folder: Path) -> bool:
    try:
        with (folder / LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _take(folder: Path) -> tuple[IO[str], Path | None]:
    """Lock the folder until this process ends. Also return the runtime folder of a killed holder.

    Raises EmbeddedError if another process holds the lock.
    """
    lock = (folder / LOCK).open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        taken = False
    except BlockingIOError:
        taken = True
    lock.seek(0)
    try:
        holder = json.loads(lock.read() or "{}")
    except ValueError:
        holder = {}
    if taken:
        lock.close()
        raise EmbeddedError(
            f"The data folder {folder} is in use by process {holder.get('process', 'unknown')}: "
            f"stop that server first, or choose another folder with GAMESERVER_DATA_DIR."
        )
    left_over = Path(holder.get("runtime", ""))
    is_ours = left_over.name.startswith(RUNTIME_PREFIX) and left_over.is_dir()
    return lock, left_over if is_ours else None


def _make_runtime_folder() -> Path:
    """Create a folder for sockets, with a short path on a file system that supports sockets."""
    longest = Path(
        tempfile.gettempdir(), RUNTIME_PREFIX + "12345678", "postgres", ".s.PGSQL.5432.lock"
    )
    parent = None if len(os.fsencode(longest)) <= SOCKET_PATH_MAX else "/tmp"  # noqa: S108 -- mkdtemp makes it private
    runtime = Path(tempfile.mkdtemp(prefix=RUNTIME_PREFIX, dir=parent))
    runtime.chmod(0o711 if os.geteuid() == 0 else 0o700)
    (runtime / "postgres").mkdir(mode=0o700)
    return runtime
