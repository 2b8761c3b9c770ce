"""The inbox of a person, and the notices in it."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Index, UniqueConstraint
from django.db.models.functions import Now

from accounts.models import User


class Inbox(models.Model):
    """The counter of a person's notices: the `last` number given, and the last one that is `read`.

    `off` names what the person does not want: kinds by channel, as `kind:channel`.
    """

    user = models.OneToOneField(
        User, primary_key=True, on_delete=models.CASCADE, related_name="inbox"
    )
    last = models.BigIntegerField(default=0)
    read = models.BigIntegerField(default=0)
    off = ArrayField(models.CharField(max_length=40), default=list)


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
