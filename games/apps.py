"""The Django application of lobbies and games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Who is erased is forgotten here too."""
        # Models are there only now.
        from accounts import people  # noqa: PLC0415
        from games import lobbies  # noqa: PLC0415

        people.also_forget.append(lobbies.forget_talk_of)
