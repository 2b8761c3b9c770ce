"""The folder that all processes of one test run share, which lives as long as the run.

Nothing here imports the server, so that tests of rules, kernel and audit run without it.
"""

import atexit
import fcntl
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent


def _begin() -> Path:
    """Make the folder of the run, and keep its file `running` locked until this process ends."""
    folder = tempfile.TemporaryDirectory(prefix="gameserver-tests-")
    path = Path(folder.name)
    path.chmod(0o755)  # PostgreSQL has a user of its own
    running = (path / "running").open("w")
    fcntl.flock(running, fcntl.LOCK_EX)
    os.environ["TESTS_FOLDER"] = folder.name
    # Tests start Node a hundred times: it compiles the verifier and the client once.
    os.environ["NODE_COMPILE_CACHE"] = str(path / "node")

    def end() -> None:
        running.close()
        for name in ("starting", "serving"):
            # Waits for the server process, which may have deleted the folder.
            with suppress(FileNotFoundError), (path / name).open("w") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
        folder.cleanup()

    atexit.register(end)
    return path


FOLDER: Final = Path(os.environ["TESTS_FOLDER"]) if "TESTS_FOLDER" in os.environ else _begin()


def claim(work: str) -> None:
    """Raise FileExistsError if another process of this run has claimed this work."""
    (FOLDER / f"{work} is claimed").touch(exist_ok=False)
