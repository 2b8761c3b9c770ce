"""Facts to tell, and webhooks that receive them."""

from datetime import timedelta
from ipaddress import ip_network
from typing import Any, Final
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from oauth2_provider.models import AccessToken, RefreshToken

from accounts.models import User
from notices import deliveries, delivering, inbox, webhooks
from notices.kinds import Fact
from notices.models import Delivery, Webhook

OWN: Final = [ip_network("127.0.0.0/8")]


def fact(user: User, kind: Any = "seat_reserved") -> Fact:
    """A fact that nobody knows yet."""
    subject = uuid4()
    return Fact(user.id, kind, subject, 0, {"lobby": str(subject)})


def tell(*facts: Fact) -> None:
    """Tell facts, which creates deliveries."""
    with transaction.atomic():
        inbox.tell(facts)


def webhook_of(user: User, url: str, app: str | None = None) -> Webhook:
    """Create a webhook for all kinds that has proved itself."""
    webhook, _ = webhooks.create(user, webhooks.Wish(url, []), app)
    return proved(webhook)


def proved(webhook: Webhook) -> Webhook:
    """Enable a webhook as a test does that succeeds."""
    webhook.disabled = Webhook.Disabled.NO
    webhook.save(update_fields=["disabled"])
    return webhook


def of(webhook: Webhook) -> list[Delivery]:
    """Return the deliveries to a webhook, newest first."""
    return deliveries.newest(webhook, None, 100)


def deliver() -> None:
    """Deliver what is due, as the task of a worker does."""
    delivering.deliver()


def consent(app: Any, user: User, scope: str) -> Any:
    """Let an app act for a user, as the consent page does."""
    expires = timezone.now() + timedelta(hours=1)
    access = AccessToken.objects.create(
        user=user, application=app, scope=scope, token=uuid4().hex, expires=expires
    )
    return RefreshToken.objects.create(
        user=user, application=app, token=uuid4().hex, access_token=access, token_family=uuid4()
    )
