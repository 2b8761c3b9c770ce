"""Check whether the process of this container responds: exit code 0 or 1.

For health checks in images without curl:

python -m gameserver.processes.health [port]
python -m gameserver.processes.health worker
"""

import os
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

SILENT_S = 30.0
"""A worker whose heartbeat is older does not respond."""


def main() -> None:
    argument = (sys.argv[1:] or ["8000"])[0]
    if argument == "worker":
        _check_worker(os.environ.get("HEARTBEAT_FILE", ""))
    else:
        _check_web(argument)


def _check_worker(file: str) -> None:
    try:
        # A file that is being written is empty.
        age_s = time.monotonic() - float(Path(file).read_text() or "inf")
    except OSError as error:
        sys.exit(f"no heartbeat in HEARTBEAT_FILE {file!r}: {error.strerror}")
    if age_s > SILENT_S:
        sys.exit(f"the last heartbeat is {age_s:.0f} s old")


def _check_web(port: str) -> None:
    try:
        with urlopen(Request(f"http://127.0.0.1:{port}/api/v1/health/live/"), timeout=4) as answer:
            sys.exit(0 if answer.status == 200 else 1)
    except (URLError, TimeoutError) as error:
        sys.exit(f"no response: {error}")


if __name__ == "__main__":
    main()
