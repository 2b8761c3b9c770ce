"""Measure everything that the table of README.md shows, on one machine and for one commit.

Run `python -m bench.table` on a quiet machine: it takes some 20 minutes. It appends the raw results
to a file in `bench/results/` and writes the table. It needs the packages for development, and the
Chromium of the browser tests.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

import msgspec
import psutil

from bench import pages, results
from bench.ground import ROOT, Ground
from gameserver.settings import build
from railbird_engine.rules import example_game

RESULTS: Final = ROOT / "bench" / "results"
README: Final = ROOT / "bench" / "README.md"
TABLE: Final = re.compile(r"\| measurement \| result .*?\n\n", re.DOTALL)
VERIFIED: Final = re.compile(r"^(\w+): [\d,]+ commits, ([\d,]+) a second", re.MULTILINE)
STARTS: Final = 5
FULL: Final[Mapping[str, Mapping[str, int]]] = {
    "moves": {"seconds": 8},
    "races": {"races": 10_000, "seconds": 20},
    "live": {"stages": 1500, "seconds": 60},
    "idle": {"sockets": 1000},
}
QUICK: Final[Mapping[str, Mapping[str, int]]] = {
    "moves": {"seconds": 1, "tables": 2},
    "races": {"races": 20, "seconds": 1},
    "live": {"stages": 1, "seconds": 1},
    "idle": {"sockets": 20},
}


def main() -> None:
    parser = argparse.ArgumentParser("python -m bench.table", description=__doc__)
    parser.add_argument("--peer", help="measure moves in turns with another server (see peer.py)")
    parser.add_argument("--turns", type=int, default=11, help="with --peer (default: 11)")
    parser.add_argument("--quick", action="store_true", help="small loads; change nothing here")
    asked = parser.parse_args()
    sizes = QUICK if asked.quick else FULL
    folder = Path(mkdtemp()) if asked.quick else RESULTS
    peer = ["--peer", asked.peer, "--turns", str(asked.turns)] if asked.peer else []
    more = {"moves": ["--rate", "200", "570", *peer], "live": ["--slug", example_game().slug]}
    found = {
        name: measured(
            folder, name, *more.get(name, ()), *(f"--{key}={size}" for key, size in of.items())
        )
        for name, of in sizes.items()
    }
    found |= {"verification": verified_per_s(10 if asked.quick else 200)}
    found |= {"start": starts_cpu_s(), "pages": pages_measured()}
    for name in ("verification", "start", "pages"):
        results.add(folder, name, vars(asked), found[name])
    table = f"{written(found)}\n\n"
    if not asked.quick:
        README.write_text(TABLE.sub(lambda _: table, README.read_text(), count=1))
    sys.stdout.write(table)


def measured(folder: Path, experiment: str, *arguments: str) -> Any:
    """Run an experiment in a process of its own, and return what it noted."""
    command = [sys.executable, "manage.py", "bench", experiment, *arguments]
    subprocess.run([*command, "--json", str(folder)], cwd=ROOT, check=True)  # noqa: S603 -- ours
    newest = max(folder.glob("*.jsonl"), key=os.path.getmtime)
    lines = [msgspec.json.decode(line) for line in newest.read_bytes().splitlines()]
    return next(line for line in reversed(lines) if line["experiment"] == experiment)["measured"]


def verified_per_s(games: int) -> dict[str, int]:
    """Verify honest games offline, on one core. Return the commits a second by game."""
    command = [sys.executable, "-m", "tests.audit.honest", "--games", str(games)]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 -- ours
    return {slug: int(rate.replace(",", "")) for slug, rate in VERIFIED.findall(done.stdout)}


def starts_cpu_s() -> list[float]:
    """The processor time of starts of a web process, until it is ready."""
    with Ground() as ground:
        times = []
        for number in range(STARTS):
            ground.web(f"web {number}")
            used = psutil.Process(ground.processes[f"web {number}"]).cpu_times()
            times.append(round(used.user + used.system, 2))
        return times


def pages_measured() -> pages.PagesMeasured:
    with Ground() as ground:
        port = ground.web()
        ground.worker()
        return pages.measure(f"http://127.0.0.1:{port}")


def written(found: Mapping[str, Any]) -> str:
    """The table of README.md."""
    saturation, slow, fast = found["moves"]
    peer = "ours" in saturation
    ratio = f", {saturation['moves_ratio']} times as many as the peer" if peer else ""
    p50s = ", ".join(
        f"{load['load']}: p50 {_last(load)['p50_ms']} ms"
        + (f" ({load['p50_ratio']} of the peer's)" if peer else f", p99 {load['p99_ms']} ms")
        for load in (slow, fast)
    )
    races, stage, rates = found["races"], found["live"][-1], found["verification"]
    web = found["pages"]
    rows = (
        (
            "accepted, durable, ledgered moves/s: 50 tables, one web process",
            f"{_last(saturation)['moves_per_s']:,.0f}{ratio}",
        ),
        ("from sending a move to its acknowledgement", p50s),
        (
            f"{races['races']:,} races, one roll a second, one worker: lateness",
            f"p50 {races['p50_ms']} ms, p99 {races['p99_ms']} ms",
        ),
        (
            f"{stage['tables']:,} live tables of {example_game().title['en']}, "
            "one person and three bots each",
            f"{stage['commits_per_s']:,.0f} commits/s; rolls late p99 {stage['late_p99_ms']} ms; "
            f"acknowledgements p99 {stage['acknowledged_p99_ms']} ms; "
            f"{stage['cpu_ms']} ms of CPU a commit",
        ),
        ("memory per 1,000 idle, subscribed sockets", f"{found['idle']['mb_per_1000']} MB"),
        (
            "offline verification, one core, commits/s",
            ", ".join(f"{slug} {rate:,}" for slug, rate in rates.items()),
        ),
        (
            "start of a web process, until it is ready",
            f"{min(found['start'])} to {max(found['start'])} s of processor time",
        ),
        (
            "first paint of a race's table; frames of the race",
            f"p50 {web.table_paint_ms:.0f} ms; {web.frames_per_s:.1f} frames/s",
        ),
    )
    title = f"result (commit `{build.commit()[:8]}`, {datetime.now(UTC):%d %B %Y})"
    return "\n".join(
        [f"| measurement | {title} |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)]
    )


def _last(load: Mapping[str, Any]) -> Mapping[str, Any]:
    """This server's figures of a load: of its last turn, if there were several."""
    last: Mapping[str, Any] = load["ours"][-1] if "ours" in load else load
    return last


if __name__ == "__main__":
    main()
