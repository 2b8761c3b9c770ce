"""The log of what operators did: rows that are only added, each with a hash over the one before.

The public log names the newest hash, so no row can be changed, removed or inserted unnoticed.
"""

import hashlib
from collections.abc import Iterator
from typing import Final

from django.db import connection, transaction

from accounts.models import User
from games.models import OperatorAction
from railbird_engine.kernel.chain import framed

LOCK: Final = 0x67616D65_61637400
"""The advisory lock of the writer that adds the next row, until its transaction ends."""
BOUNDED: Final = """
SELECT set_config('lock_timeout', '60s', true) WHERE current_setting('lock_timeout') = '0'
"""
"""Commands have no limits of their own, and would wait for ever for a transaction that hangs."""
NOTHING: Final = bytes(32)


def record_action(operator: User, action: str, subject: str, reason: str) -> OperatorAction:
    """Log what an operator does, and why."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(BOUNDED)
        cursor.execute("SELECT pg_advisory_xact_lock(%s), clock_timestamp()", [LOCK])
        _, at = cursor.fetchone()
        last = OperatorAction.objects.order_by("-number").first()
        row = OperatorAction(
            number=1 if last is None else last.number + 1,
            at=at,
            operator=operator,
            action=action,
            subject=subject,
            reason=reason,
        )
        row.hash = hash_of(row, NOTHING if last is None else bytes(last.hash))
        row.save(force_insert=True)
    return row


def hash_of(row: OperatorAction, previous: bytes) -> bytes:
    """Return the hash of a row, over all its columns and the hash of the row before."""
    parts = (
        str(row.number),
        row.at.isoformat(timespec="microseconds"),
        str(row.operator_id),
        row.action,
        row.subject,
        row.reason,
    )
    said = framed(part.encode() for part in parts)
    return hashlib.sha256(b"action\x00" + previous + said).digest()


def hashes() -> Iterator[tuple[OperatorAction, bytes]]:
    """Yield all rows in order, each with the hash that it should have after those before it."""
    previous = NOTHING
    for row in OperatorAction.objects.order_by("number").iterator(2000):
        previous = hash_of(row, previous)
        yield row, previous
