"""`manage.py log_restore`: continue the log after the database was restored to an earlier state."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from accounts.models import User
from games.log import restoring, signing, troubles
from games.management.operator_command import OperatorCommand
from games.operators import actions
from kit.problems import Problem


class Command(OperatorCommand):
    help = (
        "Continue the public log after the database was restored to an earlier state: put the "
        "signed entries back, name the games that lost commits in the log, and void them."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--from",
            dest="folders",
            action="append",
            default=[],
            type=Path,
            metavar="FOLDER",
            help="more copies of the log's entries, such as those of a monitor",
        )
        parser.add_argument(
            "--checkpoint",
            dest="checkpoints",
            action="append",
            default=[],
            type=Path,
            metavar="FILE",
            help="a signed checkpoint that others have seen, and the log must reach",
        )

    def handle(
        self,
        *args: Any,
        reason: str,
        by: str,
        folders: list[Path],
        checkpoints: list[Path],
        **options: Any,
    ) -> None:
        operator = self.operator(by)
        try:
            notes = [path.read_text() for path in checkpoints]
            self._continue_log(operator, reason, folders, notes)
            for game, kept in restoring.games_to_void().items():
                actions.void_game(operator, game.id, reason)
                self.stdout.write(f"game {game.id} lost its versions after {kept}, and is voided")
            for name in restoring.gone():
                self.stdout.write(f"the game with the log name {name} is gone altogether")
        except (restoring.RestoreError, signing.UnsignedError, OSError) as error:
            raise CommandError(str(error)) from error
        except Problem as problem:
            raise CommandError(f"{problem.code} {problem.data or ''}") from problem

    def _continue_log(
        self, operator: User, reason: str, folders: list[Path], notes: list[str]
    ) -> None:
        with signing.held(settings.LOG_KEY_FILE, waits=True), transaction.atomic():
            behind = restoring.missing(folders, notes)
            if behind is None:
                if forks := troubles.forks():
                    raise CommandError(
                        f"{forks[0]}. The copies beside the key are no newer than the database: "
                        "give those that are with --from and --checkpoint"
                    )
                self.stdout.write("the database has every signed entry")
                return
            what = f"log {behind.stored.size} to {behind.signed.size}"
            actions.restore_log(operator, what, reason)
            lost = restoring.restore(behind)
            troubles.clear_forks_of_others(())  # witnesses that still prove one do it again
        self.stdout.write(
            f"entries {behind.stored.size} to {behind.signed.size - 1} are back; "
            f"{lost} games and lobbies lost something"
        )
