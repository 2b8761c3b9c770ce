"""`manage.py bundle ID...`: write an audit bundle of whole games.

`railbird-audit verify` checks it anywhere.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.progress import track

from games.management.printing import plain_console
from games.models import Game, Head
from games.proofs import bundles
from kit.problems import Problem
from railbird_engine.audit import bundle


class Command(BaseCommand):
    help = "Write an audit bundle of games that have ended."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "games",
            nargs="*",
            type=UUID,
            metavar="ID",
            help="the games; default: all that have ended",
        )
        parser.add_argument(
            "--since",
            type=int,
            metavar="SIZE",
            help="also prove that the log continues its first SIZE entries",
        )
        parser.add_argument(
            "--output",
            type=Path,
            metavar="FILE",
            help="where to write; default: the standard output",
        )

    def handle(
        self, *args: Any, games: list[UUID], since: int | None, output: Path | None, **options: Any
    ) -> None:
        rows = Game.objects.select_related("head", "lobby").order_by("id")
        rows = rows.filter(id__in=games) if games else rows.exclude(head__ended=Head.Ended.NO)
        found = list(rows)
        if missing := set(games) - {game.id for game in found}:
            raise CommandError(f"not_found: {', '.join(map(str, sorted(missing)))}")
        if len(found) > bundle.GAMES_MAX:
            raise CommandError(
                f"{len(found)} games exceed the limit of a bundle, {bundle.GAMES_MAX}: give ids"
            )
        try:
            self._write(bundles.bundled(found, since=since), output)
        except Problem as problem:
            raise CommandError(f"{problem.code}: {problem.data}") from problem
        if output is not None:
            plain_console(stderr=True).print(f"{len(found)} games in {output}")

    @staticmethod
    def _write(parts: Iterator[bytes], output: Path | None) -> None:
        if output is None:
            sys.stdout.buffer.writelines(parts)
            return
        console = plain_console(stderr=True)
        with output.open("wb") as file:
            file.writelines(
                track(
                    parts,
                    "writing",
                    console=console,
                    transient=True,
                    disable=not console.is_terminal,
                )
            )
