"""`manage.py intervene GAME`: void a game or one of its bets, or add a note to its log."""

from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from games.management.operator_command import OperatorCommand
from games.operators import actions
from kit.problems import Problem


class Command(OperatorCommand):
    help = "Void a game or one of its bets, or add a note. The players can read the reason."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("action", choices=("void_game", "void_bet", "annotate"))
        parser.add_argument("game", type=UUID, metavar="ID", help="the game's id")
        parser.add_argument("--bet", type=int, help="the number of the bet, for void_bet")

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
        operator = self.operator(by)
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
