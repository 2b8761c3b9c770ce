"""The times of a game's rows, against the versions of its commits and the heartbeats of the log.

No hash covers a time. A commit was stored after the one before it, and between two heartbeats: one
that the log had before it sealed the version before, and one that it had after it sealed this one.
A game starts before the log says so, however late that is: its first commits are only known to be
later than what the log had before the start, or else than the id of the game, which the terms name.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

from accounts.models import Transfer
from accounts.vacations import DAYS_MAX
from games.models import Bet, Commit, Correction, Game, LogEntry, Settlement
from games.proofs.findings import Finding, unequal
from kit.partitions import made_at
from railbird_engine import AnyRules
from railbird_engine.audit.log import Entry
from railbird_engine.audit.records import NAMES
from railbird_engine.audit.replay import Replayed
from railbird_engine.kernel.chain import Kind
from railbird_engine.kernel.server_commands import Voided

SLACK: Final = timedelta(seconds=60)
"""Rows of a commit have the time of the transaction, which began before; clocks of hosts differ."""


VACATIONS: Final = timedelta(days=2 * DAYS_MAX)
"""The longest that a vacation can keep a slow game from going on: from one year into the next."""


class Row(NamedTuple):
    """The times of a commit: when it was stored, and when the clock acts next."""

    at: datetime
    next_at: datetime | None


def time_findings(
    game: Game,
    rules: AnyRules,
    replayed: Sequence[Replayed],
    entries: Sequence[tuple[int, Entry]],
) -> Iterator[Finding]:
    """Report times that do not fit."""
    rows = {
        version: Row(at, next_at)
        for version, at, next_at in Commit.objects.filter(
            game=game, version__lte=len(replayed)
        ).values_list("version", "at", "next_at")
    }
    if len(rows) != len(replayed) or not rows:
        return
    yield from _order_findings(game, rows)
    yield from _row_findings(game, rows)
    pause = VACATIONS if game.lobby.vacations else timedelta()
    yield from _alarm_findings(rules, replayed, rows, pause)
    yield from _heartbeat_findings(rows, entries, made_at(game.id))


def _order_findings(game: Game, rows: dict[int, Row]) -> Iterator[Finding]:
    if abs(rows[1].at - game.started_at) > SLACK:
        yield Finding("time of the start", rows[1].at, game.started_at)
    for version in range(2, len(rows) + 1):
        if rows[version].at < rows[version - 1].at - SLACK:
            expected = f"after {rows[version - 1].at}"
            yield Finding(f"version {version}: time", expected, rows[version].at)


def _row_findings(game: Game, rows: dict[int, Row]) -> Iterator[Finding]:
    """Compare bets, settlements, corrections and transfers with their commits."""
    placed = {}
    for number, version, at in Bet.objects.filter(game=game).values_list("number", "version", "at"):
        placed[number] = at
        yield from _near(f"time of bet {number}", rows, version, at)
    for model, what in ((Settlement, "settlement"), (Correction, "correction")):
        found = model._default_manager.filter(game=game)
        for number, version, at, placed_at in found.values_list(
            "number", "version", "at", "placed_at"
        ):
            yield from _near(f"time of {what} {number}", rows, version, at)
            if number in placed and abs(placed_at - placed[number]) > SLACK:
                what_ = f"time of the bet in {what} {number}"
                yield Finding(what_, placed[number], placed_at)
    moved = Transfer.objects.filter(cause=game.id, number__gt=0)
    for version, position, at in moved.values_list("number", "position", "at"):
        yield from _near(f"time of transfer {position} of version {version}", rows, version, at)


def _near(what: str, rows: dict[int, Row], version: int, at: datetime) -> Iterator[Finding]:
    if version in rows and abs(rows[version].at - at) > SLACK:
        yield Finding(what, rows[version].at, at)


def _alarm_findings(
    rules: AnyRules, replayed: Sequence[Replayed], rows: dict[int, Row], pause: timedelta
) -> Iterator[Finding]:
    """A clock that the rules await is due, at the latest, its delay after the commit, or after the
    longest `pause`."""
    for commit in replayed:
        at, next_at = rows[commit.version]
        alarm = rules.alarm(commit.state)
        what = f"version {commit.version}: when the clock acts next"
        is_over = isinstance(commit.command, Voided) or commit.body.ranking is not None
        if alarm is None or is_over:
            yield from unequal(what, None, next_at)
        elif (
            next_at is None
            or not at - timedelta(days=1) < next_at <= at + alarm.after + pause + SLACK
        ):
            yield Finding(what, f"{alarm.after} after {at}", next_at)


def _heartbeat_findings(
    rows: dict[int, Row], entries: Sequence[tuple[int, Entry]], opened_at: datetime
) -> Iterator[Finding]:
    if not entries or any(entry.kind is Kind.RESTORED for _, entry in entries):
        return  # Versions begin again after a restoration.
    beats = _heartbeats(entries[0][0], entries[-1][0])
    indexes = [index for index, _ in beats]
    before, after = 0, opened_at
    for (earlier, known), (index, entry) in pairwise(entries):
        if entry.kind is Kind.DIVERGED:
            return
        place = bisect(indexes, earlier)
        if place and known.kind not in {Kind.OPENED, Kind.STARTED}:
            after = beats[place - 1][1]
        place = bisect(indexes, index)
        until = beats[place][1] if place < len(beats) else None
        for version in range(before + 1, entry.version + 1):
            if version in rows:
                yield from _between(version, rows[version].at, after, until)
        before = entry.version


def _heartbeats(first: int, last: int) -> list[tuple[int, datetime]]:
    """Return the heartbeats from the last before one entry to the first after another."""
    beats = LogEntry.objects.filter(name=NAMES[Kind.HEARTBEAT])
    indexes = beats.values_list("index", flat=True)
    least = indexes.filter(index__lt=first).order_by("-index").first()
    most = indexes.filter(index__gt=last).order_by("index").first()
    if least is not None:
        beats = beats.filter(index__gte=least)
    if most is not None:
        beats = beats.filter(index__lte=most)
    return [
        (index, datetime.fromtimestamp(int.from_bytes(Entry.decode(bytes(entry)).payload), UTC))
        for index, entry in beats.order_by("index").values_list("index", "entry")
    ]


def _between(
    version: int, at: datetime, after: datetime, until: datetime | None
) -> Iterator[Finding]:
    if at < after - SLACK or (until is not None and at > until + SLACK):
        expected = f"between {after} and {until}, by the heartbeats of the log"
        yield Finding(f"version {version}: time", expected, at)
