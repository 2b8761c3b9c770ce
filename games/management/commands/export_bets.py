"""`manage.py export_bets FILE`: everybody's bets, or those that the options choose, as a file."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TimeRemainingColumn

from accounts import strict
from accounts.problems import Problem
from games import selectors
from games.api.exports import WRITERS, in_order, parts
from games.filters import AnyBetExport


class Command(BaseCommand):
    help = "Write bets to FILE (- is the standard output), oldest first, in memory that does not grow with them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="where to; its ending says the format: .csv, .jsonl or .parquet")
        for name in AnyBetExport.__struct_fields__:
            parser.add_argument(f"--{name.replace('_', '-')}", dest=f"asked_{name}", metavar="VALUE")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        asked = {name: options[f"asked_{name}"] for name in AnyBetExport.__struct_fields__}
        asked["format"] = asked["format"] or Path(file).suffix.removeprefix(".") or "csv"
        try:
            query = strict.convert({name: value for name, value in asked.items() if value is not None}, AnyBetExport)
        except Problem as problem:
            raise CommandError(f"{str(problem.data['path'])[2:]}: {problem.data['reason']}") from problem
        bets = in_order(query.narrow(selectors.all_bets()))
        console = Console(stderr=True)
        columns = (BarColumn(), TaskProgressColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        target = nullcontext(sys.stdout.buffer) if file == "-" else Path(file).open("wb")  # noqa: SIM115 -- entered below
        with target as sink, Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("bets", total=bets.count())
            for count, part in parts(bets, WRITERS[query.format]()):
                sink.write(part)
                progress.advance(task, count)
        console.print(f"{progress.tasks[task].completed:.0f} bets written", highlight=False)
