"""Webhooks: addresses to which the server posts notices, signed as Standard Webhooks."""

import base64
import secrets
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from oauth2_provider.models import Application
from standardwebhooks import Webhook as Signer

from accounts.models import User
from kit import encryption, guarded_http, key_files
from kit.problems import Problem
from notices.kinds import Fact, Kind
from notices.models import Delivery, Webhook, remove_receivers

WEBHOOKS_MAX: Final = 5
"""The most webhooks of a user, and of an app."""

BOTH_FOR: Final = timedelta(days=1)
"""How long the secret before a rotation signs as well."""

FAILING_FOR: Final = timedelta(days=5)
"""After so long without a success, a webhook is disabled when a delivery fails permanently."""

SECRET_LENGTH: Final = 24


KEY_FAULTS: Final = (
    key_files.UnusableKeyError,
    encryption.KeyMissingError,
    encryption.AlteredError,
)


class Wish(NamedTuple):
    """A webhook as its user wants it. Without kinds it receives all."""

    url: str
    kinds: Collection[Kind]
    is_enabled: bool = True


def create(user: User, wish: Wish, app: str | None = None) -> tuple[Webhook, str]:
    """Create a webhook of a user, or of an app of theirs. Return it with its secret.

    Raises Problem `guests_have_no_webhooks`, `too_many_webhooks`, `not_found`, `malformed`.
    """
    if user.is_guest:
        raise Problem("guests_have_no_webhooks")
    with transaction.atomic():
        user.locked()
        found = None if app is None else _app_of(user, app)
        if Webhook.objects.filter(user=user, app=found).count() >= WEBHOOKS_MAX:
            raise Problem("too_many_webhooks", most=WEBHOOKS_MAX)
        webhook = Webhook(user=user, app=found)
        _fulfil(webhook, wish)
        secret = _renew(webhook)
        webhook.save(force_insert=True)
    return webhook, secret


def _app_of(user: User, client_id: str) -> Application:
    app: Application | None = Application.objects.filter(user=user, client_id=client_id).first()
    if app is None:
        raise Problem("not_found", what="app")
    return app


def _fulfil(webhook: Webhook, wish: Wish) -> None:
    host = host_of(wish.url)
    if not wish.is_enabled:
        webhook.disabled = Webhook.Disabled.BY_USER
    elif webhook.disabled or webhook.url != wish.url:
        webhook.disabled, webhook.failing_since = Webhook.Disabled.UNPROVED, None
    webhook.url, webhook.host = wish.url, host
    webhook.kinds = sorted(set(wish.kinds))


def host_of(url: str) -> str:
    """Return the host of a receiver. Raises Problem `malformed`."""
    try:
        return guarded_http.place_of(url, settings.WEBHOOK_NETWORKS).host
    except ValueError as error:
        raise Problem("malformed", path="$.url", reason=str(error)) from error


def _renew(webhook: Webhook) -> str:
    """Give a webhook a new secret, and return it as text. Raises UnusableKeyError."""
    secret = secrets.token_bytes(SECRET_LENGTH)
    webhook.secret = encryption.encrypt(settings.SEED_KEY_FILE, secret, webhook.id.bytes)
    return f"whsec_{base64.b64encode(secret).decode()}"


def of(user: User) -> QuerySet[Webhook]:
    """Return the webhooks of a user and of their apps, oldest first."""
    return Webhook.objects.filter(user=user).select_related("app").order_by("created_at", "id")


def one_of(user: User, webhook: UUID) -> Webhook:
    """Return a webhook of this user. Raises Problem `not_found`."""
    found = of(user).filter(id=webhook).first()
    if found is None:
        raise Problem("not_found", what="webhook")
    return found


def change(user: User, number: UUID, wish: Wish) -> Webhook:
    """Change a webhook. Raises Problem `not_found`, `malformed`."""
    with transaction.atomic():
        webhook = _locked(user, number)
        _fulfil(webhook, wish)
        webhook.save(update_fields=["url", "host", "kinds", "disabled", "failing_since"])
        if webhook.disabled:
            _lapse_waiting(webhook)
    return webhook


