"""The Celery app: `celery -A gameserver worker`.

The tasks of workers are in `accounts.tasks` and `notices.tasks`, their loops in `games.workers`.
"""

import os
import warnings
from typing import Any

from celery import Celery
from celery.exceptions import CPendingDeprecationWarning, SecurityWarning
from celery.signals import setup_logging, worker_ready

from gameserver.processes.children import announce_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")

app = Celery("gameserver")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["accounts", "notices"])
# By name: these modules need models, and the worker sets Django up first.
app.steps["worker"].add("games.workers.bootsteps:ClockStep")
app.steps["worker"].add("gameserver.processes.sealer:SealerStep")

# Celery warns about root. Only developers run a worker as root; the image has a user for it.
warnings.filterwarnings("ignore", category=SecurityWarning)
# At each loss of the broker, Celery names a setting whose default suits tasks that may repeat.
warnings.filterwarnings("ignore", category=CPendingDeprecationWarning)


@setup_logging.connect
def keep_our_logging(**_details: Any) -> None:
    """Do nothing: a connected handler keeps Celery from replacing Django's logging."""


@worker_ready.connect
def announce_worker(**_details: Any) -> None:
    announce_ready()
