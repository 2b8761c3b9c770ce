"""Print the results of an experiment as tables."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from rich.console import Console
from rich.table import Table

from bench.histories import HistoriesMeasured
from bench.idle import IdleMeasured
from bench.limits import Limit
from bench.live import Stage
from bench.load import Loaded
from bench.moves import MovesMeasured
from bench.peer import Compared
from bench.races import RacesMeasured
from bench.slow import SlowMeasured
from bench.soak import Sample
from bench.spread import SpreadMeasured
from bench.subscriptions import Delivered

GENERATOR_CORES_MAX: Final = 0.8
"""Above this use of its core, the load generator itself delays what it measures."""


def show_moves(console: Console, measured: Sequence[MovesMeasured]) -> None:
    first = measured[0]
    table = _table(
        f"Moves: {first.tables} tables, {first.players} players, one web process", "load"
    )
    for heading in ("moves/s", "deliveries/s", "p50 ms", "p99 ms", "max ms", "refused", "lost"):
        table.add_column(heading, justify="right")
    for each in measured:
        figures = (
            f"{each.moves_per_s:,.0f}",
            f"{each.deliveries_per_s:,.0f}",
            each.p50_ms,
            each.p99_ms,
            each.max_ms,
        )
        table.add_row(
            each.load, *map(str, figures), str(each.refused), str(each.unanswered + each.lost)
        )
    console.print(table)
    _show_cores(console, {each.load: each.cores for each in measured})


def show_compared(console: Console, measured: Sequence[Compared]) -> None:
    first = measured[0].ours[0]
    table = _table(
        f"Moves in turns with a peer: {first.tables} tables, {first.players} players, "
        f"{len(measured[0].ours)} turns",
        "load",
    )
    for heading in ("moves/s", "peer", "ratio", "p50 ms", "peer", "ratio", "CPU a move"):
        table.add_column(heading, justify="right")
    for each in measured:
        rows = [*zip(each.ours, each.peers, strict=True)]
        table.add_row(
            each.load,
            " ".join(f"{ours.moves_per_s:,.0f}" for ours, _ in rows),
            " ".join(f"{peer.moves_per_s:,.0f}" for _, peer in rows),
            f"{each.moves_ratio:.2f}",
            " ".join(str(ours.p50_ms) for ours, _ in rows),
            " ".join(str(peer.p50_ms) for _, peer in rows),
            f"{each.p50_ratio:.2f}",
            "" if each.cpu_ratio is None else f"{each.cpu_ratio:.2f}",
        )
    console.print(table)


def show_spread(console: Console, measured: Sequence[SpreadMeasured]) -> None:
    first = measured[0]
    players = f"{first.saturation.tables} tables, {first.saturation.players} players"
    table = _table(f"Moves on several web processes: {players}", "web processes")
    for heading in ("a table's players", "moves/s", "appends lost", first.steady.load, "p99 ms"):
        table.add_column(heading, justify="right")
    for each in measured:
        table.add_row(
            str(each.web),
            "on one" if each.by_table else "on any",
            f"{each.saturation.moves_per_s:,.0f}",
            f"{each.lost_share:.1%}",
            f"p50 {each.steady.p50_ms} ms",
            str(each.steady.p99_ms),
        )
    console.print(table)


def show_subscriptions(console: Console, measured: Sequence[Delivered]) -> None:
    table = _table("Processor time of the web process per delivered commit", "protocol")
    for heading in ("deliveries/s", "all of it", "more than without followers"):
        table.add_column(heading, justify="right")
    for each in measured:
        rate = f"{each.deliveries_per_s:,.0f}"
        table.add_row(each.protocol, rate, f"{each.us} µs", f"{each.more_us} µs")
    console.print(table)


def show_histories(console: Console, measured: HistoriesMeasured) -> None:
    table = _table(
        f"Histories: {measured.bets:,} bets, filled in {measured.filled_s:,.0f} s",
        "query",
    )
    for heading in ("first page ms", "deep page ms"):
        table.add_column(heading, justify="right")
    for look in measured.looks:
        table.add_row(
            look.what,
            f"{look.first_ms:,.2f}",
            "" if look.deep_ms is None else f"{look.deep_ms:,.2f}",
        )
    console.print(table)
    table = _table("Exports of all bets", "format")
    for heading in ("rows/s", "MB", "memory grown by MB"):
        table.add_column(heading, justify="right")
    for each in measured.exports:
        table.add_row(
            each.form, f"{each.rows_per_s:,.0f}", f"{each.megabytes:,.1f}", f"{each.grown_mb:,.1f}"
        )
    console.print(table)
    console.print(
        f"The slowest page, {measured.slowest}:\n{measured.plan}", markup=False, highlight=False
    )


def show_races(console: Console, measured: RacesMeasured) -> None:
    table = _table(f"Races: one roll every {measured.beat_ms} ms, one worker process", "races")
    for heading in ("rolls/s", "late p50 ms", "late p99 ms", "late max ms"):
        table.add_column(heading, justify="right")
    figures = (f"{measured.rolls_per_s:,.0f}", measured.p50_ms, measured.p99_ms, measured.max_ms)
    table.add_row(f"{measured.races:,}", *map(str, figures))
    console.print(table)
    _show_cores(console, {f"{measured.races:,}": measured.cores})


def show_live(console: Console, measured: Sequence[Stage]) -> None:
    table = _table("Live tables: one person and bots each", "game, tables")
    for heading in (
        *("commits/s", "late p50 ms", "late p99 ms", "ack p50 ms", "ack p99 ms"),
        *("server cores", "CPU ms a commit"),
    ):
        table.add_column(heading, justify="right")
    for stage in measured:
        table.add_row(
            stage.title,
            f"{stage.commits_per_s:,.0f}",
            *(str(stage.late_p50_ms), str(stage.late_p99_ms)),
            *(str(stage.acknowledged_p50_ms), str(stage.acknowledged_p99_ms)),
            *(str(stage.server_cores), str(stage.cpu_ms)),
        )
    console.print(table)
    cost_ms: dict[bool, list[float]] = {True: [], False: []}
    for stage in measured:
        cost_ms[stage.heads].append(stage.cpu_ms)
    if cost_ms[True]:
        ratio = median(cost_ms[True]) / median(cost_ms[False])
        console.print(f"With signed heads, a commit takes {ratio:.2f} times as much CPU (medians)")
    _show_cores(console, {stage.title: stage.cores for stage in measured})
    sizes = _table("Bytes a commit", "game, tables")
    for name in measured[0].bytes_a_commit:
        sizes.add_column(name, justify="right")
    for stage in measured:
        sizes.add_row(stage.title, *(f"{size:,}" for size in stage.bytes_a_commit.values()))
    console.print(sizes)


def show_soak(console: Console, measured: Sequence[Sample]) -> None:
    table = _table("Soak: games with one person and bots, one after the other", "minute")
    names = list(measured[0].memory_mb)
    for heading in (*(f"{name} MB" for name in names), *measured[0].files):
        table.add_column(heading, justify="right")
    for heading in ("backends", "commits", "games ended", "sockets lost"):
        table.add_column(heading, justify="right")
    for each in measured:
        table.add_row(
            f"{each.minute:.1f}",
            *(f"{each.memory_mb[name]:.1f}" for name in names),
            *(str(count) for count in each.files.values()),
            *(f"{n:,}" for n in (each.backends, each.commits, each.ended, each.lost)),
        )
    console.print(table)


def show_load(console: Console, url: str, loaded: Loaded) -> None:
    table = _table(f"Load on {url}: one person and bots at each table", "tables")
    for heading in (
        *("commits/s", "late p50 ms", "late p99 ms", "ack p50 ms", "ack p99 ms"),
        *("accepted", "refused", "ended", "lost"),
    ):
        table.add_column(heading, justify="right")
    for stage in loaded.stages:
        table.add_row(
            f"{stage.tables:,}",
            f"{stage.commits_per_s:,.0f}",
            *(str(stage.late_p50_ms), str(stage.late_p99_ms)),
            *(str(stage.acknowledged_p50_ms), str(stage.acknowledged_p99_ms)),
            *(f"{stage.accepted:,}", f"{sum(stage.refused.values()):,}"),
            *(f"{stage.ended:,}", f"{stage.lost:,}"),
        )
    console.print(table)
    sampled = [stage for stage in loaded.stages if stage.accepted]
    held = [stage.tables for stage in sampled if not stage.is_too_slow and not stage.lost]
    if not sampled:
        console.print("No command was accepted, so this says nothing about the server.")
    else:
        console.print(f"Most tables held: {max(held):,}." if held else "No stage was held.")
    if loaded.stopped:
        console.print(f"Stopped: {loaded.stopped}")
    for name, times in loaded.rate_limited.items():
        console.print(f"The rate limit {name} made the load wait {times:,} times.")
    if any(stage.generator_cores > GENERATOR_CORES_MAX for stage in loaded.stages):
        console.print("The load generator was busy: its figures are worse than the server's.")


def show_slow(console: Console, measured: SlowMeasured) -> None:
    """Print what idle slow games cost."""
    console.print(
        f"{measured.games} idle slow games add {100 * measured.added_cores:.2f} % of a core; "
        f"{measured.transactions_without} transactions/s without them, "
        f"{measured.transactions_with} with them"
    )
    console.print(f"cores without: {measured.cores_without}")
    console.print(f"cores with:    {measured.cores_with}")


def show_idle(console: Console, measured: IdleMeasured) -> None:
    table = _table("Idle: subscribed sockets of one web process", "sockets")
    for heading in ("MB before", "MB after", "MB per 1,000 sockets"):
        table.add_column(heading, justify="right")
    figures = (measured.before_mb, measured.after_mb, measured.mb_per_1000)
    table.add_row(f"{measured.sockets:,}", *(f"{figure:,.1f}" for figure in figures))
    console.print(table)


def show_limits(console: Console, limits: Sequence[Limit]) -> None:
    table = _table("Limits of PostgreSQL and Valkey, same machine, same run", "operation")
    table.add_column("per second", justify="right")
    for limit in limits:
        table.add_row(limit.what, f"{limit.per_s:,.0f}")
    console.print(table)


def _table(title: str, first: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first, no_wrap=True)
    return table


def _show_cores(console: Console, cores: Mapping[str, Mapping[str, float]]) -> None:
    """Print processor time by load and process; `others` is the rest of the machine."""
    table = _table("Cores in use", "")
    for name in next(iter(cores.values())):
        table.add_column(name, justify="right")
    for load, used in cores.items():
        table.add_row(load, *(f"{figure:.2f}" for figure in used.values()))
    console.print(table)
