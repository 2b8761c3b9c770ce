"""Set Django up at the start of a web or worker process."""

import os
import sys

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.keys import acknowledging, encryption
from gameserver.processes import tracing
from kit.database import BoundedConnection


def set_up(program: str, *, answer_within_s: float, acknowledges: bool = False) -> None:
    """Read the settings and the keys of the seeds, and load the applications. A program that
    `acknowledges` also needs the key for that. Its threads wait for the database no longer than
    `answer_within_s`.

    Exits with one line for an invalid setting or a missing key."""
    BoundedConnection.answer_within_s = answer_within_s
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")
    try:
        django.setup()
        tracing.start(program)
        encryption.keys_in(settings.SEED_KEY_FILE)
        from games.store.commits import check_settings  # noqa: PLC0415 -- needs the applications

        check_settings()
        if acknowledges:
            acknowledging.check(settings.ACK_KEY_FILE)
    except (ImproperlyConfigured, encryption.Unusable, acknowledging.Unusable) as error:
        sys.exit(f"{program}: {error}")
