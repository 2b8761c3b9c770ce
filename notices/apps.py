"""The Django app of notices."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register what to delete when a user is erased."""
        # Models can be imported only now.
        from accounts import people  # noqa: PLC0415
        from notices import deliveries, inbox  # noqa: PLC0415

        people.also_forget.extend([inbox.forget, deliveries.forget])
