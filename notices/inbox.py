"""Write and read the notices of people."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection, transaction

from accounts.models import User
from kit import event_loop, pubsub, row_batches
from kit.problems import Problem
from notices import deliveries
from notices.kinds import CHANNELS, KINDS, Channel, Fact, Kind, off_at_first, off_switch
from notices.models import Inbox, Notice

HINTS: Final = "notice-hints"
"""The pub/sub group that says up to which number users have notices."""

NEW_INBOXES: Final = """
INSERT INTO notices_inbox (user_id, last, read, off, refused)
SELECT id, 0, 0, %(off)s, '' FROM accounts_user WHERE id = ANY(%(users)s) ORDER BY id
ON CONFLICT DO NOTHING
"""

# Nobody else numbers notices of these users until the transaction ends. Erased and suspended users
# are notified nothing.
LOCK: Final = """
SELECT i.user_id FROM notices_inbox i JOIN accounts_user u ON u.id = i.user_id
WHERE i.user_id = ANY(%(users)s) AND u.is_active
    AND (u.suspended_until IS NULL OR u.suspended_until < now())
ORDER BY i.user_id FOR NO KEY UPDATE OF i
"""

TELL: Final = """
WITH fresh AS (
    SELECT f.*, i.last + row_number() OVER (PARTITION BY f.user_id ORDER BY f.place) AS number
    FROM unnest(%(user)s::uuid[], %(kind)s::text[], %(subject)s::uuid[], %(version)s::int[],
        %(data)s::text[]) WITH ORDINALITY AS f(user_id, kind, subject, version, data, place)
    JOIN notices_inbox i ON i.user_id = f.user_id
    WHERE f.user_id = ANY(%(users)s) AND f.kind || ':inbox' <> ALL(i.off) AND NOT EXISTS (
        SELECT FROM notices_notice n WHERE n.user_id = f.user_id AND n.kind = f.kind
            AND n.subject = f.subject AND n.version = f.version
    )
), told AS (
    INSERT INTO notices_notice (user_id, number, kind, subject, version, data)
    SELECT user_id, number, kind, subject, version, data::jsonb FROM fresh
    RETURNING user_id, number
), newest AS (
    SELECT user_id, max(number) AS number, count(*) AS told FROM told GROUP BY user_id
), moved AS (
    UPDATE notices_inbox i SET last = n.number FROM newest n WHERE i.user_id = n.user_id
)
SELECT user_id, number, told FROM newest
"""

FORGET_OLD: Final = """
DELETE FROM notices_notice WHERE (user_id, number) IN (
    SELECT user_id, number FROM notices_notice
    WHERE at < now() - %(days)s * interval '1 day'
    ORDER BY at, number LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
"""


def tell(facts: Collection[Fact]) -> int:
    """Tell people facts that they were not told before, and return how many were new.

    Numbers have no gaps: they come from the inbox of each person, which stays locked until the end
    of the caller's transaction. Call it once in a transaction, so that people are locked in order.
    """
    assert connection.in_atomic_block, "numbers without gaps need a transaction"
    once = {(fact.user, fact.kind, fact.subject, fact.version): fact for fact in facts}
    if not once:
        return 0
    users = sorted({fact.user for fact in once.values()})
    columns: list[list[Any]] = [list(column) for column in zip(*once.values(), strict=True)]
    columns[-1] = [msgspec.json.encode(data).decode() for data in columns[-1]]
    with connection.cursor() as cursor:
        cursor.execute(NEW_INBOXES, {"users": users, "off": off_at_first()})
        cursor.execute(LOCK, {"users": users})
        locked = [user for (user,) in cursor.fetchall()]
        asked = dict(zip(("user", "kind", "subject", "version", "data"), columns, strict=True))
        cursor.execute(TELL, {**asked, "users": locked})
        newest = cursor.fetchall()
    if newest:
        numbers = {user: number for user, number, _ in newest}
        transaction.on_commit(lambda: announce(numbers), robust=True)
        deliveries.create(newest)
    return sum(told for *_, told in newest)


def announce(numbers: Mapping[UUID, int]) -> None:
    """Hint to all processes that these users have notices up to these numbers."""
    heads = {user.hex: number for user, number in numbers.items()}
    event_loop.call(pubsub.publish(HINTS, {"heads": heads}))


class Page(NamedTuple):
    """Notices after a number. `first` is the first that is kept, `last` the newest, and `read` the
    last that the user has read."""

    first: int
    last: int
    read: int
    notices: Sequence[Notice]


def read_after(user: UUID, after: int, most: int) -> Page:
    """Return the first notices of a user after a number. Raises Problem `version_ahead`."""
    found = Inbox.objects.filter(user=user).first() or Inbox(user_id=user)
    if after > found.last:
        raise Problem("version_ahead", version=found.last)
    own = Notice.objects.filter(user=user, number__lte=found.last).order_by("number")
    kept = own.values_list("number", flat=True).first()
    first = found.last + 1 if kept is None else kept
    return Page(first, found.last, found.read, list(own.filter(number__gt=after)[:most]))


def last_of(users: Collection[UUID]) -> dict[UUID, int]:
    """Return the numbers of the newest notices of users that have any."""
    return dict(Inbox.objects.filter(user__in=users).values_list("user", "last"))


def mark_read(user: User, number: int) -> None:
    """Note that a user has read the notices up to a number; a lower one changes nothing.

    Raises Problem `version_ahead`.
    """
    with transaction.atomic():
        found = Inbox.objects.select_for_update(no_key=True).filter(user=user).first()
        last = 0 if found is None else found.last
        if number > last:
            raise Problem("version_ahead", version=last)
        if found is not None and number > found.read:
            found.read = number
            found.save(update_fields=["read"])


def wanted_by(user: User) -> dict[Kind, list[Channel]]:
    """Return on which channels a user wants each kind."""
    found = Inbox.objects.filter(user=user).first() or Inbox(user=user)
    off = set(found.off)
    return {
        kind: [channel for channel in CHANNELS if off_switch(kind, channel) not in off]
        for kind in KINDS
    }


def want(user: User, kind: Kind, channels: Collection[Channel]) -> None:
    """Set on which channels a user wants a kind. Without the inbox, there are no such notices.

    A user who wants mail again has it tried again at an address that refused it.
    """
    with transaction.atomic():
        Inbox.objects.get_or_create(user=user)
        found = Inbox.objects.select_for_update(no_key=True).get(user=user)
        others = [each for each in found.off if not each.startswith(f"{kind}:")]
        off = [off_switch(kind, channel) for channel in CHANNELS if channel not in channels]
        found.off = sorted([*others, *off])
        if "mail" in channels:
            found.refused = ""
        found.save(update_fields=["off", "refused"])


def forget(user: User) -> None:
    """Erase the notices of a user, and what they want to be notified."""
    Notice.objects.filter(user=user).delete()
    Inbox.objects.filter(user=user).delete()


def forget_old() -> int:
    """Delete notices that are older than `NOTICES_KEPT_DAYS`. Return how many."""
    return row_batches.repeat(FORGET_OLD, days=settings.NOTICES_KEPT_DAYS)
