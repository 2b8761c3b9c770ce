"""`manage.py intervene GAME`: void a game or one of its bets, or add a note to its log."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from games.operators import actions
from kit.problems import Problem


class Command(BaseCommand):
    help = "Void a game or one of its bets, or add a note. The players can read the reason."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=("void_game", "void_bet", "annotate"))
        parser.add_argument("game", type=UUID, metavar="ID", help="the game's id")
        parser.add_argument("--bet", type=int, help="the number of the bet, for void_bet")
        parser.add_argument("--reason", required=True, help="what the players will read")
        parser.add_argument(
            "--by", required=True, metavar="USERNAME", help="the acting operator, a member of staff"
        )

    def handle(
        self,
        *args: Any,
        action: str,
        game: UUID,
        bet: int | None,
        reason: str,
        by: str,
        **options: Any,
    ) -> None:
        operator = User.objects.filter(username=by, is_staff=True, is_active=True).first()
        if operator is None:
            raise CommandError(f"{by} is not a member of staff")
        if (action == "void_bet") != (bet is not None):
            raise CommandError("--bet is required for void_bet and allowed for nothing else")
        try:
            if bet is not None:
                actions.void_bet(operator, game, bet, reason)
            else:
                {"void_game": actions.void_game, "annotate": actions.annotate}[action](
                    operator, game, reason
                )
        except Problem as problem:
            raise CommandError(f"{problem.code} {problem.data or ''}") from problem
        self.stdout.write("done")
