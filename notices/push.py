"""Web Push: the browsers that subscribed, the keys that identify this server to push services, and
encrypted messages (RFC 8030, 8188, 8291, 8292)."""

import base64
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

import http_ece
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from joserfc import jwt
from joserfc.jwk import ECKey

from accounts.models import User
from kit import installation, key_files
from kit.problems import Problem
from notices import mails, webhooks
from notices.models import Notice, PushSubscription, remove_receivers

SUBSCRIPTIONS_MAX: Final = 10
"""The most browsers of a user; another one replaces the oldest."""

MODE: Final = 0o600
NAME: Final = "vapid-key"
TTL_S: Final = 86_400
SIGNED_FOR_S: Final = 12 * 3600
SECRET_LENGTH: Final = 32
AUTH_LENGTH: Final = 16


class Key(NamedTuple):
    """A private key of P-256. Push services know this server by the public half."""

    secret: ec.EllipticCurvePrivateKey

    @property
    def public(self) -> str:
        """The public half, as browsers take it."""
        return encoded(public_bytes(self.secret))

    @property
    def text(self) -> str:
        """The stored form: `vapid-key+base64`."""
        number = self.secret.private_numbers().private_value
        return f"{NAME}+{encoded(number.to_bytes(SECRET_LENGTH, 'big'))}"


def encoded(data: bytes) -> str:
    """Return URL-safe Base64 without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of URL-safe Base64. Raises ValueError."""
    return base64.b64decode(
        text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True
    )


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public half as an uncompressed point."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


# Keys


def vapid_keys() -> Sequence[Key]:
    """Return the keys of VAPID_KEY_FILE; the first one is for new subscriptions. None are a server
    without Web Push. Raises UnusableKeyError."""
    path: Path = settings.VAPID_KEY_FILE
    if not path.exists():
        return ()
    remedy = f"create one with `{installation.NAME} keys vapid --add`"
    return key_files.read(path, _parse, remedy)


def _parse(text: str) -> Sequence[Key]:
    found = []
    for line in text.split():
        name, _, secret = line.partition("+")
        if name != NAME:
            raise ValueError(f"a line is not of the form {NAME}+base64")
        number = int.from_bytes(decoded(secret), "big")
        found.append(Key(ec.derive_private_key(number, ec.SECP256R1())))
    return tuple(found)


def add_key() -> Key:
    """Create a key at the start of VAPID_KEY_FILE. Raises UnusableKeyError."""
    path: Path = settings.VAPID_KEY_FILE
    key = Key(ec.generate_private_key(ec.SECP256R1()))
    try:
        key_files.replace(path, "".join(f"{each.text}\n" for each in (key, *vapid_keys())), MODE)
    except OSError as error:
        raise key_files.UnusableKeyError(f"{path} cannot be written: {error.strerror}") from error
    return key


# Subscriptions


class Browser(NamedTuple):
    """A browser that subscribes: its address at a push service, and its keys."""

    url: str
    p256dh: str
    auth: str


def subscribe(user: User, browser: Browser) -> PushSubscription:
    """Keep a subscription for the first key. Raises Problem `no_push`, `malformed`."""
    found = vapid_keys()
    if not found:
        raise Problem("no_push")
    host = webhooks.host_of(browser.url)
    try:
        point, auth = decoded(browser.p256dh), decoded(browser.auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise Problem("malformed", path="$", reason=str(error)) from error
    if len(auth) != AUTH_LENGTH:
        raise Problem("malformed", path="$.auth", reason=f"expected {AUTH_LENGTH} bytes")
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(id=user.id)
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
    key = next((each for each in vapid_keys() if each.public == subscription.key), None)
    if key is None:
        return None
    title, title_fr = mails.SUBJECTS[notice.kind]
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


def _token(key: Key, url: str) -> str:
    """Return the token that shows a push service who sends: RFC 8292."""
    parts = urlsplit(url)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + SIGNED_FOR_S,
        "sub": settings.PUBLIC_URL or f"mailto:{settings.DEFAULT_FROM_EMAIL}",
    }
    return jwt.encode({"alg": "ES256"}, claims, ECKey.import_key(key.secret))
