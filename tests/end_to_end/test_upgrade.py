"""Processes are replaced while games run: an old and a new build beside each other."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import pytest

from bench.metronome import Metronome
from bench.seating import Seated, seat_tables
from games.models import Game, Head, OfferedRules, Schedule
from tests.end_to_end.next_rules import NextFreeSpots, NextMetronome
from tests.faults import checks
from tests.faults.cluster import Program
from tests.faults.players import Player
from tests.processes import ROOT, environment_with
from tests.store.scene import build
from tests.waiting import until

pytestmark = pytest.mark.xdist_group("clock")

OLD = "bench.free_spots bench.metronome"
NEW = f"{OLD} tests.end_to_end.next_rules"
BEAT_MS = 500


@pytest.mark.slow
def test_no_game_notices_that_every_process_is_replaced(tmp_path: Path) -> None:
    Schedule.objects.update(due_at=None, bots_due_at=None)
    asyncio.run(replace_all(tmp_path))


async def replace_all(tmp_path: Path) -> None:
    web: list[Program] = []
    old = [program(kind, f"old {kind} {n}", tmp_path, OLD) for kind in KINDS for n in range(2)]
    new = [program(kind, f"new {kind} {n}", tmp_path, NEW) for kind in KINDS for n in range(2)]
    playing: list[asyncio.Task[None]] = []
    with build(Metronome(), NextFreeSpots(), NextMetronome()):
        try:
            await asyncio.to_thread(manage, OLD, "rules", "--offer")
            for each in old:
                await begin(each, web)
            seated = await asyncio.to_thread(seat_games)
            players = [*players_of(seated, web)]
            playing += [asyncio.create_task(player.run()) for player in players]
            lacking = await asyncio.to_thread(manage, NEW, "rules", "--needed")
            assert "metronome" not in lacking.stderr
            for each in new:
                await begin(each, web)
            await asyncio.to_thread(manage, NEW, "rules", "--offer")
            later = await asyncio.to_thread(seat_games)
            players += players_of(later, web)
            playing += [asyncio.create_task(player.run()) for player in players[-8:]]
            await asyncio.to_thread(beat, [*seated, *later], 4)
            lacking = await asyncio.to_thread(manage, OLD, "rules", "--needed")
            assert "metronome 2" in lacking.stderr, "the way back is closed"
            for each in old:
                await end(each, web)
                await asyncio.to_thread(beat, [*seated, *later], 2)
            for player in players:
                player.stop()
            await asyncio.gather(*playing)
            for player in players:
                await player.leave()
        finally:
            for each in new:
                await each.stop()
            await asyncio.to_thread(OfferedRules.objects.all().delete)
        games = [table.game for table in [*seated, *later]]
        found = await asyncio.to_thread(checks.check, games, players)
        versions = await asyncio.to_thread(versions_of, games)
    assert versions == {1: 14, 2: 14}
    assert found == checks.Found([], [], [])
    refused = {sent.refused for player in players for sent in player.sent}
    assert refused <= {"", "spot_taken"}, "the rules refused them, and nothing else did"
    assert all(sent.accepted or sent.refused for player in players for sent in player.sent)


KINDS = ("web", "worker")


def program(kind: str, name: str, folder: Path, rules: str) -> Program:
    return Program(
        name, [f"gameserver.processes.{kind}"], folder, EXTRA_RULES=rules, STANDBY_CLOCK="0"
    )


async def begin(each: Program, web: list[Program]) -> None:
    await each.start(None, listens="web" in each.name)
    await each.ready()
    if each.front is not None:
        web.append(each)


async def end(each: Program, web: list[Program]) -> None:
    """Stop a process as a proxy sees it: it gets no more connections, then it ends."""
    if each in web:
        web.remove(each)
    await each.stop()


def manage(rules: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the build that has these rules."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment_with({"EXTRA_RULES": rules}),
        capture_output=True,
        text=True,
        check=False,
    )


def seat_games() -> list[Seated]:
    """Start ten games of the clock, and four of players.

    Each has its own transaction: the clock cannot step a game before its start is committed.
    """
    tables = [(1, "metronome", {"beat_ms": BEAT_MS})] * 10 + [(2, "free_spots", {})] * 4
    return [seat_tables([size], slug, options)[0] for size, slug, options in tables]


def players_of(seated: Sequence[Seated], web: list[Program]) -> list[Player]:
    return [
        Player(table.game, "free_spots", seat, token, web, seat)
        for table in seated
        if len(table.tokens) > 1
        for seat, token in enumerate(table.tokens)
    ]


def beat(seated: Sequence[Seated], times: int) -> None:
    """Wait until every game of the clock has ticked so often."""
    heads = Head.objects.filter(game__in=[table.game for table in seated], game__slug="metronome")
    stood = dict(heads.values_list("game_id", "version"))

    def have_beaten() -> bool:
        return all(
            now >= stood[game] + times for game, now in heads.values_list("game_id", "version")
        )

    until(have_beaten, "all clocks to tick")


def versions_of(games: Sequence[UUID]) -> dict[int, int]:
    found = Game.objects.filter(id__in=games).values_list("rules_version", flat=True)
    return {version: list(found).count(version) for version in set(found)}
