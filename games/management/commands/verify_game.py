"""`manage.py verify_game ID`: replay a game from its stored bytes and seed; check all its rows."""

import sys
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.management.printing import plain_console
from games.proofs.verification import verify_game
from kit.problems import Problem


class Command(BaseCommand):
    help = "Replay a game from its stored bytes and seed; exit code 1 on any divergence."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", type=UUID, metavar="ID", help="the game's id")

    def handle(self, *args: Any, game: UUID, **options: Any) -> None:
        console = plain_console()
        try:
            verified = verify_game(game)
        except Problem as problem:
            raise CommandError(f"{problem.code}: {problem.data}") from problem
        console.print(
            f"{len(verified.replayed)} commits hashed and replayed, "
            f"{verified.draws} draws repeated, "
            f"{verified.transfers} transfers and {verified.bets} bets compared",
        )
        if verified.lost:
            console.print(
                f"the server lost commits of {verified.lost} log entries when its database was "
                "restored to an earlier state",
            )
        for finding in verified.findings:
            console.print(
                f"{finding.what}: expected {finding.expected}, found {finding.found}", style="red"
            )
        if verified.findings:
            console.print("history diverges", style="bold red")
            sys.exit(1)
        console.print("history verified", style="bold green")
