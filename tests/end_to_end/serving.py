"""`manage.py serve` as a child process, as a user runs it."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

import httpx
import psutil

from gameserver.processes.children import free_port
from kit.installation import FOLDER as ROOT
from tests.waiting import WITHIN_S

READY = "Ready (Ctrl-C stops everything): "
OURS = {
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "LOG_KEY_FILE",
    "ACK_KEY_FILE",
    "SEED_KEY_FILE",
    "PUBLIC_URL",
    "ALLOWED_HOSTS",
    "DEBUG",
}


def environment_with(folder: Path, **variables: str) -> dict[str, str]:
    """Return an environment without the databases and the keys of the test process.

    A key file belongs to one log: a server that shared it would refuse to seal a second one.
    """
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    return {**kept, "GAMESERVER_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1", **variables}


def manage(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment_with(folder, **variables),
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )


class Serve:
    """A running `serve`. Leaving the context kills what a failed test left."""

    def __init__(
        self, folder: Path, *arguments: str, port: int | None = None, **variables: str
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.lines: list[str] = []
        self._said = threading.Condition()
        self._family: dict[int, psutil.Process] = {}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(self.port), *arguments],
            cwd=ROOT,
            env=environment_with(folder, **variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self._said:
                self.lines.append(line.rstrip("\n"))
                self._said.notify_all()
        with self._said:
            self._said.notify_all()

    def says(self, text: str) -> Self:
        """Wait until a line contains this text."""
        with self._said:
            said = self._said.wait_for(
                lambda: any(text in line for line in self.lines) or not self._reader.is_alive(),
                timeout=WITHIN_S,
            )
        assert said, f"not said in {WITHIN_S} s: {text!r}\n{self.output}"
        assert any(text in line for line in self.lines), (
            f"ended without saying {text!r}\n{self.output}"
        )
        return self

    def ready(self) -> Self:
        return self.says(READY)

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    def children(self, name: str = "") -> list[psutil.Process]:
        """The running processes with this name in their arguments.

        `left_over` checks all that were ever seen.
        """
        family = psutil.Process(self.process.pid).children(recursive=True)
        self._family.update({child.pid: child for child in family})
        return [child for child in family if _is_called(child, name)]

    def answers(self) -> bool:
        return httpx.get(f"{self.url}/", timeout=WITHIN_S, verify=False).status_code == 200

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        code = self.process.wait(WITHIN_S)
        self._reader.join(WITHIN_S)
        return code

    def left_over(self) -> list[psutil.Process]:
        """The children that still run after a moment."""
        _gone, alive = psutil.wait_procs(list(self._family.values()), timeout=10)
        return [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)
        self._reader.join(WITHIN_S)
        assert self.process.stdout
        self.process.stdout.close()


def _is_called(process: psutil.Process, name: str) -> bool:
    try:
        return name in " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # a zombie is one of those
        return False
