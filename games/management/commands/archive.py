"""`manage.py archive --before 2026-05`: move the histories of earlier months to the archive."""

import re
from datetime import date
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from accounts.models import User
from games.management.operator_command import OperatorCommand
from games.management.printing import plain_console
from games.proofs.archiving import Archived, NotArchivedError, archive, months_before
from kit.object_storage import ObjectStorage, UnreachableError


class Command(OperatorCommand):
    help = (
        "Write the histories of all games of earlier months to ARCHIVE_URL, verify them there, and "
        "detach them from the database. An interrupted run continues where it was."
    )

    reason_help = "for the operators' log"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--before", required=True, metavar="YYYY-MM", help="the first month that stays"
        )

    def handle(self, *args: Any, before: str, reason: str, by: str, **options: Any) -> None:
        operator = self.operator(by)
        first = _month(before)
        try:
            objects = ObjectStorage(settings.ARCHIVE_URL, patient=True)
            for month in months_before(first):
                archived = _archive(month, objects, operator, reason)
                self.stdout.write(
                    f"{month:%Y-%m}: {archived.games} games archived, {archived.bytes} bytes"
                )
        except (NotArchivedError, UnreachableError) as error:
            raise CommandError(str(error)) from error


def _month(text: str) -> date:
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        raise CommandError(f"--before must look like 2026-05, not {text!r}")
    month = date.fromisoformat(f"{text}-01")
    if month > timezone.now().date().replace(day=1):
        raise CommandError(f"--before {text}: the current month and later ones stay")
    return month


def _archive(month: date, objects: ObjectStorage, operator: User, reason: str) -> Archived:
    """Archive a month, and show the progress on a terminal."""
    console = plain_console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"{month:%Y-%m}", total=None)
        return archive(
            month,
            objects,
            by=operator,
            reason=reason,
            on_games=lambda done, all_: progress.update(task, completed=done, total=all_),
        )
