"""`manage.py simulate SLUG`: bot games on the pure rules, without a database; the same seed gives the same games."""

import json
import time
from statistics import mean
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import track
from rich.table import Table

from accounts.problems import Problem
from games.engine import RuleViolation
from games.engine.playout import Playout, play_out
from games.registry import newest_rules


class Command(BaseCommand):
    help = "Play bot games on the pure rules and print statistics; reproducible by its seed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the game, for example ready_set_bet")
        parser.add_argument("--games", type=int, default=20, help="how many (default: 20)")
        parser.add_argument("--seats", type=int, help="players at each table (default: the fewest)")
        parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same games (default: 0)")
        parser.add_argument("--options", default="{}", help="the game's options, as JSON")
        parser.add_argument("--json", action="store_true", help="print the statistics as JSON")

    def handle(self, *args: Any, slug: str, games: int, seats: int | None, seed: int, **given: Any) -> None:
        console = Console()
        try:
            rules = newest_rules(slug)
            options = msgspec.json.decode(given["options"], type=rules.options_type)
            seats = seats or rules.seats[0]
            started = time.perf_counter()
            numbers = track(range(games), description=slug, console=console, disable=given["json"] or not console.is_terminal)
            played = [play_out(rules, seats, options, f"{seed}/{number}".encode()) for number in numbers]
        except (Problem, RuleViolation) as problem:
            raise CommandError(f"{problem.code}: {problem.data}") from problem
        except msgspec.MsgspecError as error:
            raise CommandError(f"--options: {error}") from error
        figures = statistics(played, seats, time.perf_counter() - started)
        if given["json"]:
            self.stdout.write(json.dumps(figures))
        else:
            table = Table("figure", "value", title=f"{games} games of {slug} with {seats} bots, seed {seed}")
            for name, value in figures.items():
                table.add_row(name, str(value))
            console.print(table)


def statistics(played: list[Playout], seats: int, seconds: float) -> dict[str, Any]:
    """What the games had in common: their length, their scores and who won."""
    results = [playout.result for playout in played]
    finished = [result for result in results if result is not None]
    scores = [score for result in finished for score in result.scores]
    return {
        "games": len(finished),
        "commits_mean": round(mean(len(playout.commits) for playout in played), 1),
        "score_mean": round(mean(scores), 2),
        "score_least": min(scores),
        "score_most": max(scores),
        "wins_by_seat": [sum(seat in result.ranking[0] for result in finished) for seat in range(seats)],
        "games_per_second": round(len(finished) / seconds, 1),
    }
