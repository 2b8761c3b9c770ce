"""The Django app of lobbies and games."""

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db import connections
from django.db.models.signals import post_migrate, pre_migrate

from games.store.protections import PROTECTIONS
from kit import table_protection
from kit.migrations import refuse_other_series


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
    protections = PROTECTIONS

    def ready(self) -> None:
        """Register the admin pages and what to delete when a user is erased, and load all games."""
        # Models can be imported only now.
        from accounts import people  # noqa: PLC0415
        from games import following, lobbies  # noqa: PLC0415
        from games.archive import reading  # noqa: PLC0415
        from games.operators import admin  # noqa: F401, PLC0415
        from games.store import commits, database_checks, registry  # noqa: PLC0415
        from notices import delivering, mails  # noqa: PLC0415

        pre_migrate.connect(refuse_other_series, sender=self)
        post_migrate.connect(build_protections, sender=self)
        people.leave_before.append(lobbies.leave_all)
        people.also_forget.extend([lobbies.erase_messages_of, lobbies.forget_salts_of])
        commits.archives.append(reading.commits_for_store)
        delivering.still_open.append(following.is_still_open)
        mails.titles_of.append(registry.titles_of)
        registry.all_rules()
        checks.register(database_checks.check_fitness, checks.Tags.database)
        checks.register(database_checks.check_deployment, checks.Tags.database, deploy=True)


def build_protections(using: str, **_details: object) -> None:
    """Build the protection of all histories, as the owner, after every run of `migrate`."""
    table_protection.build(connections[using], settings.APPLICATION_ROLE)
