"""The base of `manage.py export_bets` and `export_transfers`."""

import sys
from collections.abc import Callable, Mapping
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
from kit.allowed import words_in
from kit.problems import Problem

REASONS: Final = {
    "format_not_installed": "parquet needs more packages: install railbird[parquet]",
    "archive_damaged": "the archive is damaged",
}

HELP: Final = {
    "amount_max": "no more coins or chips than this",
    "amount_min": "this many coins or chips at least",
    "byte_order_mark": "with a mark at the beginning of a CSV, by which Excel reads it as UTF-8",
    "cause": "the id of the game, lobby or user that the coins or chips moved for",
    "format": "of the file, whatever its extension",
    "game": "the id of a game",
    "names": "with names beside ids of people, lobbies and games",
    "outcome": "what became of the bet",
    "placed_after": "at this time or later, such as 2026-03-01T18:00:00Z",
    "placed_before": "before this time",
    "posted_after": "at this time or later, such as 2026-03-01T18:00:00Z",
    "posted_before": "before this time",
    "reason": "of the transfer, such as buy_in",
    "seat": "the number of a seat, from 0",
    "separator": "of the columns of a CSV",
    "slug": "the slug of a game, as `rules` lists them",
    "spot": "a spot of the game, such as win:7:r",
    "spot_prefix": "spots that begin with this, such as win:",
    "stake_max": "no higher stake than this",
    "stake_min": "this stake at least",
    "time_zone": "of the times in a CSV or a workbook, such as Europe/Paris (default: UTC)",
    "user": "the id of a user",
}
"""The meaning of each option of an export."""


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
        words = words_in(self.choice)
        for name in self.choice.__struct_fields__:
            allowed = words.get(name, ())
            is_flag = "true" in allowed
            text = HELP[name] if is_flag or not allowed else f"{HELP[name]}: {', '.join(allowed)}"
            flag: dict[str, Any] = {"action": "store_const", "const": "true"}
            kind = flag if is_flag else {"metavar": "VALUE"}
            parser.add_argument(_option(name), dest=f"asked_{name}", help=text, **kind)

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        asked = {name: options[f"asked_{name}"] for name in self.choice.__struct_fields__}
        asked["format"] = asked["format"] or Path(file).suffix.removeprefix(".") or "csv"
        try:
            query = validation.read_query(
                {name: value for name, value in asked.items() if value is not None}, self.choice
            )
        except Problem as problem:
            raise CommandError(_refused(problem, asked)) from problem
        chosen, now = query.narrow(self.all_rows()), timezone.now()
        try:
            made = parts(self.sheet, chosen, query, query.only_game, now)
        except Problem as problem:
            raise CommandError(REASONS.get(problem.code) or _refused(problem, asked)) from problem
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


def _option(field: str) -> str:
    return f"--{field.replace('_', '-')}"


def _refused(problem: Problem, asked: Mapping[str, str | None]) -> str:
    name = str(problem.data["path"])[2:]
    return f"{_option(name)} {asked.get(name)}: {problem.data['reason']}"
