"""Operations on the webhooks of the current user and of their apps."""

from typing import Annotated, Literal, Self
from uuid import UUID

import msgspec
from django.urls import path
from msgspec import Meta

from accounts.rest import address
from accounts.tokens import Caller, Scope
from kit.operations import operation
from kit.validation import Body, Count, Moment, Query
from notices import deliveries, models, webhooks
from notices.kinds import Kind
from notices.models import URL_MAX

DELIVERIES_MAX = 100
AGAIN_MAX = 1_000

Url = Annotated[str, Meta(max_length=URL_MAX, pattern=r"^https?://\S+$(?!\n)")]
State = Literal["waiting", "sent", "failed", "lapsed"]
Disabled = Literal["unproved", "by_user", "gone", "failing"]
Kinds = Annotated[list[Kind], Meta(max_length=20)]


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """An address to which the server posts notices of `kinds`, of all if there are none: yours and
    those of your bot users, or those of the people who granted your `app` the scope `notices`.

    `disabled` says why the server sends nothing: `unproved` until a test succeeds, `by_user`,
    `gone` after an answer with status 410, `failing` after five days without a success.
    `failing_since` is the first failure after the last success. Tests do not count.
    """

    id: UUID
    url: str
    kinds: list[Kind]
    app: str | None
    created_at: Moment
    disabled: Disabled | None
    failing_since: Moment | None

    @classmethod
    def of(cls, row: models.Webhook) -> Self:
        """Return a webhook as its user sees it."""
        return cls(
            id=row.id,
            url=row.url,
            kinds=row.kinds,  # type: ignore[arg-type]  # kinds
            app=None if row.app is None else row.app.client_id,
            created_at=row.created_at,
            disabled=row.disabled or None,  # type: ignore[arg-type]  # one of them
            failing_since=row.failing_since,
        )


class WebhookSecret(msgspec.Struct, frozen=True, kw_only=True):
    """The secret that signs what a webhook receives. It is shown only once."""

    id: UUID
    secret: str


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """A notice on its way to a webhook: the one with this `number` of this `user`, or a `test`
    without a number. `state`: `waiting` until `due_at`, `sent`, `failed` after all attempts, or
    `lapsed` if nobody wanted it any more. `status` is that of the last answer, and `error` says how
    the last attempt failed."""

    id: Count
    user: UUID
    number: Count | None
    kind: str
    state: State
    at: Moment
    due_at: Moment | None
    attempts: Count
    status: int | None
    error: str | None

    @classmethod
    def of(cls, row: models.Delivery) -> Self:
        """Return a delivery as the user of its webhook sees it."""
        is_waiting = row.state == models.Delivery.State.WAITING
        return cls(
            id=row.id,
            user=row.user_id,
            number=row.number,
            kind=row.kind,
            state=row.state,  # type: ignore[arg-type]  # one of them
            at=row.at,
            due_at=row.due_at if is_waiting else None,
            attempts=row.attempts,
            status=row.status,
            error=row.error or None,
        )


