"""`manage.py restore_history GAME --backup URL`: put damaged commits of a game back."""

from typing import Any
from uuid import UUID

import psycopg
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from games.operators import actions
from games.proofs.repairing import NotRepairedError, repair


class Command(BaseCommand):
    help = (
        "Put the damaged or missing commits of a game back from the database of a restored backup. "
        "The history must then be the one that the head and the public log name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", type=UUID, metavar="ID", help="the game's id")
        parser.add_argument(
            "--backup", required=True, metavar="URL", help="the database of a restored backup"
        )
        parser.add_argument("--reason", required=True, help="for the operators' log")
        parser.add_argument(
            "--by", required=True, metavar="USERNAME", help="the acting operator, a member of staff"
        )

    def handle(
        self, *args: Any, game: UUID, backup: str, reason: str, by: str, **options: Any
    ) -> None:
        operator = User.objects.filter(username=by, is_staff=True, is_active=True).first()
        if operator is None:
            raise CommandError(f"{by} is not a member of staff")
        actions.restore_history(operator, game, reason)
        try:
            versions = repair(game, backup)
        except NotRepairedError as error:
            raise CommandError(str(error)) from error
        except psycopg.Error as error:
            raise CommandError(f"the backup cannot be read: {error}") from error
        self.stdout.write(f"{len(versions)} commits are back: {versions}")
