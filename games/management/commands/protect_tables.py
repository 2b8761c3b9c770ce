"""`manage.py protect_tables`: check what keeps histories unchanged, and restore it."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection

from games.management.printing import plain_console
from kit import table_protection


class Command(BaseCommand):
    help = (
        "Check the triggers and privileges that keep histories unchanged, and restore them as the "
        "database's owner; exit code 1 if any are still missing. Run it after restoring a dump."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="restore nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        console, role = plain_console(), settings.APPLICATION_ROLE
        gaps = table_protection.gaps(connection, role)
        for gap in gaps:
            console.print(gap, style="red")
        if gaps and not options["check"]:
            table_protection.build(connection, role)
            left = table_protection.gaps(connection, role)
            console.print(f"{len(gaps) - len(left)} of {len(gaps)} restored")
            gaps = left
        if gaps:
            console.print("histories are not protected", style="bold red")
            sys.exit(1)
        console.print("histories are protected", style="bold green")
