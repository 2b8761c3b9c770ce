"""The environment of an experiment: fresh servers, web and worker processes, a load generator."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Self, TypeVar

import msgspec

from games.keys import acknowledging
from gameserver.processes.children import Child
from gameserver.processes.embedded import EmbeddedServers
from gameserver.settings import environment
from kit import encryption

Answer = TypeVar("Answer")

ROOT: Final = Path(__file__).resolve().parent.parent
LOAD_GAMES: Final = "bench.free_spots bench.metronome"
READY_WITHIN_S: Final = 30.0
OWNER_URL: Final = "DATABASE_OWNER_URL"


class Experiment(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Parameters for the load generator, and the pids of the server's processes."""

    processes: dict[str, int]


class ExperimentError(Exception):
    """The experiment could not be run; the message is one line."""


class Ground:
    """A context with a fresh PostgreSQL, a fresh Valkey, and the processes of an experiment.

    Leaving it stops everything.
    """

    def __init__(self) -> None:
        self.processes: dict[str, int] = {}
        self._stack = ExitStack()
        self._variables = dict(os.environ)
        self._log = Path(os.devnull)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            folder = Path(
                stack.enter_context(tempfile.TemporaryDirectory(prefix="gameserver-bench-"))
            )
            folder.chmod(0o711)
            servers = EmbeddedServers(folder / "data")
            urls = stack.enter_context(servers)
            assert urls.database_url and urls.owner_url and urls.redis_url
            self.processes = {
                child.name: child.pid for child in servers.children if child.pid is not None
            }
            self._log = folder / "log"
            self._variables |= {
                "DATABASE_URL": urls.database_url,
                OWNER_URL: urls.owner_url,
                "REDIS_URL": urls.redis_url,
                "GAMESERVER_DATA_DIR": str(folder / "data"),
                "SEED_KEY_FILE": str(folder / "seed_key"),
                "ACK_KEY_FILE": str(folder / "ack_key"),
                "EXTRA_RULES": LOAD_GAMES,
                "LOG_LEVEL": "warning",
                "DEBUG": "",
            }
            encryption.add(folder / "seed_key")
            acknowledging.add(folder / "ack_key", environment.log_origin())
            self._migrate()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def _migrate(self) -> None:
        migrated = subprocess.run(
            [sys.executable, "-m", "gameserver", "migrate", "--verbosity", "0"],
            cwd=ROOT,
            env=self._variables,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if migrated.returncode:
            raise ExperimentError("the migrations failed; see their output above")

    def web(self, name: str = "web", *, variables: Mapping[str, str] | None = None) -> int:
        """Start one web process with additional environment variables, and return its port."""
        listener = self._stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2048))
        arguments = [
            sys.executable,
            "-m",
            "gameserver.processes.web",
            "--fd",
            str(listener.fileno()),
        ]
        self._start(name, arguments, variables or {}, [listener.fileno()])
        port: int = listener.getsockname()[1]
        return port

    def worker(self) -> None:
        """Start one Celery worker process."""
        self._start("worker", [sys.executable, "-m", "gameserver.processes.worker"], {}, [])

    def _start(
        self, name: str, arguments: list[str], more: Mapping[str, str], inherited: list[int]
    ) -> None:
        child = Child(
            name,
            arguments,
            environment={**self._variables, **more},
            folder=ROOT,
            log=self._log,
            inherited=inherited,
            announces=True,
        )
        child.start()
        self._stack.callback(child.stop)
        if not child.is_ready(within_s=READY_WITHIN_S):
            raise ExperimentError(
                f"the {name} process did not start: {self._log.read_text()[-2000:]}"
            )
        assert child.pid is not None
        self.processes[name] = child.pid

    def logged(self, event: str) -> list[str]:
        """Return the lines of the processes' log with this event."""
        return [line for line in self._log.read_text().splitlines() if event in line]

    def ask(self, experiment: Experiment, answer: type[Answer]) -> Answer:
        """Run an experiment in its own process, so that its cost is not counted as the server's."""
        done = subprocess.run(
            [sys.executable, "-m", "bench"],
            cwd=ROOT,
            env=self._variables,
            input=msgspec.json.encode(experiment),
            stdout=subprocess.PIPE,
            check=False,
        )
        if done.returncode:
            said = self._log.read_text()[-2000:] if self._log.exists() else ""
            raise ExperimentError(
                f"{type(experiment).__name__} failed; see its output above. "
                f"Server log: {said or 'empty'}"
            )
        return msgspec.json.decode(done.stdout, type=answer)
