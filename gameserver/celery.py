"""The Celery app: `celery -A gameserver worker`. What its workers do lives in `games.workers.bots`,
`games.workers.bootsteps` and `accounts.tasks`."""

import os
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import setup_logging, worker_ready

from gameserver.processes.children import announce_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")

app = Celery("gameserver")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["accounts"])
app.autodiscover_tasks(["games.workers"], related_name="bots")
# By name: they need models, and the worker sets Django up first.
app.steps["worker"].add("games.workers.bootsteps:ClockStep")
app.steps["worker"].add("games.workers.bootsteps:SealerStep")

# It warns of root, who runs a worker on a machine of their own; the image has a user for it.
warnings.filterwarnings("ignore", category=SecurityWarning)


@setup_logging.connect
def keep_our_logging(**_details: Any) -> None:
    """Being connected is enough: Celery then leaves logging as Django set it up."""


@worker_ready.connect
def announce_worker(**_details: Any) -> None:
    announce_ready()
