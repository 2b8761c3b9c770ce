"""Set Django up at the start of a web or worker process."""

import gc
import os
import resource
import sys
import time
from contextlib import suppress
from typing import Final

import django
import structlog
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from games.keys import acknowledging
from gameserver.processes import tracing
from gameserver.settings import environment
from kit import encryption, key_files
from kit.database import BoundedConnection
from kit.installation import NAME
from railbird_engine.kernel.code import OtherCodeError, check_compiled

log = structlog.get_logger(__name__)

COLLECT_AFTER: Final = (2_000, 10, 1_000)
"""After how many new objects, and then collections of the generation before, garbage is collected.

A collection stops all games for some 0.5 us per object that it looks at. The young generations are
small, so that their collections take under 5 ms. One of everything takes 50 ms and more at a
thousand games; it comes after 20 million objects. Until then cycles that survived twice stay, so no
request may leave many: large documents are made once, and a test measures what requests leave."""

FILES_MAX: Final = 2**19

SWITCH_EVERY_S: Final = 0.0005
"""How long a thread may keep the others waiting. Each time that the store loop waits for the
database or a socket, it needs its turn among the threads again."""


def set_up(program: str, *, answer_within_s: float, acknowledges: bool = False) -> None:
    """Read the settings and the keys of the seeds, and load the applications. A program that
    `acknowledges` also needs the key for that. Its threads wait for the database no longer than
    `answer_within_s`, and their sessions get the limits of requests.

    Exits with one line for an invalid setting or a missing key."""
    raise_file_limit()
    BoundedConnection.answer_within_s = answer_within_s
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")
    try:
        check_compiled("railbird_engine")
        django.setup()
        for alias, found in environment.databases(environment.OF_REQUESTS).items():
            settings.DATABASES[alias].update(found)
        tracing.start(program)
        encryption.keys_in(settings.SEED_KEY_FILE)
        from games.store.connections import check_settings  # noqa: PLC0415 -- needs the applications

        check_settings()
        _check_database()
        if acknowledges:
            _warn_of_expiry(acknowledging.check(settings.ACK_KEY_FILE, settings.LOG_ORIGIN))
    except (
        ImproperlyConfigured,
        key_files.UnusableKeyError,
        OtherCodeError,
    ) as error:
        sys.exit(f"{program}: {error}")


def _check_database() -> None:
    """Log the settings of the database that endanger promises, if it is there.

    Raises ImproperlyConfigured for one on which the server cannot work.
    """
    from games.store.database_checks import findings  # noqa: PLC0415 -- needs the applications

    try:
        found = findings()
    except DatabaseError:
        return
    finally:
        connection.close()
    for each in found:
        if each.is_fatal:
            raise ImproperlyConfigured(each.text)
        log.error("database_unsafe", setting=each.name, remedy=each.text)


def _warn_of_expiry(valid_until: int) -> None:
    left_s = valid_until - time.time()
    if left_s < acknowledging.WARN_S:
        days = int(left_s // acknowledging.DAY_S)
        log.warning("ack_key_expires", days=days, remedy=f"run `{NAME} keys ack --add`")


def raise_file_limit() -> None:
    """Let this process open as many files and sockets as the system permits it to.

    The usual soft limit of 1024 is there for programs that use `select`.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES_MAX if hard == resource.RLIM_INFINITY else min(hard, FILES_MAX)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def limit_pauses() -> None:
    """Keep the pauses of games short from now on; call this when the process is ready.

    Exclude what is loaded from garbage collection, collect often but little, and let threads take
    short turns.
    """
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    gc.enable()
    sys.setswitchinterval(SWITCH_EVERY_S)
