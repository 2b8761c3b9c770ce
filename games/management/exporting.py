"""The base of `manage.py export_bets` and `export_transfers`."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet
from django.utils import timezone
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TimeRemainingColumn,
)

from games.api.exports import Sheet, in_order, parts
from games.management.printing import plain_console
from games.reads.filters import AnyBetExport, TransferExport
from kit import validation
from kit.problems import Problem

REASONS: Final = {
    "format_not_installed": "parquet needs more packages: install railbird[parquet]",
    "archive_damaged": "the archive is damaged",
}


class ExportCommand(BaseCommand):
    """Write the rows of a sheet that match the options, with the filters of the API."""

    sheet: Sheet
    choice: type[AnyBetExport] | type[TransferExport]
    all_rows: Callable[[], QuerySet[Any]]
    """The rows to choose from."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            help="the output file; its extension sets the format: .csv, .jsonl, .parquet or .xlsx",
        )
        for name in self.choice.__struct_fields__:
            parser.add_argument(
                f"--{name.replace('_', '-')}", dest=f"asked_{name}", metavar="VALUE"
            )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        asked = {name: options[f"asked_{name}"] for name in self.choice.__struct_fields__}
        asked["format"] = asked["format"] or Path(file).suffix.removeprefix(".") or "csv"
        try:
            query = validation.read_query(
                {name: value for name, value in asked.items() if value is not None}, self.choice
            )
        except Problem as problem:
            raise CommandError(
                f"{str(problem.data['path'])[2:]}: {problem.data['reason']}"
            ) from problem
        chosen, now = query.narrow(self.all_rows()), timezone.now()
        try:
            made = parts(self.sheet, chosen, query, query.only_game, now)
        except Problem as problem:
            raise CommandError(problem.data.get("reason") or REASONS[problem.code]) from problem
        console = plain_console(stderr=True)
        columns = (BarColumn(), TaskProgressColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        target = nullcontext(sys.stdout.buffer) if file == "-" else Path(file).open("wb")  # noqa: SIM115 -- entered below
        with (
            target as sink,
            Progress(*columns, console=console, disable=not console.is_terminal) as progress,
        ):
            rows = in_order(self.sheet, chosen, now)
            task = progress.add_task(self.sheet.name, total=rows.count())
            for count, part in made:
                sink.write(part)
                progress.advance(task, count)
        console.print(f"{progress.tasks[task].completed:.0f} {self.sheet.name} written")
