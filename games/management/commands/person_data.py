"""`manage.py person_data USER`: write all data about a user."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from games.reads import personal

log = structlog.get_logger(__name__)


class Command(BaseCommand):
    help = "Write all data about USER and their bot users as JSON Lines."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("user", metavar="USER", help="a username, or the id of a user")
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE",
            help="where to write; default: the standard output",
        )

    def handle(self, *args: Any, user: str, output: Path | None, **options: Any) -> None:
        found = _user(user)
        if found is None:
            raise CommandError(f"There is no user {user}.")
        log.info("personal_data_written", user=str(found.id))
        try:
            with nullcontext(sys.stdout.buffer) if output is None else output.open("wb") as file:
                file.writelines(personal.as_json(personal.lines(found)))
        except OSError as error:
            raise CommandError(str(error)) from error


def _user(text: str) -> User | None:
    try:
        return User.objects.filter(id=UUID(text)).first()
    except ValueError:
        return User.objects.filter(username=text.lower()).first()
