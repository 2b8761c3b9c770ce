"""Deliveries of notices outside the inbox: which there are, which are due, and how they ended.

A delivery is created in the transaction of its notice. A process claims what is due for a while, so
that one that is killed loses nothing, and no transaction is open while a receiver is asked.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import prefetch_related_objects
from django.db.models.functions import Now
from django.utils import timezone
from oauth2_provider.models import refresh_token_expire_timedelta

from accounts.models import User
from accounts.tasks import send_later
from accounts.tokens import Scope
from kit import rate_limits, row_batches
from kit.problems import Problem
from kit.rate_limits import Spent
from notices import webhooks
from notices.kinds import Fact
from notices.models import Delivery, PushSubscription, Webhook, remove_receivers

AT_ONCE: Final = 4
"""So many deliveries are on their way to one host name, and as many mails."""

PUSHED_AT_ONCE: Final = 32
"""So many are on their way to one push service, which many users share."""

OF_ONE_USER_AT_ONCE: Final = 8
"""So many are on their way to the receivers of one user."""

LEASE_S: Final = 60.0
MAIL_LEASE_S: Final = 300.0
"""Longer than an attempt can take. Each step of a mail may take `EMAIL_TIMEOUT`."""

WAITING_MAX: Final = 10_000
"""So many deliveries wait for one webhook; older ones lapse."""

RETRY_AFTER: Final = tuple(
    timedelta(seconds=each)
    for each in (5, 300, 1800, *(hours * 3600 for hours in (2, 5, 10, 14, 20, 24)))
)

KEPT_DAYS: Final = 30
TEST: Final = "test"
UNPROVED: Final = Webhook.Disabled.UNPROVED
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
    WHERE w.app_id IS NULL AND w.disabled = '' AND (w.kinds = '{}' OR t.kind = ANY(w.kinds))
    UNION
    SELECT t.user_id, t.number, t.kind, w.id
    FROM told t JOIN oauth2_provider_refreshtoken r ON r.user_id = t.user_id
    JOIN oauth2_provider_accesstoken a ON a.id = r.access_token_id
    JOIN oauth2_provider_application p ON p.id = r.application_id
    JOIN notices_webhook w ON w.app_id = p.id AND w.user_id = p.user_id
    WHERE r.revoked IS NULL AND a.expires > %(open_since)s
        AND %(scope)s = ANY(string_to_array(a.scope, ' '))
        AND w.disabled = '' AND (w.kinds = '{}' OR t.kind = ANY(w.kinds))
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
    SELECT t.user_id, t.number, t.kind, NULL, s.id, 'push:' || s.host,
        now() + %(after_s)s * interval '1 s'
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
RETURNING due_at <= now()
"""

# The hosts and owners to which something is on its way. Webhooks of an app are its owner's.
HELD: Final = """
held AS MATERIALIZED (
    SELECT d.host, coalesce(w.user_id, d.user_id) AS owner
    FROM notices_delivery d LEFT JOIN notices_webhook w ON w.id = d.webhook_id
    WHERE d.state = 'waiting' AND d.leased AND d.due_at > now()
)"""

# One process claims at a time: what the others have claimed counts for the limits of hosts and
# users. Receivers that hang delay no other user.
ALONE: Final = "SELECT pg_try_advisory_xact_lock(hashtext('delivering'))"
CLAIM: Final = f"""
WITH RECURSIVE {HELD}, busy AS MATERIALIZED (
    SELECT owner, count(*) AS held FROM held GROUP BY owner
), hosts AS (
    (SELECT host FROM notices_delivery WHERE state = 'waiting' ORDER BY host LIMIT 1)
    UNION ALL
    SELECT (
        SELECT d.host FROM notices_delivery d
        WHERE d.state = 'waiting' AND d.host > h.host ORDER BY d.host LIMIT 1
    ) FROM hosts h WHERE h.host IS NOT NULL
), due AS (
    SELECT d.id, d.due_at,
        d.held + row_number() OVER (PARTITION BY d.owner ORDER BY d.due_at, d.id) AS place
    FROM hosts h CROSS JOIN LATERAL (
        SELECT n.id, n.due_at, coalesce(w.user_id, n.user_id) AS owner, coalesce(b.held, 0) AS held
        FROM notices_delivery n LEFT JOIN notices_webhook w ON w.id = n.webhook_id
        LEFT JOIN busy b ON b.owner = coalesce(w.user_id, n.user_id)
        WHERE n.state = 'waiting' AND n.host = h.host AND n.due_at <= now()
            AND coalesce(b.held, 0) < %(of_one_user)s
        ORDER BY n.due_at
        LIMIT greatest(0, CASE WHEN h.host LIKE 'push:%%' THEN %(pushed_at_once)s
            ELSE %(at_once)s END - (SELECT count(*) FROM held WHERE host = h.host))
    ) d
), chosen AS (
    SELECT id FROM notices_delivery
    WHERE state = 'waiting' AND due_at <= now() AND id IN (
        SELECT id FROM due WHERE place <= %(of_one_user)s ORDER BY due_at LIMIT %(most)s
    ) FOR UPDATE SKIP LOCKED
)
UPDATE notices_delivery d
SET leased = true, attempts = attempts + 1,
    due_at = now() + (
        CASE WHEN webhook_id IS NULL AND subscription_id IS NULL THEN %(mail_lease_s)s
        ELSE %(lease_s)s END
    ) * interval '1 s'
FROM chosen WHERE d.id = chosen.id
RETURNING d.*
"""  # noqa: S608  (constants)

