"""The inbox of a person, the notices in it, and their deliveries elsewhere."""

from typing import Any, ClassVar, Final

from django.contrib.postgres.fields import ArrayField
from django.db import models, transaction
from django.db.models import Index, Q, QuerySet, UniqueConstraint
from django.db.models.functions import Now
from uuid_utils.compat import uuid7

from accounts.models import User
from kit.guarded_http import HOST_MAX
from notices.kinds import off_at_first

URL_MAX: Final = 500
PUSH_URL_MAX: Final = 1_000


class Inbox(models.Model):
    """The counter of a person's notices: the `last` number given, and the last one that is `read`.

    `off` names what the person does not want: kinds by channel, as `kind:channel`. `refused` is a
    mail address that its server refused permanently.
    """

    user = models.OneToOneField(
        User, primary_key=True, on_delete=models.CASCADE, related_name="inbox"
    )
    last = models.BigIntegerField(default=0)
    read = models.BigIntegerField(default=0)
    off = ArrayField(models.CharField(max_length=40), default=off_at_first)
    refused = models.CharField(max_length=254, blank=True, default="")


class Notice(models.Model):
    """One fact about one subject, for one person, who is notified once. The `version` tells facts
    of a kind about the same subject apart."""

    pk = models.CompositePrimaryKey("user_id", "number")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices", db_index=False)
    number = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    subject = models.UUIDField()
    version = models.IntegerField()
    at = models.DateTimeField(db_default=Now())
    data = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["user", "kind", "subject", "version"], name="notice_told_once")
        ]
        indexes: ClassVar = [Index(fields=["at"], name="notice_by_time")]


class Webhook(models.Model):
    """An address that receives notices by HTTP: those of its user and of their bot users, or with
    an `app`, those of the people who granted this app the scope `notices`.

    `secret` is encrypted, and signs. After a rotation the `earlier` one signs as well for a while.
    """

    class Disabled(models.TextChoices):
        NO = ""
        UNPROVED = "unproved"
        BY_USER = "by_user"
        GONE = "gone"
        FAILING = "failing"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="webhooks")
    app = models.ForeignKey(
        "oauth2_provider.Application", null=True, on_delete=models.CASCADE, related_name="+"
    )
    url = models.CharField(max_length=URL_MAX)
    host = models.CharField(max_length=HOST_MAX)
    kinds = ArrayField(models.CharField(max_length=20))
    secret = models.BinaryField()
    earlier = models.BinaryField(null=True)
    earlier_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    disabled = models.CharField(
        max_length=10, choices=Disabled, default=Disabled.UNPROVED, blank=True
    )
    failing_since = models.DateTimeField(null=True)
    """Since when no delivery has succeeded, if the last one failed."""


class PushSubscription(models.Model):
    """A browser that receives notices by Web Push, through the push service at its `url`.

    Messages are encrypted for `p256dh` with `auth`, and signed with the server's key whose public
    half is `key`.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="push_subscriptions", db_index=False
    )
    url = models.CharField(max_length=PUSH_URL_MAX)
    host = models.CharField(max_length=HOST_MAX)
    p256dh = models.BinaryField()
    auth = models.BinaryField()
    key = models.CharField(max_length=90)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            UniqueConstraint(fields=["user", "url"], name="push_subscribed_once")
        ]


class Delivery(models.Model):
    """One notice on its way to one receiver. A test of a webhook has no number.

    While it is `waiting`, `due_at` is the next attempt. A claimed one is `leased` to a process
    until then, and afterwards anybody's.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"
        LAPSED = "lapsed"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="deliveries")
    number = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=20)
    webhook = models.ForeignKey(
        Webhook, null=True, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    subscription = models.ForeignKey(
        PushSubscription, null=True, on_delete=models.CASCADE, related_name="deliveries"
    )
    host = models.CharField(max_length=HOST_MAX + 5, blank=True)
    """The host name of the receiver, after `push:` if it is a push service; empty for mail."""
    at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField()
    leased = models.BooleanField(db_default=False)
    attempts = models.IntegerField(db_default=0)
    state = models.CharField(max_length=10, choices=State, db_default=State.WAITING)
    status = models.IntegerField(null=True)
    """The HTTP status of the last attempt."""
    error = models.CharField(max_length=30, db_default="")

    class Meta:
        indexes: ClassVar = [
            Index(fields=["host", "due_at"], condition=Q(state="waiting"), name="delivery_due"),
            Index(
                fields=["due_at"],
                condition=Q(state="waiting", leased=True),
                name="delivery_on_its_way",
            ),
            Index(fields=["webhook", "id"], name="delivery_of_webhook"),
            Index(fields=["at"], name="delivery_by_time"),
        ]


def remove_receivers(receivers: QuerySet[Any]) -> int:
    """Delete webhooks or subscriptions with their deliveries, and return how many they were.

    They are locked first: nobody creates a delivery meanwhile.
    """
    with transaction.atomic():
        locked = receivers.order_by("id").select_for_update()
        found = [each.id for each in locked]
        receivers.model.objects.filter(id__in=found).delete()
    return len(found)
