"""The Django app of lobbies and games."""

from django.apps import AppConfig
from django.conf import settings
from django.db import connections
from django.db.models.signals import post_migrate

from kit import walls
from kit.walls import BEFORE, ROW, UPDATE, Function, Trigger, append_only, permanent, read_only

ATTEMPT_STAYS = Function(
    "attempt_stays",
    """
BEGIN
    IF NOT EXISTS (SELECT 1 FROM games_abandonedattempt WHERE name = OLD.log_name) THEN
        RAISE EXCEPTION USING ERRCODE = '42501',
            MESSAGE = 'the terms and the seed of a game change when an attempt is abandoned';
    END IF;
    RETURN NEW;
END
""",
)
HISTORIES = (
    *("game", "commit", "bet", "settlement", "correction", "operatoraction", "abandonedattempt"),
    *("logkey", "logentry", "logtile", "logcheckpoint", "logcosignature"),
)


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
    walls = (
        *(append_only(f"games_{history}") for history in HISTORIES),
        # The admin notes what operators do on its own pages.
        append_only("django_admin_log"),
        permanent(
            "games_lobby",
            *("id", "slug", "options", "buy_in", "prizes"),  # people paid under these terms
            more=[
                Trigger(
                    "attempt_stays",
                    ROW | BEFORE | UPDATE,
                    ("seed_hash", "log_name", "terms"),
                    ATTEMPT_STAYS,
                )
            ],
        ),
        permanent("games_head", "game_id"),
        read_only("django_migrations"),
    )

    def ready(self) -> None:
        """Register the admin pages and what to delete when a user is erased, and check
        EXTRA_RULES."""
        # Models can be imported only now.
        from accounts import people  # noqa: PLC0415
        from games import lobbies  # noqa: PLC0415
        from games.operators import admin  # noqa: F401, PLC0415
        from games.store import registry  # noqa: PLC0415

        post_migrate.connect(build_walls, sender=self)
        people.leave_before.append(lobbies.leave_all)
        people.also_forget.append(lobbies.erase_messages_of)
        if settings.EXTRA_RULES:
            registry.all_rules()


def build_walls(using: str, **_details: object) -> None:
    """Build the walls of all histories, as the owner, after every run of `migrate`."""
    walls.build(connections[using], settings.APPLICATION_ROLE)