# Mail, and what neither its host nor its user keeps waiting: no user's receiver is late here.
LATE: Final = f"""
WITH {HELD}
SELECT extract(epoch FROM now() - min(d.due_at))::float
FROM notices_delivery d LEFT JOIN notices_webhook w ON w.id = d.webhook_id
WHERE d.state = 'waiting' AND d.due_at <= now() AND (
    d.host = '' OR NOT EXISTS (
        SELECT FROM held h WHERE h.host = d.host OR h.owner = coalesce(w.user_id, d.user_id)
    )
)
"""  # noqa: S608  (constants)

SENT: Final = """
WITH own AS (
    SELECT d.id, t.status
    FROM unnest(%(id)s::bigint[], %(attempts)s::int[], %(status)s::int[]) AS t(id, attempts, status)
    JOIN notices_delivery d ON d.id = t.id AND d.attempts = t.attempts AND d.state = 'waiting'
    FOR NO KEY UPDATE OF d SKIP LOCKED
)
UPDATE notices_delivery d SET state = 'sent', leased = false, status = own.status, error = ''
FROM own WHERE d.id = own.id RETURNING d.id
"""

LAPSE: Final = """
UPDATE notices_delivery SET state = 'lapsed' WHERE id IN (
    SELECT id FROM notices_delivery WHERE state = 'waiting' AND id IN (
        SELECT d.id FROM notices_webhook w CROSS JOIN LATERAL (
            SELECT id FROM notices_delivery WHERE webhook_id = w.id AND state = 'waiting'
            ORDER BY id DESC OFFSET %(kept)s
        ) d LIMIT %(most)s
    ) FOR UPDATE SKIP LOCKED
)
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


Ended = tuple[Delivery, Outcome]


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
        is_due = any(due for (due,) in cursor.fetchall())
    if is_due:
        transaction.on_commit(wake, robust=True)


def wake() -> None:
    """Make a worker look at once. Without the broker, its next round finds what is due."""
    from notices.tasks import deliver_due  # noqa: PLC0415  (it delivers what this module lists)

    with suppress(Problem):
        send_later(deliver_due)


def claim(most: int) -> list[Delivery]:
    """Claim deliveries that are due; none while another process claims."""
    asked = {
        "at_once": AT_ONCE,
        "pushed_at_once": PUSHED_AT_ONCE,
        "of_one_user": OF_ONE_USER_AT_ONCE,
        "most": most,
        "lease_s": LEASE_S,
        "mail_lease_s": MAIL_LEASE_S,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(ALONE)
        (is_alone,) = cursor.fetchone()
        found = list(Delivery.objects.raw(CLAIM, asked)) if is_alone else []
    related = ("user__inbox", "webhook__user", "webhook__app", "subscription")
    prefetch_related_objects(found, *related)
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
    with transaction.atomic(savepoint=False):
        # A webhook is locked before its deliveries.
        locked = Webhook.objects.select_for_update(no_key=True)
        tried = delivery.webhook
        webhook = None if tried is None else locked.filter(id=tried.id).first()
        is_own = _own(delivery).update(
            leased=False, status=outcome.status, error=outcome.error, **changes
        )
        return [] if not is_own or webhook is None else _judge(webhook, delivery, outcome)


def record_sent(ended: Sequence[Ended]) -> set[int]:
    """Record successes of webhooks, many at a time. Return the ids of those that it recorded: not
    of rows that somebody else has locked, or that were claimed again."""
    if not ended:
        return set()
    asked: dict[str, Any] = {
        "id": [delivery.id for delivery, _ in ended],
        "attempts": [delivery.attempts for delivery, _ in ended],
        "status": [outcome.status for _, outcome in ended],
    }
    with transaction.atomic(), connection.cursor() as cursor:
        # Webhooks are locked before their deliveries.
        numbers = {delivery.webhook_id for delivery, _ in ended if delivery.webhook_id}
        ordered = Webhook.objects.filter(id__in=numbers).order_by("id")
        locked: dict[UUID | None, Webhook]
        locked = {webhook.id: webhook for webhook in ordered.select_for_update(no_key=True)}
        cursor.execute(SENT, asked)
        own = {number for (number,) in cursor.fetchall()}
        for delivery, outcome in ended:
            webhook = locked.get(delivery.webhook_id)
            if delivery.id in own and webhook is not None:
                _judge(webhook, delivery, outcome)
    return own


def _own(delivery: Delivery) -> Any:
    """Return the row of a delivery unless it was claimed again, because the lease had ended."""
    waiting = Delivery.State.WAITING
    return Delivery.objects.filter(id=delivery.id, attempts=delivery.attempts, state=waiting)


def _judge(webhook: Webhook, delivery: Delivery, outcome: Outcome) -> list[Fact]:
    """Enable a webhook that a test proved. Disable one that is gone, or that failed for too long
    and at all attempts of a delivery. A failed test may be a URL that its user still has to put
    right."""
    # Another URL is not judged by what the one before answered.
    is_other = delivery.webhook is None or delivery.webhook.url != webhook.url
    if is_other or outcome.error in OWN_FAULTS:
        return []
    if webhook.disabled:
        if webhook.disabled == UNPROVED and delivery.kind == TEST and not outcome.error:
            webhook.disabled = Webhook.Disabled.NO
            webhook.save(update_fields=["disabled"])
        return []
    if outcome.status == 410:
        return [webhooks.disable(webhook, Webhook.Disabled.GONE)]
    if delivery.kind == TEST:
        return []
    since, now = webhook.failing_since, timezone.now()
    if bool(outcome.error) == (since is None):
        webhook.failing_since = now if outcome.error else None
        webhook.save(update_fields=["failing_since"])
        return []
    has_failed = delivery.attempts > len(RETRY_AFTER)
    if since is not None and has_failed and now - since > webhooks.FAILING_FOR:
        return [webhooks.disable(webhook, Webhook.Disabled.FAILING)]
    return []


# What the user of a webhook asks for


def test(webhook: Webhook) -> Delivery:
    """Send a webhook a test, which enables it if it was not proved. Raises Problem
    `webhook_disabled`."""
    if webhook.disabled != UNPROVED:
        _check_enabled(webhook)
    with transaction.atomic():
        made = Delivery.objects.create(
            user=webhook.user, kind=TEST, webhook=webhook, host=webhook.host, due_at=Now()
        )
        transaction.on_commit(wake, robust=True)
    made.refresh_from_db()
    return made


def newest(webhook: Webhook, before: int | None, most: int) -> list[Delivery]:
    """Return the deliveries to a webhook before a number, newest first."""
    found = webhook.deliveries.order_by("-id")
    return list(found[:most] if before is None else found.filter(id__lt=before)[:most])


def send_again(webhook: Webhook, first: int, last: int, most: int) -> list[int]:
    """Send the first deliveries of a range again that are not waiting. Return their ids.

    Raises Problem `webhook_disabled`, `too_many_requests`.
    """
    _check_enabled(webhook)
    with transaction.atomic():
        ended = webhook.deliveries.exclude(state=Delivery.State.WAITING)
        chosen = ended.filter(id__range=(first, last)).order_by("id").select_for_update()[:most]
        found = [each.id for each in chosen]
        if found:
            rate_limits.spend(Spent("webhook_again", str(webhook.user_id)), len(found))
        again = Delivery.objects.filter(id__in=found)
        again.update(state=Delivery.State.WAITING, leased=False, attempts=0, due_at=Now())
        transaction.on_commit(wake, robust=True)
    return found


def _check_enabled(webhook: Webhook) -> None:
    if webhook.disabled:
        raise Problem("webhook_disabled")


# Periodic work


def late_s() -> float:
    """Return for how long the oldest delivery has been due that only the server keeps waiting."""
    with connection.cursor() as cursor:
        cursor.execute(LATE)
        (late,) = cursor.fetchone()
    return late or 0.0


def lapse_excess() -> int:
    """Give up the oldest deliveries to webhooks for which too many wait. Return how many."""
    return row_batches.repeat(LAPSE, kept=WAITING_MAX)


def forget_old() -> int:
    """Delete deliveries that ended, after `KEPT_DAYS`. Return how many."""
    return row_batches.repeat(FORGET, days=KEPT_DAYS)


def forget(user: User) -> None:
    """Erase the webhooks, browsers and deliveries of a user."""
    remove_receivers(Webhook.objects.filter(user=user))
    remove_receivers(PushSubscription.objects.filter(user=user))
    Delivery.objects.filter(user=user).delete()
