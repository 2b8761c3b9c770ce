"""`manage.py simulate SLUG`: play bot games on the pure rules, without a database.

The same seed gives the same games.
"""

import json
import time
from statistics import mean, quantiles
from typing import Any, NamedTuple, Self

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.progress import track
from rich.table import Table

from games.management.printing import plain_console
from games.store.registry import newest_rules
from kit.problems import Problem
from railbird_engine import AnyRules, Chance, Result, RuleViolation, Seat, State
from railbird_engine.kernel.playout import Player, Playout, ask_bot, bot_notices, play_out


class Command(BaseCommand):
    help = "Play bot games on the pure rules and print statistics; reproducible by its seed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the game")
        parser.add_argument("--games", type=int, default=20, help="how many (default: 20)")
        parser.add_argument("--seats", type=int, help="players at each table (default: the fewest)")
        parser.add_argument(
            "--seed", type=int, default=0, help="the same seed gives the same games (default: 0)"
        )
        parser.add_argument("--options", default="{}", help="the game's options, as JSON")
        parser.add_argument("--json", action="store_true", help="print the statistics as JSON")

    def handle(
        self, *args: Any, slug: str, games: int, seats: int | None, seed: int, **given: Any
    ) -> None:
        console = plain_console()
        if games < 1:
            raise CommandError("--games: at least 1")
        try:
            rules = newest_rules(slug)
            options = msgspec.json.decode(given["options"], type=rules.options_type)
            seats = seats or rules.seats[0]
            started, asking = time.process_time(), Asking()
            bot = Player(asking, bot_notices)
            numbers = track(
                range(games),
                description=slug,
                console=console,
                disable=given["json"] or not console.is_terminal,
            )
            played = [
                Played.of(play_out(rules, seats, options, f"{seed}/{number}".encode(), bot))
                for number in numbers
            ]
        except (Problem, RuleViolation) as problem:
            raise CommandError(f"{problem.code}: {problem.data}") from problem
        except msgspec.MsgspecError as error:
            raise CommandError(f"--options: {error}") from error
        figures = statistics(played, seats, time.process_time() - started) | asking.figures()
        if given["json"]:
            self.stdout.write(json.dumps(figures))
        else:
            table = Table(
                "figure", "value", title=f"{games} games of {slug} with {seats} bots, seed {seed}"
            )
            for name, value in figures.items():
                table.add_row(name, str(value))
            console.print(table)


class Played(NamedTuple):
    """The length and result of a game. Keeping whole histories would slow the garbage collector."""

    commits: int
    result: Result | None

    @classmethod
    def of(cls, playout: Playout) -> Self:
        """Summarize a game."""
        return cls(len(playout.commits), playout.result)


class Asking:
    """Ask bots for commands, and measure the processor time of each decision: view, legal commands
    and choice."""

    def __init__(self) -> None:
        self._took_ms: list[float] = []

    def __call__(self, rules: AnyRules, state: State, seat: Seat, chance: Chance) -> Any:
        started = time.process_time()
        command = ask_bot(rules, state, seat, chance)
        self._took_ms.append((time.process_time() - started) * 1000)
        return command

    def figures(self) -> dict[str, Any]:
        """Return the median, 99th percentile and maximum of a decision, in ms of processor time."""
        percentiles = quantiles(self._took_ms, n=100)
        took = {"p50": percentiles[49], "p99": percentiles[98], "max": max(self._took_ms)}
        return {f"bot_ms_{name}": round(value, 3) for name, value in took.items()}


def statistics(played: list[Played], seats: int, seconds: float) -> dict[str, Any]:
    """Summarize games: length, scores, wins per seat, and games per second of processor time."""
    finished = [game.result for game in played if game.result is not None]
    scores = [score for result in finished for score in result.scores]
    return {
        "games": len(finished),
        "commits_mean": round(mean(game.commits for game in played), 1),
        "score_mean": round(mean(scores), 2),
        "score_least": min(scores),
        "score_most": max(scores),
        "wins_by_seat": [
            sum(seat in result.ranking[0] for result in finished) for seat in range(seats)
        ],
        "games_per_second": round(len(finished) / seconds, 1),
    }
