"""`manage.py person_data USER`: write all data about a user."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from games.api.operations.personal_data import PersonalCopy, parts_of
from games.management.exporting import HELP
from kit.problems import Problem

log = structlog.get_logger(__name__)


class Command(BaseCommand):
    help = "Write all data about USER and their bot users, as users can download it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", metavar="USER", help="a username, or the id of a user")
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE",
            help="where to write: JSON Lines, or a workbook if it ends with .xlsx; "
            "default: the standard output",
        )
        parser.add_argument("--names", action="store_true", help=HELP["names"])
        parser.add_argument("--time-zone", metavar="ZONE", help=HELP["time_zone"])

    def handle(
        self,
        *args: Any,
        user: str,
        output: Path | None,
        names: bool,
        time_zone: str | None,
        **options: Any,
    ) -> None:
        found = _user(user)
        if found is None:
            raise CommandError(f"There is no user {user}.")
        is_book = output is not None and output.suffix == ".xlsx"
        wanted = PersonalCopy(
            format="xlsx" if is_book else "jsonl", names=names, time_zone=time_zone
        )
        try:
            parts = parts_of(found, wanted)
        except Problem as problem:
            raise CommandError(f"--time-zone {time_zone}: {problem.data['reason']}") from problem
        log.info("personal_data_written", user=str(found.id))
        try:
            with nullcontext(sys.stdout.buffer) if output is None else output.open("wb") as file:
                file.writelines(parts)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise CommandError(str(error)) from error


def _user(text: str) -> User | None:
    try:
        return User.objects.filter(id=UUID(text)).first()
    except ValueError:
        return User.objects.filter(username=text.lower()).first()
