"""The base of commands that an operator answers for."""

from typing import ClassVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User


class OperatorCommand(BaseCommand):
    """A command with a reason, and the name of the member of staff who acts."""

    reason_help: ClassVar[str] = "what the players will read"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reason", required=True, help=self.reason_help)
        parser.add_argument(
            "--by", required=True, metavar="USERNAME", help="the acting operator, a member of staff"
        )

    @staticmethod
    def operator(by: str) -> User:
        """Return the member of staff with this username. Raises CommandError."""
        operator = User.objects.filter(username=by, is_staff=True, is_active=True).first()
        if operator is None:
            raise CommandError(f"{by} is not a member of staff")
        return operator
