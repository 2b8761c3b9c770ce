"""Operations on the browsers of the current user that receive notices by Web Push."""

from typing import Annotated, Self
from uuid import UUID

import msgspec
from django.conf import settings
from django.urls import path
from msgspec import Meta

from accounts.rest import address
from accounts.tokens import Caller, Scope
from kit.operations import operation
from kit.validation import Body, Moment
from notices import models, push, vapid
from notices.models import PUSH_URL_MAX

Base64 = Annotated[str, Meta(max_length=100, pattern=r"^[A-Za-z0-9_-]+={0,2}$(?!\n)")]


class PushKey(msgspec.Struct, frozen=True, kw_only=True):
    """The `applicationServerKey` with which a browser subscribes; null on a server that sends no
    Web Push. Subscribe again when it changes."""

    key: str | None


class PushSubscription(msgspec.Struct, frozen=True, kw_only=True):
    """A browser that receives your notices, and the server's key with which it subscribed."""

    id: UUID
    url: str
    key: str
    created_at: Moment

    @classmethod
    def of(cls, row: models.PushSubscription) -> Self:
        """Return a subscription as its user sees it."""
        return cls(id=row.id, url=row.url, key=row.key, created_at=row.created_at)


class NewPushSubscription(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A subscription as a browser made it: its `endpoint`, and its keys `p256dh` and `auth`."""

    url: Annotated[str, Meta(max_length=PUSH_URL_MAX, pattern=r"^https?://\S+$(?!\n)")]
    p256dh: Base64
    auth: Base64


@operation("get_push_key", scope=Scope.USER)
def get_push_key(caller: Caller) -> PushKey:
    """Get the key with which a browser subscribes to Web Push."""
    found = vapid.keys_in(settings.VAPID_KEY_FILE)
    return PushKey(key=found[0].public if found else None)


@operation("list_push_subscriptions", scope=Scope.USER)
def list_push_subscriptions(caller: Caller) -> list[PushSubscription]:
    """List your browsers that receive notices by Web Push, newest first."""
    return [PushSubscription.of(row) for row in push.of(caller.user)]


@operation("subscribe_push", "no_push", scope=Scope.USER, policy="webhook", status=201)
def subscribe_push(caller: Caller, body: NewPushSubscription) -> PushSubscription:
    """Let a browser receive your notices. An eleventh one replaces the oldest."""
    browser = push.Browser(body.url, body.p256dh, body.auth)
    return PushSubscription.of(push.subscribe(caller.user, browser))


@operation("unsubscribe_push", "not_found", scope=Scope.USER, status=204)
def unsubscribe_push(caller: Caller, subscription: UUID) -> None:
    """Let a browser receive nothing more."""
    push.unsubscribe(caller.user, subscription)


urlpatterns = [
    path("", address(get=list_push_subscriptions, post=subscribe_push)),
    path("key/", address(get=get_push_key)),
    path("<uuid:subscription>/", address(delete=unsubscribe_push)),
]
