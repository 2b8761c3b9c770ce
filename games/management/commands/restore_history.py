"""`manage.py restore_history GAME --backup URL`: put damaged commits of a game back."""

from typing import Any
from uuid import UUID

import psycopg
from django.core.management.base import CommandError, CommandParser

from games.management.operator_command import OperatorCommand
from games.operators import actions
from games.proofs.repairing import NotRepairedError, repair


class Command(OperatorCommand):
    help = (
        "Put the damaged or missing commits of a game back from the database of a restored backup. "
        "The history must then be the one that the head and the public log name."
    )

    reason_help = "for the operators' log"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("game", type=UUID, metavar="ID", help="the game's id")
        parser.add_argument(
            "--backup", required=True, metavar="URL", help="the database of a restored backup"
        )

    def handle(
        self, *args: Any, game: UUID, backup: str, reason: str, by: str, **options: Any
    ) -> None:
        operator = self.operator(by)
        actions.restore_history(operator, game, reason)
        try:
            versions = repair(game, backup)
        except NotRepairedError as error:
            raise CommandError(str(error)) from error
        except psycopg.Error as error:
            raise CommandError(f"the backup cannot be read: {error}") from error
        self.stdout.write(f"{len(versions)} commits are back: {versions}")
