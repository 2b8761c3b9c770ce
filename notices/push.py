"""Web Push: the browsers that subscribed, and encrypted messages (RFC 8030, 8188, 8291, 8292)."""

import os
import time
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import http_ece
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from joserfc import jwt
from joserfc.jwk import ECKey

from accounts.models import User
from kit import base64url
from kit.problems import Problem
from notices import mails, vapid, webhooks
from notices.models import Notice, PushSubscription, remove_receivers

SUBSCRIPTIONS_MAX: Final = 10
"""The most browsers of a user; another one replaces the oldest."""

TTL_S: Final = 86_400
SIGNED_FOR_S: Final = 12 * 3600
AUTH_LENGTH: Final = 16


# Subscriptions


class Browser(NamedTuple):
    """A browser that subscribes: its address at a push service, and its keys."""

    url: str
    p256dh: str
    auth: str


def subscribe(user: User, browser: Browser) -> PushSubscription:
    """Keep a subscription for the first key. Raises Problem `no_push`, `malformed`."""
    found = vapid.keys_in(settings.VAPID_KEY_FILE)
    if not found:
        raise Problem("no_push")
    host = webhooks.host_of(browser.url)
    try:
        point, auth = base64url.decode(browser.p256dh), base64url.decode(browser.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise Problem("malformed", path="$", reason=str(error)) from error
    if len(auth) != AUTH_LENGTH:
        raise Problem("malformed", path="$.auth", reason=f"expected {AUTH_LENGTH} bytes")
    with transaction.atomic():
        user.locked()
        fields = {"host": host, "p256dh": point, "auth": auth, "key": found[0].public}
        made, _ = PushSubscription.objects.update_or_create(
            user=user, url=browser.url, defaults=fields
        )
        oldest = [each.id for each in of(user)[SUBSCRIPTIONS_MAX:]]
        remove_receivers(PushSubscription.objects.filter(id__in=oldest))
    return made


def of(user: User) -> QuerySet[PushSubscription]:
    """Return the subscriptions of a user, newest first."""
    return PushSubscription.objects.filter(user=user).order_by("-id")


def unsubscribe(user: User, number: UUID) -> None:
    """Delete a subscription. Raises Problem `not_found`."""
    if not remove_receivers(PushSubscription.objects.filter(user=user, id=number)):
        raise Problem("not_found", what="subscription")


# Messages


def message(
    subscription: PushSubscription, notice: Notice
) -> tuple[Mapping[str, str], bytes] | None:
    """Return headers and body of a message; None if the key of the subscription is gone."""
    known = vapid.keys_in(settings.VAPID_KEY_FILE)
    key = next((each for each in known if each.public == subscription.key), None)
    if key is None:
        return None
    title, title_fr = mails.told(notice)
    text = {"title": {"en": title, "fr": title_fr}, "path": mails.path_of(notice)}
    body: bytes = http_ece.encrypt(
        msgspec.json.encode(text),
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=bytes(subscription.p256dh),
        auth_secret=bytes(subscription.auth),
        version="aes128gcm",
    )
    headers = {
        "Authorization": f"vapid t={_token(key, subscription.url)}, k={key.public}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL_S),
    }
    return headers, body


def _token(key: vapid.Key, url: str) -> str:
    """Return the token that shows a push service who sends: RFC 8292."""
    parts = urlsplit(url)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + SIGNED_FOR_S,
        "sub": settings.PUBLIC_URL or f"mailto:{settings.DEFAULT_FROM_EMAIL}",
    }
    return jwt.encode({"alg": "ES256"}, claims, ECKey.import_key(key.secret))
