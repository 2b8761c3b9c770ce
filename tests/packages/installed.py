"""Environments that have wheels and nothing of this repository, and programs that run there."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gameserver.processes.children import free_port
from packages import build
from tests.end_to_end.serving import READY
from tests.waiting import WITHIN_S


def environment(folder: Path, *wheels: Path) -> Path:
    """Install wheels into an empty environment. Return its folder of programs."""
    made = (build.UV, "venv", "--quiet", "--python", sys.executable, str(folder))
    subprocess.run(made, check=True)
    install = (build.UV, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python"))
    subprocess.run([*install, *map(str, wheels)], check=True)
    return folder / "bin"


def said(command: Sequence[str | Path], folder: Path, code: int = 0) -> str:
    """Run a command in a folder, without any path of this repository. Return what it printed."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        command, cwd=folder, env=kept, capture_output=True, text=True, timeout=WITHIN_S, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout if code == 0 else done.stderr


@contextmanager
def serving(programs: Path, folder: Path) -> Iterator[str]:
    """Run the installed `railbird serve` in a folder, at first an empty one. Yield its address."""
    folder.mkdir(exist_ok=True)
    variables = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    variables["PYTHONUNBUFFERED"] = "1"
    port = free_port()
    with subprocess.Popen(
        [programs / "railbird", "serve", "--port", str(port)],
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
    ) as serve:
        try:
            assert serve.stdout is not None
            assert any(READY in line for line in serve.stdout)
            yield f"http://127.0.0.1:{port}"
        finally:
            serve.terminate()
