"""`manage.py rules [--needed | --offer]`: the rules that games need, have and get."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from games.models import Head
from games.store import heads, registry


class Command(BaseCommand):
    help = "Print the rules of this build, which of them new lobbies get, and their open games."

    def add_arguments(self, parser: CommandParser) -> None:
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument(
            "--needed",
            action="store_true",
            help="fail if open games need rules or editions that this build lacks",
        )
        choice.add_argument(
            "--offer",
            action="store_true",
            help="let new lobbies have the newest rules of this build",
        )

    def handle(self, *args: Any, needed: bool, offer: bool, **options: Any) -> None:
        if needed:
            self._check()
            return
        if offer:
            registry.offer_newest()
        newest = {(rules.slug, rules.version) for rules in registry.offered().values()}
        games = heads.open_games()
        for slug, version in sorted(registry.all_rules()):
            count = sum(
                number
                for need, number in games.items()
                if need.split(" ")[:2] == [slug, str(version)]
            )
            is_offered = "offered" if (slug, version) in newest else ""
            self.stdout.write(f"{slug} {version} {is_offered:7} {count} open games")

    def _check(self) -> None:
        """Print the games that need more than this build has.

        Raises CommandError if there are any. A database without tables needs nothing.
        """
        if Head._meta.db_table not in connection.introspection.table_names():
            return
        found = heads.open_games()
        lacking = [need for need in found if need not in registry.served()]
        for need, game in heads.open_games_that_need(lacking):
            self.stdout.write(f"{game} needs {need}")
        if lacking:
            games = ", ".join(f"{need} ({found[need]} games)" for need in lacking)
            raise CommandError(
                f"Open games need rules that this build lacks: {games}. Ship a build that has"
                " them, or void the games."
            )
