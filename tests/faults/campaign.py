"""Many rounds: run the missing ones, and print a table of all."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

from gameserver.processes.children import Child
from tests.faults import rounds
from tests.faults.cluster import Cluster
from tests.faults.rounds import Round, Struck

PROCESS_PER_ROUND: Final = 12
CONNECTION_PER_ROUND: Final = 8


async def run(arguments: argparse.Namespace, folder: Path, servers: Sequence[Child]) -> bool:
    """Run rounds until the results hold the requested number of faults. Return whether no round
    found an error."""
    results: Path = arguments.results
    results.parent.mkdir(parents=True, exist_ok=True)
    cluster = Cluster(folder, web=arguments.web, workers=arguments.workers, servers=servers)
    await cluster.start()
    try:
        while True:
            finished = rounds.read(results)
            seed = max((each.seed for each in finished), default=0) + 1
            if arguments.seed is not None:
                seed, arguments.seed = arguments.seed, None
            kinds = arguments.kinds or _missing(arguments, finished, seed)
            if not kinds:
                break
            played = await rounds.play_round(cluster, seed, kinds, tables=arguments.tables)
            rounds.append(results, played)
            for finding in played.findings:
                print(f"seed {seed}: {finding}", file=sys.stderr, flush=True)
            if arguments.kinds:
                break
    finally:
        await cluster.stop()
    finished = rounds.read(results)
    print(table(finished))
    return not any(each.findings for each in finished)


def _missing(arguments: argparse.Namespace, finished: Sequence[Round], seed: int) -> list[str]:
    struck = [line for each in finished for line in each.struck]
    process = sum(line.faults for line in struck if not line.of_connections)
    connection = sum(line.faults for line in struck if line.of_connections)
    return rounds.schedule(
        seed,
        process=min(PROCESS_PER_ROUND, max(0, arguments.process - process)),
        connection=CONNECTION_PER_ROUND if connection < arguments.connection else 0,
        servers=True,
    )


def table(finished: Sequence[Round]) -> str:
    """Return the kinds of faults with their counts, losses and times of recovery.

    `hit` counts the processes or connections that the injections affected. `starts` is the
    longest part of a recovery in which processes had to start first. `late` is the longest time
    that a game waited for a tick that was due.
    """
    struck = [line for each in finished for line in each.struck]
    lines = [
        "| fault | injections | hit | lost | doubled | recovery p50 ms | max ms | starts max ms"
        " | late max ms |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for of_connections in (False, True):
        of_these = [line for line in struck if line.of_connections is of_connections]
        lines += [
            _row(kind, [line for line in of_these if line.kind == kind])
            for kind in sorted({line.kind for line in of_these})
        ]
        if of_these:
            lines.append(
                _row(f"all of {'connections' if of_connections else 'processes'}", of_these)
            )
    accepted, refused = (
        sum(each.accepted for each in finished),
        sum(each.refused for each in finished),
    )
    findings = sum(len(each.findings) for each in finished)
    loads = sorted(each.load for each in finished) or [0.0]
    by_web = Counter(each.web for each in finished)
    lines.append(
        f"\n{len(finished)} rounds"
        f" ({', '.join(f'{by_web[web]} on {web} web' for web in sorted(by_web))}),"
        f" {sum(each.games for each in finished)} games, {accepted}"
        f" accepted and {refused} refused commands,"
        f" {sum(each.commits for each in finished)} commits, up to"
        f" {max((each.together for each in finished), default=0)} of a game in one statement,"
        f" {findings} findings;"
        f" load of the machine {loads[0]:.1f} to {loads[-1]:.1f}."
    )
    return "\n".join(lines)


def _row(name: str, struck: Sequence[Struck]) -> str:
    times = [line.recovery_ms for line in struck]
    late = max((line.late_ms for line in struck if line.late_ms is not None), default="")
    faults, lost, doubled = (
        sum(line.faults for line in struck),
        sum(line.lost for line in struck),
        sum(line.doubled for line in struck),
    )
    return (
        f"| {name} | {len(struck)} | {faults} | {lost} | {doubled} | {median(times):.0f}"
        f" | {max(times)} | {max(line.starting_ms for line in struck)} | {late} |"
    )
