"""The Django app of notices."""

from django.apps import AppConfig
from django.db.models.signals import pre_delete


class NoticesConfig(AppConfig):
    name = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what to delete when a user is erased, or an app is deleted."""
        # Models can be imported only now.
        from oauth2_provider.models import Application  # noqa: PLC0415

        from accounts import people  # noqa: PLC0415
        from notices import deliveries, inbox, webhooks  # noqa: PLC0415

        people.also_forget.extend([inbox.forget, deliveries.forget])
        pre_delete.connect(webhooks.remove_those_of, sender=Application)