def rotate(user: User, number: UUID) -> str:
    """Give a webhook another secret, and return it. For a day the one before signs as well.

    Raises Problem `not_found`.
    """
    with transaction.atomic():
        webhook = _locked(user, number)
        webhook.earlier, webhook.earlier_until = webhook.secret, timezone.now() + BOTH_FOR
        secret = _renew(webhook)
        webhook.save(update_fields=["secret", "earlier", "earlier_until"])
    return secret


def _locked(user: User, number: UUID) -> Webhook:
    found = Webhook.objects.select_for_update(no_key=True).filter(user=user, id=number).first()
    if found is None:
        raise Problem("not_found", what="webhook")
    return found


def remove(user: User, number: UUID) -> None:
    """Delete a webhook and its deliveries. Raises Problem `not_found`."""
    if not remove_receivers(Webhook.objects.filter(user=user, id=number)):
        raise Problem("not_found", what="webhook")


def remove_those_of(instance: Application, **_: Any) -> None:
    """Delete the webhooks of an app that is about to be deleted."""
    remove_receivers(Webhook.objects.filter(app=instance))


def disable(webhook: Webhook, why: Webhook.Disabled) -> Fact:
    """Disable a webhook and give up what waits for it. Return what to tell its user."""
    webhook.disabled = why
    webhook.save(update_fields=["disabled"])
    _lapse_waiting(webhook)
    minute = int(timezone.now().timestamp()) // 60
    data = {"webhook": str(webhook.id)}
    return Fact(webhook.user_id, "webhook_disabled", webhook.id, minute, data)


def _lapse_waiting(webhook: Webhook) -> None:
    waiting = webhook.deliveries.filter(state=Delivery.State.WAITING)
    waiting.update(state=Delivery.State.LAPSED, leased=False)


# Signatures


def headers_of(webhook: Webhook, delivery: Delivery, body: str) -> Mapping[str, str]:
    """Return the headers of a delivery, signed now. Raises one of `KEY_FAULTS`."""
    found = [_opened(webhook, webhook.secret)]
    until = webhook.earlier_until
    if webhook.earlier is not None and until and until > timezone.now():
        with suppress(*KEY_FAULTS):
            found.append(_opened(webhook, webhook.earlier))
    return _signed(delivery, body, found)


def forged_headers_of(delivery: Delivery, body: str) -> Mapping[str, str]:
    """Return the headers of a delivery, signed with a secret that nobody has."""
    return _signed(delivery, body, [secrets.token_bytes(SECRET_LENGTH)])


def _signed(delivery: Delivery, body: str, keys: Sequence[bytes]) -> Mapping[str, str]:
    now = datetime.now(UTC)
    number = f"{delivery.id}_{int(delivery.at.timestamp())}"
    signed = [Signer(each).sign(msg_id=number, timestamp=now, data=body) for each in keys]
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Railbird/{settings.BUILD_VERSION}",
        "webhook-id": number,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signed),
    }


def _opened(webhook: Webhook, box: Any) -> bytes:
    return encryption.decrypt(settings.SEED_KEY_FILE, bytes(box), webhook.id.bytes)


def encrypt_again() -> None:
    """Encrypt all secrets with the first key. Secrets of missing keys stay. Raises
    UnusableKeyError."""
    for name in ("secret", "earlier"):
        stored = Webhook.objects.exclude(**{name: None}).values_list("id", name)
        for webhook, box in stored.iterator():
            again = encryption.encrypt_again(settings.SEED_KEY_FILE, bytes(box), webhook.bytes)
            if again is not None:
                Webhook.objects.filter(id=webhook, **{name: box}).update(**{name: again})


def keys_in_use() -> Counter[str]:
    """Count the secrets by the id of the key that encrypts them."""
    rows = Webhook.objects.values_list("secret", "earlier").iterator()
    boxes = [bytes(box) for row in rows for box in row if box is not None]
    return Counter(box[: encryption.ID_LENGTH].hex() for box in boxes)
