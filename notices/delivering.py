"""Deliver notices to webhooks, browsers and mailboxes.

One thread reads and writes the database. The receivers are asked on an event loop of their own, a
few of a host and of a user at once, so that those that hang delay neither those of other users nor
the games.
"""

import asyncio
import threading
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import structlog
from django.conf import settings
from django.db import DatabaseError, close_old_connections, transaction

from accounts import tokens
from accounts.models import User
from kit import guarded_http, metrics
from notices import deliveries, inbox, mails, push, webhooks
from notices.deliveries import Outcome
from notices.kinds import TURNS, off_switch
from notices.models import Delivery, Inbox, Notice, PushSubscription, Webhook, remove_receivers
from notices.shapes import Notice as Shown

log = structlog.get_logger(__name__)

Attempt = Coroutine[Any, Any, Outcome]
Headers = Mapping[str, str]
Claimed = tuple[Delivery, Notice | None]

ON_THEIR_WAY_MAX: Final = 256
LOOK_EVERY_S: Final = 0.5

_asked: Final = threading.Event()
"""Somebody asked since a call has begun to deliver."""

_alone: Final = threading.Lock()
_stopping: Final = threading.Event()

still_open: Final[list[Callable[[Notice], bool]]] = []
"""Functions of other apps: whether a decision that a notice asks for is still to be made."""


def deliver() -> None:
    """Deliver what is due. Returns at once while another thread of this process does, which then
    looks again before it ends."""
    _asked.set()
    while _asked.is_set() and _alone.acquire(blocking=False):
        try:
            _asked.clear()
            claimed = _claim(())
            if claimed:
                with _loop_of_senders() as loop:
                    _deliver(claimed, loop)
        finally:
            _alone.release()


def stop() -> None:
    """Let this process deliver nothing more. Another one continues when the leases end."""
    _stopping.set()


