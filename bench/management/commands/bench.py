"""`manage.py bench`: measure throughput and latency, and the limits of the servers."""

import os
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from bench import opponents, report, results
from bench.ground import ExperimentError, Ground
from bench.histories import Histories, HistoriesMeasured
from bench.idle import Idle, IdleMeasured
from bench.limits import Limit, Limits
from bench.live import Live, Stage
from bench.matches import Match
from bench.moves import PINNED, Moves, MovesMeasured
from bench.peer import Compared, Load, compared, measured_by
from bench.races import Races, RacesMeasured
from bench.slow import Slow, SlowMeasured
from bench.soak import Sample, Soak
from bench.spread import Spread, SpreadMeasured
from bench.subscriptions import Delivered, Subscriptions
from games.store.registry import catalogue
from gameserver.processes.children import free_port

EXPERIMENTS = (
    *("moves", "spread", "histories", "races", "idle", "live", "slow", "soak", "opponents"),
    "subscriptions",
)
UNLIMITED = "address=0/60 user=0/60 token=0/60 guest=0/60"
BY_NAME = frozenset({"spread", "histories", "live", "slow", "soak", "opponents", "subscriptions"})
"""Experiments that run only when asked for."""


class Command(BaseCommand):
    help = (
        "Measure moves, several web processes, histories, races, idle sockets and live tables, "
        "each on fresh servers, and the servers' limits."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "experiments",
            nargs="*",
            help=f"{', '.join(EXPERIMENTS)}; default: all but {', '.join(sorted(BY_NAME))}. "
            "Limits always run",
        )
        parser.add_argument(
            "--seconds", type=float, default=8, help="how long each load is measured"
        )
        parser.add_argument(
            "--tables",
            type=int,
            default=50,
            help="moves, spread: tables of four to eight players; soak: of one person",
        )
        parser.add_argument(
            "--rate", type=float, nargs="*", default=[200], help="moves: steady rates, in moves/s"
        )
        parser.add_argument(
            "--web", type=int, nargs="*", default=[1, 2, 4], help="spread: numbers of web processes"
        )
        parser.add_argument(
            "--turns",
            type=int,
            default=4,
            help="--peer, --against: how often to measure each of both",
        )
        compared_with = parser.add_mutually_exclusive_group()
        compared_with.add_argument(
            "--against",
            nargs="+",
            metavar="NAME=VALUE",
            help="moves: measure in turns with this server under other environment variables",
        )
        compared_with.add_argument(
            "--peer",
            metavar="COMMAND",
            help="moves: measure in turns with another server, by a command that prints a line of "
            "JSON for each load (see bench/peer.py)",
        )
        compared_with.add_argument(
            "--players",
            choices=["signing", "heads"],
            help="moves: measure players who sign their commands, or ask for signed heads, in "
            "turns with those who do not; live: likewise people who ask for heads",
        )
        parser.add_argument(
            "--pin",
            action="store_true",
            help="moves: run the server on one processor, and checks of signatures and players on "
            "the next",
        )
        parser.add_argument(
            "--bets", type=int, default=1_000_000, help="histories: the number of bets"
        )
        parser.add_argument("--races", type=int, default=2000, help="races: how many at once")
        parser.add_argument(
            "--beat-ms", type=int, default=1000, help="races: the time between two rolls"
        )
        parser.add_argument(
            "--slow-games", type=int, default=100_000, help="slow: how many idle games"
        )
        parser.add_argument("--sockets", type=int, default=1000, help="idle: how many")
        parser.add_argument(
            "--stages",
            type=int,
            nargs="*",
            default=[100, 200, 300, 400, 600, 800, 1000, 1250, 1500],
            help="live: numbers of tables, until a p99 latency exceeds its limit",
        )
        parser.add_argument(
            "--slug",
            help="live, soak, opponents: the game to play; default: all in turn",
        )
        parser.add_argument(
            "--games", type=int, default=1000, help="opponents: games with fixed seeds per figure"
        )
        parser.add_argument("--bots", type=int, default=3, help="live, soak: bots at each table")
        parser.add_argument("--minutes", type=float, default=30, help="soak: how long it lasts")
        parser.add_argument(
            "--json",
            type=Path,
            metavar="FOLDER",
            help="append a line of JSON for each experiment to FOLDER/DATE-COMMIT.jsonl",
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        asked = options["experiments"] or [name for name in EXPERIMENTS if name not in BY_NAME]
        if unknown := set(asked) - {*EXPERIMENTS, "limits"}:
            raise CommandError(
                f"Unknown experiment {', '.join(sorted(unknown))}. "
                f"Choose from {', '.join(EXPERIMENTS)}."
            )
        console = Console()
        if options["pin"]:
            os.sched_setaffinity(0, {PINNED})  # every process inherits it
        try:
            limits = [] if set(asked) <= {"opponents", "soak"} else ["limits"]
            for name in dict.fromkeys([*asked, *limits]):
                measured = getattr(self, f"_{name}")(console, options)
                if options["json"]:
                    results.add(options["json"], name, options, measured)
        except ExperimentError as failed:
            raise CommandError(str(failed)) from failed

    def _opponents(self, console: Console, options: dict[str, Any]) -> list[Match]:
        return opponents.measure(console, options["slug"], options["games"])

    def _moves(
        self, console: Console, options: dict[str, Any]
    ) -> list[MovesMeasured] | list[Compared]:
        if options["peer"] or options["against"] or options["players"]:
            return self._compared(console, options)
        measured = self._moves_once(options)
        report.show_moves(console, measured)
        return measured

    def _compared(self, console: Console, options: dict[str, Any]) -> list[Compared]:
        """Measure in turns, this server first in every other turn."""
        with ExitStack() as stack:
            ours, peer = self._pair(stack, options)
            turns = []
            for turn in range(options["turns"]):
                first = peer() if turn % 2 else None
                turns.append((ours(), first or peer()))
        found = compared(turns)
        report.show_compared(console, found)
        return found

    def _pair(
        self, stack: ExitStack, options: dict[str, Any]
    ) -> tuple[Callable[[], list[MovesMeasured]], Callable[[], Mapping[str, MovesMeasured | Load]]]:
        """Return what measures this server, and what measures its peer's loads by name."""
        if options["players"]:  # of both kinds on one server: the machine changes less meanwhile
            ground = stack.enter_context(Ground())
            port = ground.web()
            return (
                lambda: _moves(ground, port, options, options["players"]),
                lambda: _by_load(_moves(ground, port, options)),
            )
        if options["peer"]:
            return lambda: self._moves_once(options), lambda: measured_by(options["peer"])
        variables = dict(each.partition("=")[::2] for each in options["against"])
        return (
            lambda: self._moves_once(options),
            lambda: _by_load(self._moves_once(options, variables)),
        )

    def _moves_once(
        self, options: dict[str, Any], variables: Mapping[str, str] | None = None
    ) -> list[MovesMeasured]:
        with Ground() as ground:
            return _moves(ground, ground.web(variables=variables), options)

    def _spread(self, console: Console, options: dict[str, Any]) -> list[SpreadMeasured]:
        measured = []
        for web in options["web"]:
            for by_table in (True, False) if web > 1 else (True,):
                with Ground() as ground:
                    metrics = [free_port() for _ in range(web)]
                    ports = [
                        ground.web(
                            f"web {number}", variables={"METRICS_ADDRESS": f"127.0.0.1:{port}"}
                        )
                        for number, port in enumerate(metrics, start=1)
                    ]
                    spread = Spread(
                        processes=ground.processes,
                        ports=tuple(ports),
                        metrics=tuple(metrics),
                        by_table=by_table,
                        tables=options["tables"],
                        seconds=options["seconds"],
                        rate=options["rate"][0],
                    )
                    measured.append(ground.ask(spread, SpreadMeasured))
        report.show_spread(console, measured)
        return measured

    def _subscriptions(self, console: Console, options: dict[str, Any]) -> list[Delivered]:
        with Ground() as ground:
            port = ground.web(variables={"RATE_LIMITS": UNLIMITED})
            subscriptions = Subscriptions(
                processes=ground.processes,
                port=port,
                tables=options["tables"],
                seconds=options["seconds"],
                rate=options["rate"][0],
            )
            measured = ground.ask(subscriptions, list[Delivered])
        report.show_subscriptions(console, measured)
        return measured

    def _histories(self, console: Console, options: dict[str, Any]) -> HistoriesMeasured:
        with Ground() as ground:
            measured = ground.ask(
                Histories(processes=ground.processes, bets=options["bets"]), HistoriesMeasured
            )
        report.show_histories(console, measured)
        return measured

    def _live(self, console: Console, options: dict[str, Any]) -> list[Stage]:
        measured: list[Stage] = []
        slugs = [options["slug"]] if options["slug"] else [*catalogue()]
        in_turn = [False, True, True, False] * options["turns"]
        heads = in_turn[: 2 * options["turns"]] if options["players"] == "heads" else [False]
        for slug, has_heads in product(slugs, heads):
            with Ground() as ground:
                port = ground.web()
                ground.worker()
                live = Live(
                    processes=ground.processes,
                    port=port,
                    slug=slug,
                    stages=tuple(options["stages"]),
                    bots=options["bots"],
                    seconds=options["seconds"],
                    heads=has_heads,
                )
                measured += ground.ask(live, list[Stage])
        report.show_live(console, measured)
        return measured

    def _soak(self, console: Console, options: dict[str, Any]) -> list[Sample]:
        with Ground() as ground:
            port = ground.web(variables={"RATE_LIMITS": UNLIMITED, "LOG_LEVEL": "info"})
            ground.worker()
            soak = Soak(
                processes=ground.processes,
                port=port,
                slugs=(options["slug"],) if options["slug"] else tuple(catalogue()),
                tables=options["tables"],
                bots=options["bots"],
                minutes=options["minutes"],
            )
            measured = ground.ask(soak, list[Sample])
            for line in ground.logged("socket_dropped"):
                console.print(line)
        report.show_soak(console, measured)
        return measured

    def _races(self, console: Console, options: dict[str, Any]) -> RacesMeasured:
        with Ground() as ground:
            ground.worker()
            races = Races(
                processes=ground.processes,
                races=options["races"],
                beat_ms=options["beat_ms"],
                seconds=options["seconds"],
            )
            measured = ground.ask(races, RacesMeasured)
        report.show_races(console, measured)
        return measured

    def _idle(self, console: Console, options: dict[str, Any]) -> IdleMeasured:
        with Ground() as ground:
            port = ground.web()
            measured = ground.ask(
                Idle(processes=ground.processes, port=port, sockets=options["sockets"]),
                IdleMeasured,
            )
        report.show_idle(console, measured)
        return measured

    def _slow(self, console: Console, options: dict[str, Any]) -> SlowMeasured:
        with Ground() as ground:
            ground.web()
            ground.worker()
            slow = Slow(
                processes=ground.processes,
                games=options["slow_games"],
                seconds=options["seconds"],
            )
            measured = ground.ask(slow, SlowMeasured)
        report.show_slow(console, measured)
        return measured

    def _limits(self, console: Console, options: dict[str, Any]) -> list[Limit]:
        with Ground() as ground:
            measured = ground.ask(
                Limits(processes=ground.processes, seconds=min(options["seconds"], 5)), list[Limit]
            )
        report.show_limits(console, measured)
        return measured


def _moves(
    ground: Ground, port: int, options: dict[str, Any], players: Any = ""
) -> list[MovesMeasured]:
    moves = Moves(
        processes=ground.processes,
        port=port,
        tables=options["tables"],
        seconds=options["seconds"],
        rates=tuple(options["rate"]),
        players=players,
        pins=options["pin"],
    )
    return ground.ask(moves, list[MovesMeasured])


def _by_load(measured: Sequence[MovesMeasured]) -> Mapping[str, MovesMeasured | Load]:
    return {each.load: each for each in measured}
