"""A temporary server for the demonstration: `manage.py serve` on a free port and data folder."""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from gameserver.processes.children import Child, StartError, free_port
from kit import installation

READY_WITHIN_S: Final = 90.0
STOP_WITHIN_S: Final = 40.0
LOOK_EVERY_S: Final = 0.1


@contextmanager
def own_server() -> Iterator[tuple[str, Mapping[str, str]]]:
    """Start a fresh server, and yield its URL and the environment of its database.

    Raises StartError.
    """
    with tempfile.TemporaryDirectory(prefix="gameserver-demo-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        port = free_port()
        variables = {
            **os.environ,
            "GAMESERVER_DATA_DIR": str(folder / "data"),
            "LOG_LEVEL": "warning",
        }
        if "DATABASE_URL" not in variables:
            variables.pop("LOG_KEY_FILE", None)  # A key file belongs to one log.
        child = Child(
            "serve",
            [sys.executable, "-m", "gameserver", "serve", "--port", str(port), "--workers", "1"],
            environment=variables,
            folder=installation.FOLDER,
            log=folder / "log",
            stop_within_s=STOP_WITHIN_S,
            death_signal=signal.SIGTERM,
        )
        child.start()
        try:
            url = f"http://127.0.0.1:{port}"
            _await(child, f"{url}/api/v1/health/ready/", folder / "log")
            yield url, variables
        finally:
            child.stop()


def _await(child: Child, address: str, log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < deadline and child.exit_code is None:
        try:
            with urlopen(address, timeout=LOOK_EVERY_S * 20):  # noqa: S310 -- our own address
                return
        except (URLError, OSError):
            time.sleep(LOOK_EVERY_S)
    raise StartError(f"The server did not become ready: {log.read_text().strip()[-1000:]}")
