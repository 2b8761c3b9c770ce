"""One Celery worker process, under `serve` or in a container.

python -m gameserver.processes.worker [name]
"""

import gc
import sys
from typing import Any

from celery.signals import worker_ready

from gameserver.celery import app
from gameserver.processes.startup import set_up


@worker_ready.connect
def collect_garbage(**_details: Any) -> None:
    """Loaded modules stay; from now on the collector looks at what the work leaves."""
    gc.freeze()
    gc.enable()


def main() -> None:
    gc.disable()  # until the worker is ready: imports leave no garbage worth looking for
    set_up("worker")
    # Nothing here reads what workers tell each other; the clock needs no broker at all.
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    app.start(["--quiet", "worker", "--hostname", f"{(sys.argv[1:] or ['worker'])[0]}@%h", *quiet])


if __name__ == "__main__":
    main()