@contextmanager
def _loop_of_senders() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    # A look-up goes on after its attempt has timed out.
    lookups = ThreadPoolExecutor(ON_THEIR_WAY_MAX)
    loop.set_default_executor(lookups)
    thread = threading.Thread(target=loop.run_forever, name="senders", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        lookups.shutdown(wait=False)
        loop.close()


def _deliver(claimed: list[Claimed], loop: asyncio.AbstractEventLoop) -> None:
    """Send what was claimed, and what is due meanwhile."""
    running: dict[Future[Outcome], Delivery] = {}
    try:
        while (claimed or running) and not _stopping.is_set():
            for delivery, notice in claimed:
                attempt = _attempt_or_failure(delivery, notice)
                if attempt is not None:
                    running[asyncio.run_coroutine_threadsafe(attempt, loop)] = delivery
            done, _ = wait(running, timeout=LOOK_EVERY_S, return_when=FIRST_COMPLETED)
            _record([(running.pop(future), future) for future in done])
            claimed = _claim(running)
    finally:
        for future in running:
            future.cancel()


def _claim(running: Collection[Future[Outcome]]) -> list[Claimed]:
    """Claim what there is room for. A failure is raised when nothing runs whose end is unknown."""
    room = ON_THEIR_WAY_MAX - len(running)
    if not room or _stopping.is_set():
        return []
    try:
        with transaction.atomic():  # what cannot be read is not claimed
            return _with_notices(deliveries.claim(room))
    except DatabaseError:
        if not running:
            raise
        close_old_connections()
        return []


def _with_notices(claimed: Sequence[Delivery]) -> list[Claimed]:
    """Return deliveries with their notices, which may have been forgotten."""
    numbers = [(each.user_id, each.number) for each in claimed if each.number is not None]
    notices = Notice.objects.in_bulk(numbers) if numbers else {}
    return [(each, notices.get((each.user_id, each.number))) for each in claimed]


def _attempt_or_failure(delivery: Delivery, notice: Notice | None) -> Attempt | None:
    """Return the attempt of a claimed delivery, or let it lapse. A fault of the server is one of
    this attempt only."""
    try:
        attempt = _attempt_of(delivery, notice)
        if attempt is None:
            deliveries.lapse(delivery)
    except Exception:
        log.exception("delivery_failed", delivery=delivery.id)
        close_old_connections()
        return _failed("internal_error")
    return attempt


def _record(ended: Sequence[tuple[Delivery, Future[Outcome]]]) -> None:
    """Record outcomes: successes of webhooks together, as they are most, and the others alone."""
    outcomes = [(delivery, _outcome_of(delivery, future)) for delivery, future in ended]
    sent = [each for each in outcomes if _channel_of(each[0]) == "webhook" and not each[1].error]
    try:
        recorded = deliveries.record_sent(sent)
    except Exception:
        log.exception("delivery_not_recorded", deliveries=len(sent))
        close_old_connections()
        recorded = set()
    metrics.DELIVERIES.labels("webhook", "ok").inc(len(recorded))
    for delivery, outcome in outcomes:
        if delivery.id not in recorded:
            _record_alone(delivery, outcome)


def _outcome_of(delivery: Delivery, future: Future[Outcome]) -> Outcome:
    error = future.exception()
    if error is None:
        return future.result()
    log.error("delivery_failed", delivery=delivery.id, exc_info=error)
    return Outcome(error="internal_error")


def _record_alone(delivery: Delivery, outcome: Outcome) -> None:
    """Record an outcome. If that fails, another attempt follows when the lease ends."""
    try:
        _record_outcome(delivery, outcome)
    except Exception:
        log.exception("delivery_not_recorded", delivery=delivery.id)
        close_old_connections()


def _record_outcome(delivery: Delivery, outcome: Outcome) -> None:
    channel = _channel_of(delivery)
    metrics.DELIVERIES.labels(channel, outcome.error or "ok").inc()
    if channel == "mail" and outcome.is_final:
        Inbox.objects.filter(user=delivery.user).update(refused=delivery.user.email)
    if delivery.subscription is not None and outcome.status in {404, 410}:
        remove_receivers(PushSubscription.objects.filter(id=delivery.subscription.id))
        return
    with transaction.atomic():
        inbox.tell(deliveries.record(delivery, outcome))


def _channel_of(delivery: Delivery) -> str:
    if delivery.webhook_id is not None:
        return "webhook"
    return "mail" if delivery.subscription_id is None else "push"


def _attempt_of(delivery: Delivery, notice: Notice | None) -> Attempt | None:
    """Return the attempt to send a delivery; None if nobody wants it any more."""
    if (notice is None and delivery.number is not None) or not _is_welcome(delivery.user):
        return None
    channel = _channel_of(delivery)
    if channel == "webhook":
        return _to_webhook(delivery, delivery.webhook, notice)
    if notice is None or not _is_needed(delivery, notice):
        return None
    if channel == "push":
        return _to_browser(delivery.subscription, notice)
    return _to_mailbox(delivery, notice)


def _is_welcome(user: User) -> bool:
    return user.is_active and not user.is_suspended


# Webhooks


def _to_webhook(
    delivery: Delivery, webhook: Webhook | None, notice: Notice | None
) -> Attempt | None:
    if webhook is None or not _is_welcome(webhook.user):
        return None
    is_test = notice is None
    if webhook.disabled and not (is_test and webhook.disabled == deliveries.UNPROVED):
        return None
    if webhook.app is not None and webhook.app.user_id != webhook.user_id:
        return None
    if webhook.app is not None and notice is not None and not _has_granted(webhook, notice):
        return None
    body = _body_of(delivery, notice)
    try:
        headers = webhooks.headers_of(webhook, delivery, body)
    except webhooks.KEY_FAULTS as error:
        log.error("webhook_key_missing", webhook=str(webhook.id), error=str(error))  # noqa: TRY400
        return _failed("key_missing")
    if is_test:
        return _prove(webhook.url, webhooks.forged_headers_of(delivery, body), headers, body)
    return _post(webhook.url, headers, body.encode())


def _has_granted(webhook: Webhook, notice: Notice) -> bool:
    """Whether the user of a notice still lets the app of a webhook have it."""
    consents = tokens.consents_of(notice.user).filter(application=webhook.app_id)
    scopes = consents.values_list("access_token__scope", flat=True)
    return any(tokens.Scope.NOTICES in scope.split() for scope in scopes)


def _body_of(delivery: Delivery, notice: Notice | None) -> str:
    data: dict[str, object] = {"user": delivery.user_id}
    if notice is not None:
        data["notice"] = Shown.of(notice)
    body = {"type": delivery.kind, "timestamp": delivery.at, "data": data}
    return msgspec.json.encode(body).decode()


async def _prove(url: str, forged: Headers, headers: Headers, body: str) -> Outcome:
    """Send a test with a wrong signature, which only a receiver of this webhook refuses, and then
    with the right one: many servers of strangers accept, or refuse, both."""
    first = await _post(url, forged, body.encode())
    if not first.error:
        return first._replace(error="forgery_accepted")
    if first.status is None or not 400 <= first.status < 500:
        return first
    return await _post(url, headers, body.encode())


async def _post(url: str, headers: Headers, body: bytes) -> Outcome:
    try:
        status = await guarded_http.post(url, headers, body, settings.WEBHOOK_NETWORKS)
    except guarded_http.UnreachableError as error:
        return Outcome(error=str(error))
    return Outcome(status, "" if 200 <= status < 300 else "refused")


async def _failed(error: str) -> Outcome:
    return Outcome(error=error)


# Browsers and mail


def _is_needed(delivery: Delivery, notice: Notice) -> bool:
    """Whether the user still wants this, has not read it, and has not decided meanwhile."""
    found = delivery.user.inbox
    switch = off_switch(notice.kind, _channel_of(delivery))
    if switch in found.off or found.read >= notice.number:
        return False
    return notice.kind not in TURNS or all(ask(notice) for ask in still_open)


def _to_browser(subscription: PushSubscription | None, notice: Notice) -> Attempt | None:
    if subscription is None:
        return None
    found = push.message(subscription, notice)
    return None if found is None else _post(subscription.url, *found)


def _to_mailbox(delivery: Delivery, notice: Notice) -> Attempt | None:
    user = delivery.user
    is_mailed = user.email not in {"", user.inbox.refused} and (
        delivery.attempts > 1 or mails.may_mail(user)
    )
    return mails.send(user, notice) if is_mailed else None
