"""One Celery worker process, under `serve` or in a container.

python -m gameserver.processes.worker [name]
"""

import sys

from gameserver.celery import app


def main() -> None:
    # Nothing here reads what workers tell each other; the clock needs no broker at all.
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    app.start(["--quiet", "worker", "--hostname", f"{(sys.argv[1:] or ['worker'])[0]}@%h", *quiet])


if __name__ == "__main__":
    main()
