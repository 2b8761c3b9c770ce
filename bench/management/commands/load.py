"""`manage.py load URL`: measure how many live tables a deployed server holds."""

import asyncio
import ssl
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import uvloop
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from bench import report
from bench.ground import ExperimentError
from bench.load import Load
from railbird_engine.rules import example_game

TABLES_MAX: Final = 5_000
SECONDS_MAX: Final = 600.0
RATE_MAX: Final = 10_000.0


class Command(BaseCommand):
    help = (
        "Play live tables at a deployed server through its public API, in stages, until people "
        "would notice, and report what it holds. Only load a server that is yours."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", required=True, help="the server: https://games.example.org")
        parser.add_argument(
            "--tables",
            type=int,
            nargs="+",
            default=[10, 25, 50],
            help="the number of tables in each stage (default: 10 25 50)",
        )
        parser.add_argument(
            "--rate",
            type=float,
            help="commands per second of all people together (default: one every 2 to 6 seconds "
            "by each)",
        )
        parser.add_argument(
            "--tokens",
            type=Path,
            help="a file with access tokens, one per line, for the people (default: new guests)",
        )
        parser.add_argument(
            "--ca",
            type=Path,
            help="a file of certificates in PEM format to trust beside those of this machine",
        )
        parser.add_argument(
            "--seconds", type=float, default=20, help="how long a stage is measured (default: 20)"
        )
        slug = example_game().slug
        parser.add_argument("--slug", default=slug, help=f"the game (default: {slug})")
        parser.add_argument(
            "--bots", type=int, default=3, help="the number of bots at each table (default: 3)"
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        rate = options["rate"]
        load = Load(
            url=_checked_url(options["url"]),
            slug=options["slug"],
            stages=sorted(options["tables"]),
            bots=_within("bots", options["bots"], 0, 20),
            seconds=_within("seconds", options["seconds"], 1, SECONDS_MAX),
            rate=None if rate is None else _within("rate", rate, 0.01, RATE_MAX),
            tokens=_tokens(options["tokens"]),
            ca=_certificates(options["ca"]),
        )
        _within("tables", load.stages[0], 1, TABLES_MAX)
        _within("tables", load.stages[-1], 1, TABLES_MAX)
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                loaded = runner.run(load.run())
        except ExperimentError as failed:
            raise CommandError(str(failed)) from failed
        except KeyboardInterrupt:
            sys.exit(130)
        if options["json"]:
            self.stdout.write(msgspec.json.encode(loaded).decode())
        else:
            report.show_load(Console(), load.url, loaded)


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_right = parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
        is_right = is_right and parts.port != 0
    except ValueError:
        is_right = False
    if not is_right:
        raise CommandError(f"{url!r} is not the URL of a server. Write https://games.example.org.")
    return url


def _within(name: str, value: Any, least: float, most: float) -> Any:
    if not least <= value <= most:
        raise CommandError(f"--{name} {value:g} is outside {least:g} to {most:g}.")
    return value


def _tokens(file: Path | None) -> list[str]:
    """Return the tokens in a file. Raises CommandError when there are none."""
    if file is None:
        return []
    try:
        found = file.read_text(encoding="utf-8").split()
    except (OSError, ValueError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error
    if not found:
        raise CommandError(f"{file} has no tokens.")
    return found


def _certificates(file: Path | None) -> str | None:
    """Return the path of a file of certificates. Raises CommandError for any other."""
    if file is None:
        return None
    try:
        ssl.create_default_context(cafile=file)
    except OSError as error:
        raise CommandError(f"{file} is no file of certificates: {error}") from error
    return str(file)
