"""`manage.py demo [slug]`: play a whole game with bots live, then verify its ledger and history."""

import json
import os
import sys
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from demo.guest import RefusedError
from demo.server import own_server
from demo.show import Show, verified
from games.store.registry import catalogue
from gameserver.processes.supervisor import Stopped, StopSignals
from railbird_engine.rules import example_game


class Command(BaseCommand):
    help = (
        "Play a whole game with bots through the public API, show it live, "
        "and verify its ledger and history."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        default = example_game().slug
        parser.add_argument(
            "slug", nargs="?", default=default, help=f"the game (default: {default})"
        )
        parser.add_argument(
            "--url", help="a server that runs on this environment's database (default: a fresh one)"
        )
        parser.add_argument("--bots", type=int, default=4, help="the number of bots (default: 4)")
        parser.add_argument(
            "--language",
            choices=("en", "fr"),
            default="en",
            help="the language of the game (default: en)",
        )
        parser.add_argument(
            "--options",
            type=json.loads,
            default={},
            metavar="JSON",
            help="the game's options, as a host would",
        )
        parser.add_argument(
            "--keep",
            type=Path,
            metavar="FOLDER",
            help="write the bundle of the game and the keys of its log into this folder",
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        console = Console()
        rules = catalogue().get(options["slug"])
        suited = rules.demo_options if rules and rules.demo_options else {}
        chosen = {**suited, **options["options"]}
        given = options["url"]
        try:
            with StopSignals():
                if not given:
                    console.print("Starting a temporary server...")
                with (
                    nullcontext((given, os.environ)) if given else own_server() as (url, variables)
                ):
                    show = Show(
                        url,
                        options["slug"],
                        options=chosen,
                        bots=options["bots"],
                        language=options["language"],
                        console=console,
                    )
                    right = verified(show, show.play(), variables, console, options["keep"])
        except RefusedError as refused:
            raise CommandError(str(refused)) from refused
        except Stopped:
            raise CommandError("stopped before the end") from None
        if not right:
            sys.exit(1)
