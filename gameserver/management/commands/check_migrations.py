"""`manage.py check_migrations [games.0007_name ...]`: would running code survive them?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.migrations.loader import MigrationLoader

from games.archive.months import MONTHLY
from kit.migrations import dangers


class Command(BaseCommand):
    help = "Fail if the processes of the previous release would not survive these migrations."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("migrations", nargs="*", help="such as games.0007_name")

    def handle(self, *args: Any, migrations: list[str], **options: Any) -> None:
        loader = MigrationLoader(None)
        found: list[str] = []
        for name in migrations:
            app, _, migration = name.partition(".")
            before = loader.project_state((app, migration), at_end=False)
            found += dangers(
                loader.get_migration(app, migration), before, {monthly.table for monthly in MONTHLY}
            )
        if found:
            raise CommandError("\n".join(found))
