"""Troubles that keep the log from being signed. Each is a row, so that every process can tell.

A sealer notes why it cannot sign; that counts for as long as it repeats it. A cosigner notes that a
witness proves a fork; that stops every sealer until the log continues what the witness cosigned.
"""

import os
import socket
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.db.models.functions import Now

from games.models import LogTrouble
from games.store.heads import TROUBLE_COUNTS_FOR_S

LENGTH_MAX: Final = 400


def of_process() -> str:
    """Return the name under which this process notes its troubles."""
    return f"{socket.gethostname()} {os.getpid()}"


def note(source: str, text: str, *, is_fork: bool = False) -> None:
    """Note a trouble, in place of the one before of this source."""
    LogTrouble.objects.update_or_create(
        source=source, defaults={"text": text[:LENGTH_MAX], "is_fork": is_fork, "at": Now()}
    )


def clear(source: str) -> None:
    """Remove the trouble of a source, if any."""
    LogTrouble.objects.filter(source=source).delete()


def clear_forks_of_others(sources: Sequence[str]) -> None:
    """Remove the proofs of witnesses that are not among these."""
    LogTrouble.objects.filter(is_fork=True).exclude(source__in=sources).delete()


def forks() -> list[str]:
    """Return the proofs of witnesses that the log forked."""
    return list(LogTrouble.objects.filter(is_fork=True).values_list("text", flat=True))


def texts() -> list[str]:
    """Return the troubles that count now."""
    recently = Now() - timedelta(seconds=TROUBLE_COUNTS_FOR_S)
    counts = LogTrouble.objects.filter(Q(is_fork=True) | Q(at__gt=recently))
    return list(counts.order_by("source").values_list("text", flat=True))
