"""Deliveries of notices outside the inbox: which there are, which are due, and how they ended.

A delivery is created in the transaction of its notice. A process claims what is due for a while, so
that one that is killed loses nothing, and no transaction is open while a receiver is asked.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Min, Q, prefetch_related_objects
from django.db.models.functions import Now
from django.utils import timezone
from oauth2_provider.models import refresh_token_expire_timedelta

from accounts.models import User
from accounts.tasks import send_later
from accounts.tokens import Scope
from kit import row_batches
from kit.problems import Problem
from notices import webhooks
from notices.kinds import Fact
from notices.models import Delivery, PushSubscription, Webhook, remove_receivers

AT_ONCE: Final = 4
"""So many deliveries are on their way to one host name, and as many mails."""

LEASE_S: Final = 60.0
"""Longer than an attempt can take."""

RETRY_AFTER: Final = tuple(
    timedelta(seconds=each)
    for each in (5, 300, 1800, *(hours * 3600 for hours in (2, 5, 10, 14, 20, 24)))
)

KEPT_DAYS: Final = 30
TEST: Final = "test"
OWN_FAULTS: Final = ("internal_error", "key_missing")
"""Failures that say nothing about the receiver."""

# A user's webhooks also receive the notices of their bot users. Receivers are locked in order: they
# are not deleted while deliveries to them are created.
CREATE: Final = """
WITH told AS (
    SELECT n.user_id, n.number, n.kind, u.owner_id, u.email
    FROM unnest(%(user)s::uuid[], %(last)s::bigint[], %(count)s::bigint[])
        AS t(user_id, last, count)
    JOIN notices_notice n
        ON n.user_id = t.user_id AND n.number > t.last - t.count AND n.number <= t.last
    JOIN accounts_user u ON u.id = t.user_id
), reached AS (
    SELECT t.user_id, t.number, t.kind, w.id AS webhook_id
    FROM told t JOIN notices_webhook w ON w.user_id IN (t.user_id, t.owner_id)
    WHERE w.app_id IS NULL AND w.disabled = '' AND t.kind = ANY(w.kinds)
    UNION
    SELECT t.user_id, t.number, t.kind, w.id
    FROM told t JOIN oauth2_provider_refreshtoken r ON r.user_id = t.user_id
    JOIN oauth2_provider_accesstoken a ON a.id = r.access_token_id
    JOIN oauth2_provider_application p ON p.id = r.application_id
    JOIN notices_webhook w ON w.app_id = p.id AND w.user_id = p.user_id
    WHERE r.revoked IS NULL AND a.expires > %(open_since)s
        AND %(scope)s = ANY(string_to_array(a.scope, ' '))
        AND w.disabled = '' AND t.kind = ANY(w.kinds)
), webhook AS (
    SELECT id, host FROM notices_webhook WHERE id IN (SELECT webhook_id FROM reached)
    ORDER BY id FOR KEY SHARE
), browser AS (
    SELECT id, user_id, host FROM notices_pushsubscription WHERE user_id = ANY(%(user)s)
    ORDER BY id FOR KEY SHARE
), receiver AS (
    SELECT t.user_id, t.number, t.kind, w.id AS webhook_id, NULL::uuid AS subscription_id, w.host,
        now() AS due_at
    FROM reached t JOIN webhook w ON w.id = t.webhook_id
    UNION ALL
    SELECT t.user_id, t.number, t.kind, NULL, s.id, s.host, now() + %(after_s)s * interval '1 s'
    FROM told t JOIN notices_inbox i ON i.user_id = t.user_id
    JOIN browser s ON s.user_id = t.user_id
    WHERE t.kind || ':push' <> ALL(i.off)
    UNION ALL
    SELECT t.user_id, t.number, t.kind, NULL, NULL, '', now() + %(after_s)s * interval '1 s'
    FROM told t JOIN notices_inbox i ON i.user_id = t.user_id
    WHERE %(mails)s AND t.email NOT IN ('', i.refused) AND t.kind || ':mail' <> ALL(i.off)
)
INSERT INTO notices_delivery (user_id, number, kind, webhook_id, subscription_id, host, due_at)
SELECT user_id, number, kind, webhook_id, subscription_id, host, due_at FROM receiver
"""

# One process claims at a time: what the others have claimed counts for the limit of a host.
ALONE: Final = "SELECT pg_try_advisory_xact_lock(hashtext('delivering'))"
CLAIM: Final = """
WITH RECURSIVE hosts AS (
    (SELECT host FROM notices_delivery WHERE state = 'waiting' ORDER BY host LIMIT 1)
    UNION ALL
    SELECT (
        SELECT d.host FROM notices_delivery d
        WHERE d.state = 'waiting' AND d.host > h.host ORDER BY d.host LIMIT 1
    ) FROM hosts h WHERE h.host IS NOT NULL
), due AS (
    SELECT d.id FROM hosts h CROSS JOIN LATERAL (
        SELECT id FROM notices_delivery
        WHERE state = 'waiting' AND host = h.host AND due_at <= now()
        ORDER BY due_at LIMIT greatest(0, %(at_once)s - (
            SELECT count(*) FROM notices_delivery
            WHERE state = 'waiting' AND host = h.host AND leased AND due_at > now()
                AND due_at <= now() + %(lease_s)s * interval '1 s'
        )) FOR UPDATE SKIP LOCKED
    ) d LIMIT %(most)s
)
UPDATE notices_delivery d
SET due_at = now() + %(lease_s)s * interval '1 s', leased = true, attempts = attempts + 1
FROM due WHERE d.id = due.id
RETURNING d.*
"""

FORGET: Final = """
DELETE FROM notices_delivery WHERE id IN (
    SELECT id FROM notices_delivery
    WHERE at < now() - %(days)s * interval '1 day' AND state <> 'waiting'
    LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
"""


class Outcome(NamedTuple):
    """How an attempt ended: the HTTP status of the answer, and "" or a short code of a failure."""

    status: int | None = None
    error: str = ""
    is_final: bool = False
    """Whether another attempt would fail as well."""


def create(told: Sequence[tuple[UUID, int, int]]) -> None:
    """Create the deliveries of new notices: of each user, the last number and how many are new."""
    asked = dict(zip(("user", "last", "count"), map(list, zip(*told, strict=True)), strict=True))
    with connection.cursor() as cursor:
        cursor.execute(
            CREATE,
            {
                **asked,
                "open_since": timezone.now() - refresh_token_expire_timedelta(),
                "scope": Scope.NOTICES.value,
                "after_s": settings.NOTICE_AFTER_S,
                "mails": bool(settings.PUBLIC_URL),
            },
        )
        created = cursor.rowcount
    if created:
        transaction.on_commit(wake, robust=True)


def wake() -> None:
    """Make a worker look at once. Without the broker, its next round finds what is due."""
    from notices.tasks import deliver_due  # noqa: PLC0415  (it delivers what this module lists)

    with suppress(Problem):
        send_later(deliver_due)


def claim(most: int) -> list[Delivery]:
    """Claim deliveries that are due for `LEASE_S`; none while another process claims."""
    asked = {"at_once": AT_ONCE, "lease_s": LEASE_S, "most": most}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(ALONE)
        (is_alone,) = cursor.fetchone()
        found = list(Delivery.objects.raw(CLAIM, asked)) if is_alone else []
    prefetch_related_objects(found, "user", "webhook__user", "webhook__app", "subscription")
    return found


def lapse(delivery: Delivery) -> None:
    """Give up a delivery that nobody wants any more."""
    _own(delivery).update(state=Delivery.State.LAPSED, leased=False)


def record(delivery: Delivery, outcome: Outcome) -> list[Fact]:
    """Record how the attempt of a claimed delivery ended. Return what to tell about its webhook."""
    if not outcome.error:
        changes: dict[str, Any] = {"state": Delivery.State.SENT}
    elif outcome.is_final or delivery.attempts > len(RETRY_AFTER) or delivery.kind == TEST:
        changes = {"state": Delivery.State.FAILED}
    else:
        changes = {"due_at": Now() + RETRY_AFTER[delivery.attempts - 1]}
    with transaction.atomic():
        # Whoever locks a webhook and its deliveries locks the webhook first.
        locked = Webhook.objects.select_for_update(no_key=True)
        number = delivery.webhook_id
        webhook = None if number is None else locked.filter(id=number).first()
        _own(delivery).update(leased=False, status=outcome.status, error=outcome.error, **changes)
        return [] if webhook is None else _judge(webhook, outcome)


def _own(delivery: Delivery) -> Any:
    """Return the row of a delivery unless it was claimed again, because the lease had ended."""
    waiting = Delivery.State.WAITING
    return Delivery.objects.filter(id=delivery.id, attempts=delivery.attempts, state=waiting)


def _judge(webhook: Webhook, outcome: Outcome) -> list[Fact]:
    """Disable a webhook that is gone, or that has failed for too long."""
    if webhook.disabled or outcome.error in OWN_FAULTS:
        return []
    if outcome.status == 410:
        return [webhooks.disable(webhook, Webhook.Disabled.GONE)]
    if not outcome.error:
        webhook.failing_since = None
    elif webhook.failing_since is None:
        webhook.failing_since = timezone.now()
    elif timezone.now() - webhook.failing_since > webhooks.FAILING_FOR:
        return [webhooks.disable(webhook, Webhook.Disabled.FAILING)]
    webhook.save(update_fields=["failing_since"])
    return []


# What the user of a webhook asks for


def test(webhook: Webhook) -> Delivery:
    """Send a webhook a test. Raises Problem `webhook_disabled`."""
    _check_enabled(webhook)
    with transaction.atomic():
        made = Delivery.objects.create(
            user=webhook.user, kind=TEST, webhook=webhook, host=webhook.host, due_at=timezone.now()
        )
        transaction.on_commit(wake, robust=True)
    made.refresh_from_db()
    return made


def newest(webhook: Webhook, before: int | None, most: int) -> list[Delivery]:
    """Return the deliveries to a webhook before a number, newest first."""
    found = webhook.deliveries.order_by("-id")
    return list(found[:most] if before is None else found.filter(id__lt=before)[:most])


def send_again(webhook: Webhook, first: int, last: int, most: int) -> int:
    """Send the first deliveries of a range again that are not waiting. Return how many.

    Raises Problem `webhook_disabled`.
    """
    _check_enabled(webhook)
    ended = ~Q(state=Delivery.State.WAITING)
    chosen = webhook.deliveries.filter(ended, id__range=(first, last)).order_by("id")[:most]
    with transaction.atomic():
        again = Delivery.objects.filter(ended, id__in=[each.id for each in chosen])
        count = again.update(state=Delivery.State.WAITING, attempts=0, due_at=Now())
        transaction.on_commit(wake, robust=True)
    return count


def _check_enabled(webhook: Webhook) -> None:
    if webhook.disabled:
        raise Problem("webhook_disabled")


# Periodic work


def late_s() -> float:
    """Return for how long the oldest delivery has been due."""
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING)
    oldest: datetime | None = waiting.aggregate(oldest=Min("due_at"))["oldest"]
    return 0.0 if oldest is None else max(0.0, (timezone.now() - oldest).total_seconds())


def forget_old() -> int:
    """Delete deliveries that ended, after `KEPT_DAYS`. Return how many."""
    return row_batches.repeat(FORGET, days=KEPT_DAYS)


def forget(user: User) -> None:
    """Erase the webhooks, browsers and deliveries of a user."""
    remove_receivers(Webhook.objects.filter(user=user))
    remove_receivers(PushSubscription.objects.filter(user=user))
    Delivery.objects.filter(user=user).delete()
