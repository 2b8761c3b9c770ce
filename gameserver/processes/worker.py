"""One Celery worker process, under `serve` or in a container.

python -m gameserver.processes.worker [name]
"""

import gc
import os
import sys
from typing import Any

from celery.signals import worker_ready

from gameserver.celery import app
from gameserver.processes.startup import limit_pauses, set_up
from kit.database import WORKER_THREADS_ANSWER_WITHIN_S


@worker_ready.connect
def on_ready(**_details: Any) -> None:
    limit_pauses()


def main() -> None:
    gc.disable()  # until the worker is ready: imports leave hardly any garbage
    set_up("worker", answer_within_s=WORKER_THREADS_ANSWER_WITHIN_S)
    # Imported after Django's setup, because it imports models.
    from gameserver.processes import metrics  # noqa: PLC0415

    metrics.start("worker")
    # Checks load all addresses of the web. `manage.py` runs them.
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
    # Started here, because Celery's own program loads what consoles need. The server does not use
    # gossip between workers, and the clock needs no broker.
    worker = app.Worker(
        hostname=f"{(sys.argv[1:] or ['worker'])[0]}@",  # of this machine
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main()
