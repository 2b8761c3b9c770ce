"""`manage.py protect_tables`: check what keeps histories unchanged, and restore it."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection
from rich.console import Console

from kit import table_protection


class Command(BaseCommand):
    help = (
        "Check the triggers and privileges that keep histories unchanged, and restore them as the "
        "database's owner; exit code 1 if any are still missing. Run it after restoring a dump."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="restore nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        console, role = Console(), settings.APPLICATION_ROLE
        gaps = table_protection.gaps(connection, role)
        for gap in gaps:
            console.print(f"[red]{gap}[/red]", highlight=False)
        if gaps and not options["check"]:
            table_protection.build(connection, role)
            left = table_protection.gaps(connection, role)
            console.print(f"{len(gaps) - len(left)} of {len(gaps)} restored", highlight=False)
            gaps = left
        if gaps:
            console.print("[bold red]histories are not protected[/bold red]")
            sys.exit(1)
        console.print("[bold green]histories are protected[/bold green]")