class NewWebhook(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A webhook: an `https` address, the kinds of notices that it receives (all, if there are
    none), and the `client_id` of your app, if it is for the people who use it."""

    url: Url
    kinds: Kinds = []
    app: str | None = None


class ChangedWebhook(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change of a webhook. One with another address, or that `is_enabled` after it was disabled,
    is `unproved`."""

    url: Url
    kinds: Kinds = []
    is_enabled: bool = True


class Before(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The deliveries before a number."""

    before: Count | None = None
    limit: Annotated[int, Meta(ge=1, le=DELIVERIES_MAX)] = DELIVERIES_MAX


class DeliveryRange(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The deliveries from one id to another, both included."""

    first: Count
    last: Count


class SentAgain(msgspec.Struct, frozen=True, kw_only=True):
    """How many deliveries are sent again, 1000 at most. For the rest, call it again with the id
    after `last`, the last of them, as `first`, until there are none."""

    count: Count
    last: Count | None


@operation("list_webhooks", scope=Scope.USER)
def list_webhooks(caller: Caller) -> list[Webhook]:
    """List your webhooks and those of your apps, oldest first."""
    return [Webhook.of(row) for row in webhooks.of(caller.user)]


@operation(
    "create_webhook",
    "guests_have_no_webhooks",
    "too_many_webhooks",
    "not_found",
    scope=Scope.USER,
    policy="webhook",
    status=201,
    is_keyed=True,
)
def create_webhook(caller: Caller, body: NewWebhook) -> WebhookSecret:
    """Create a webhook. The answer has the secret with which you verify what arrives. Then send a
    test: before it succeeds, the webhook is `unproved` and receives nothing else.

    Deliveries are signed as Standard Webhooks describes and may arrive more than once, always with
    the same `webhook-id`.
    """
    row, secret = webhooks.create(caller.user, webhooks.Wish(body.url, body.kinds), body.app)
    return WebhookSecret(id=row.id, secret=secret)


@operation("change_webhook", "not_found", scope=Scope.USER, policy="webhook")
def change_webhook(caller: Caller, webhook: UUID, body: ChangedWebhook) -> Webhook:
    """Change a webhook, disable or enable it. A disabled one misses what happens meanwhile."""
    wish = webhooks.Wish(body.url, body.kinds, body.is_enabled)
    return Webhook.of(webhooks.change(caller.user, webhook, wish))


@operation("delete_webhook", "not_found", scope=Scope.USER, status=204)
def delete_webhook(caller: Caller, webhook: UUID) -> None:
    """Delete a webhook and the list of its deliveries."""
    webhooks.remove(caller.user, webhook)


@operation("rotate_webhook_secret", "not_found", scope=Scope.USER, is_keyed=True)
def rotate_webhook_secret(caller: Caller, webhook: UUID) -> WebhookSecret:
    """Give a webhook another secret. For a day, deliveries have a signature of each of the two."""
    return WebhookSecret(id=webhook, secret=webhooks.rotate(caller.user, webhook))


@operation(
    "test_webhook",
    "not_found",
    "webhook_disabled",
    scope=Scope.USER,
    policy="webhook",
    status=202,
    is_keyed=True,
)
def test_webhook(caller: Caller, webhook: UUID) -> Delivery:
    """Send a test to a webhook: first with a wrong signature, which it must refuse with a status
    from 400 to 499, then with the right one. `list_deliveries` says how it ended."""
    return Delivery.of(deliveries.test(webhooks.one_of(caller.user, webhook)))


@operation("list_deliveries", "not_found", scope=Scope.USER)
def list_deliveries(caller: Caller, webhook: UUID, query: Before) -> list[Delivery]:
    """List the deliveries to a webhook, newest first. Those that ended are kept for 30 days."""
    found = deliveries.newest(webhooks.one_of(caller.user, webhook), query.before, query.limit)
    return [Delivery.of(row) for row in found]


@operation(
    "send_deliveries_again",
    "not_found",
    "webhook_disabled",
    scope=Scope.USER,
    policy="webhook",
    status=202,
    is_keyed=True,
)
def send_deliveries_again(caller: Caller, webhook: UUID, body: DeliveryRange) -> SentAgain:
    """Send the deliveries of a range to a webhook again, with the ids that they had."""
    row = webhooks.one_of(caller.user, webhook)
    found = deliveries.send_again(row, body.first, body.last, AGAIN_MAX)
    return SentAgain(count=len(found), last=found[-1] if found else None)


urlpatterns = [
    path("", address(get=list_webhooks, post=create_webhook)),
    path("<uuid:webhook>/", address(put=change_webhook, delete=delete_webhook)),
    path("<uuid:webhook>/secret/", address(post=rotate_webhook_secret)),
    path("<uuid:webhook>/test/", address(post=test_webhook)),
    path("<uuid:webhook>/deliveries/", address(get=list_deliveries)),
    path("<uuid:webhook>/deliveries/again/", address(post=send_deliveries_again)),
]
