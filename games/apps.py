"""The Django app of lobbies and games."""

from django.apps import AppConfig
from django.conf import settings


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the admin pages and what to delete when a user is erased, and check
        EXTRA_RULES."""
        # Models can be imported only now.
        from accounts import people  # noqa: PLC0415
        from games import lobbies  # noqa: PLC0415
        from games.operators import admin  # noqa: F401, PLC0415
        from games.store import registry  # noqa: PLC0415

        people.leave_before.append(lobbies.leave_all)
        people.also_forget.append(lobbies.erase_messages_of)
        if settings.EXTRA_RULES:
            registry.all_rules()
