"""Set Django up at the start of a web or worker process."""

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured

from kit.database import THREADS_ANSWER_WITHIN_S, BoundedConnection


def set_up(program: str) -> None:
    """Read the settings and load the applications. Exits with one line for an invalid setting."""
    BoundedConnection.answer_within_s = THREADS_ANSWER_WITHIN_S
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")
    try:
        django.setup()
    except ImproperlyConfigured as error:
        sys.exit(f"{program}: {error}")
