"""The clock: alarms, no drift, no repeated tick, and races that survive failures.

Workers, servers and the broker fail here.
"""

import asyncio
import os
import threading
import time
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from itertools import pairwise
from typing import Any
from unittest.mock import ANY
from uuid import uuid4

import msgspec
import psycopg
import pytest
from django.db import OperationalError
from structlog.testing import capture_logs

from games.models import Game, Head, Schedule
from games.play import commit, corrections, service
from games.proofs.verification import verify_game
from games.store.appending import Appends
from games.store.commits import store
from games.store.heads import NO_GAME, Claim
from games.store.rows import HeadQuery
from games.workers.clock import Clock
from kit import event_loop
from kit.database import Rows
from railbird_engine import Seat
from railbird_engine.kernel.server_commands import Paused, Ticked
from tests.builders import NewGame
from tests.processes import UNSEALED, kill, running, worker
from tests.store.runs import Append, Statements, appended
from tests.waiting import WITHIN_S, until
from tests.workers.scene import commands, legal, make_due, race, step, ticks

pytestmark = pytest.mark.xdist_group("clock")


def has_ticked(game: Game, times: int) -> bool:
    return len(ticks(game)) > times


def stands_beyond(game: Game, version: int) -> bool:
    return Head.objects.get(game=game).version > version


def test_a_due_game_is_stepped_once_and_the_next_due_time_does_not_drift(new_game: NewGame) -> None:
    game = race(new_game, roll_ms=2000)
    make_due(game, late=timedelta(milliseconds=300))
    due = Head.objects.get(game=game).due_at
    assert due is not None
    assert step() == 1
    head = Head.objects.get(game=game)
    assert head.due_at is not None
    assert (head.due_at - due) % timedelta(milliseconds=1) == timedelta(0)
    assert head.due_at > due
    assert step() == 0, "the next roll is not due yet"


def test_the_schedule_is_filled_again_after_the_database_emptied_it(new_game: NewGame) -> None:
    game = race(new_game)
    make_due(game)
    before = len(ticks(game))
    Head.objects.exclude(game=game).update(due_at=None, bots=0)
    Schedule.objects.all().delete()
    assert step() == 1
    assert len(ticks(game)) == before + 1
    make_due(game)
    Schedule.objects.filter(game=game).update(due_at=None)  # an append that did not see the row
    assert step() == 1
    assert not Schedule.objects.filter(game=NO_GAME).exists()
    step()
    assert Schedule.objects.filter(game=NO_GAME).exists(), "the next looks read one row"


def test_bets_never_delay_a_roll(new_game: NewGame) -> None:
    game = race(new_game, roll_ms=60_000)
    while not any(isinstance(c, Ticked) for c, _ in commands(game)) or not legal(game, 0):
        make_due(game)
        step()
    due = Head.objects.get(game=game).due_at
    for _ in range(4):
        command = legal(game, 0)[0]
        event_loop.call(service.play(game.id, Seat(0), msgspec.json.encode(command), uuid4()))
    assert Head.objects.get(game=game).due_at == due


def test_a_tick_for_an_outdated_alarm_is_dropped(new_game: NewGame) -> None:
    game = race(new_game)
    head = Head.objects.get(game=game)
    assert head.alarm is not None
    claim = Claim(game.id, head.version, head.alarm, 0.0)
    results = [event_loop.call(service.advance([claim])) for _ in range(3)]
    assert results == [[True], [False], [False]]
    assert ticks(game) == [head.alarm]


def test_many_clocks_step_each_alarm_once(new_game: NewGame) -> None:
    games = [race(new_game) for _ in range(5)]
    clocks = [Clock() for _ in range(4)]

    async def run_all() -> None:
        running_clocks = [asyncio.create_task(clock.run()) for clock in clocks]
        while True:
            heads = [await store().head(HeadQuery(game.id)) for game in games]
            if min(head.version for head in heads) > 30:
                break
            await asyncio.sleep(0.02)
        for clock in clocks:
            clock.stop()
        await asyncio.gather(*running_clocks)

    event_loop.call(run_all())
    for game in games:
        counted = Counter(ticks(game))
        assert set(counted.values()) == {1}
        assert sorted(counted) == list(range(min(counted), max(counted) + 1))
        assert verify_game(game.id).findings == []


def test_games_are_claimed_while_others_are_stored(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [race(new_game, roll_ms=60_000) for _ in range(2)]
    heads = [Head.objects.get(game=game) for game in games]
    monkeypatch.setattr("games.workers.clock.CLAIM_LASTS_S", 30.0)
    statements, stored, clock = Statements(monkeypatch), threading.Event(), Clock()

    async def wait(append: Append) -> Rows:
        assert await asyncio.to_thread(stored.wait, WITHIN_S)
        return await append()

    async def claim(late_s: float = 0.0) -> Sequence[Claim]:
        """Claim as always, but each of these games once, and none of other tests."""
        claims = [each for each in await claim_all(late_s) if each.game in unclaimed]
        unclaimed.difference_update(each.game for each in claims)
        return claims

    unclaimed, claim_all = {game.id for game in games}, clock.claim
    monkeypatch.setattr(clock, "claim", claim)
    statements.instead = wait
    loop = event_loop.store_loop()
    running_clock = asyncio.run_coroutine_threadsafe(clock.run(), loop)
    try:
        make_due(games[0])
        until(lambda: len(statements.sizes) > 0, "the first statement")
        make_due(games[1])
        until(lambda: not unclaimed, "the second claim")
        stored.set()
        for game, head in zip(games, heads, strict=True):
            until(partial(stands_beyond, game, head.version), "both rolls")
    finally:
        stored.set()
        loop.call_soon_threadsafe(clock.stop)
        running_clock.result(WITHIN_S)


def test_a_late_clock_commits_a_pause_and_the_game_keeps_its_phase(new_game: NewGame) -> None:
    game = race(new_game, roll_ms=5000)
    since = time.monotonic()
    make_due(game, late=timedelta(seconds=12))
    alarm = Head.objects.get(game=game).alarm
    step()
    took_ms = round((time.monotonic() - since) * 1000)
    paused, _ = commands(game)[-1]
    assert isinstance(paused, Paused)
    assert paused.alarm == alarm
    assert 12_000 <= paused.late_ms <= 12_000 + took_ms + 1
    head = Head.objects.get(game=game)
    assert head.alarm == alarm, "what was awaited is still awaited"
    assert verify_game(game.id).findings == []


def test_a_tick_that_loses_to_bets_finally_locks_the_head(new_game: NewGame) -> None:
    """Another writer moves the head during every attempt that does not lock it."""
    game = new_game(4)
    ahead = event_loop.call(service.at_head(game.id))

    async def overtaken() -> int:
        appending = store().append
        losses = 0

        async def overtake() -> None:
            nonlocal losses
            losses += 1
            decided = ahead.decide(
                Seat(1),
                msgspec.json.decode(
                    b'{"spot":%d,"type":"take_spot"}' % losses, type=ahead.rules.command_type
                ),
            )
            assert await appended([decided], appending) == [ANY]

        class Losing:
            def put(self, run: Any) -> None:
                asyncio.create_task(overtake()).add_done_callback(lambda _: appending.put(run))

            def start(self) -> None:
                pass

        store().append = Losing()  # type: ignore[assignment]
        try:
            record = await service.play(
                game.id, Seat(0), b'{"type":"take_spot","spot":60}', uuid4()
            )
        finally:
            store().append = appending
        assert record.version == losses + 2
        return losses

    assert event_loop.call(overtaken()) == commit.LOSSES_BEFORE_HOLDING


def test_a_game_whose_rules_fail_is_stalled_and_the_others_continue(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = race(new_game), race(new_game)
    table = event_loop.call(service.at_head(broken.id))
    ruleless = type("Broken", (type(table.rules),), {"tick": lambda self, turn: 1 / 0})()
    monkeypatch.setattr(table, "rules", ruleless)
    make_due(broken)
    make_due(sound)
    assert step() == 2
    until(lambda: Head.objects.get(game=broken).stalled != "", "the stalled mark")
    assert ticks(sound)
    make_due(broken)
    make_due(sound)
    assert step() == 1, "a stalled game is not claimed again"
    assert event_loop.call(corrections.void(broken.id, "its rules failed"))


def test_a_tick_that_finds_no_database_stalls_no_game(
    new_game: NewGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def out_of_connections(_appends: object, _commits: object) -> Rows:
        raise OperationalError("couldn't get a connection after 10.00 sec")

    game = race(new_game)
    make_due(game)
    with monkeypatch.context() as without, capture_logs() as logs:
        without.setattr(Appends, "send", out_of_connections)
        assert step() == 1
    reports = [line["event"] for line in logs if line.get("game") == str(game.id)]
    assert reports == ["tick_failed"]
    make_due(game)
    assert step() == 1
    assert ticks(game)


def test_races_of_a_killed_worker_continue_within_two_seconds(new_game: NewGame) -> None:
    """Two seconds on a machine that keeps up with the rolls; on a slower one, more."""
    games = [race(new_game, roll_ms=200) for _ in range(5)]
    with running(worker(UNSEALED)) as first, running(worker(UNSEALED)):
        for game in games:
            until(partial(has_ticked, game, 3), "the first rolls")
        usual = max(max(gaps_between_rolls(game)) for game in games)
        kill(first)
        counts, paused = [len(ticks(game)) for game in games], [pauses(game) for game in games]
        until(
            lambda: all(len(ticks(g)) > count for g, count in zip(games, counts, strict=True)),
            "the next rolls",
        )
        for game in games:
            until(partial(has_ticked, game, 20), "more rolls")
    assert [pauses(game) for game in games] == paused, "nobody was late enough to pause"
    for game in games:
        assert max(gaps_between_rolls(game)) < timedelta(seconds=2) * max(
            1.0, usual / timedelta(milliseconds=200)
        )
        assert verify_game(game.id).findings == []


def pauses(game: Game) -> int:
    return sum(isinstance(command, Paused) for command, _ in commands(game))


def gaps_between_rolls(game: Game) -> list[timedelta]:
    times = [at for command, at in commands(game) if isinstance(command, Ticked)]
    return [later - earlier for earlier, later in pairwise(times)]


@pytest.mark.slow
def test_races_survive_a_full_restart_and_lost_database_connections(new_game: NewGame) -> None:
    games = [race(new_game, roll_ms=100) for _ in range(3)]
    with running(worker(UNSEALED)) as only:
        for game in games:
            until(partial(has_ticked, game, 3), "the first rolls")
        kill(only)
    stood = {game.id: Head.objects.get(game=game).version for game in games}
    with running(worker(UNSEALED)):
        for game in games:
            until(partial(stands_beyond, game, stood[game.id] + 5), "the race to continue")
        url = os.environ["DATABASE_URL"]
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'gameserver-store' AND datname = "
                "current_database() AND pid <> pg_backend_pid()"
            )
        counts = [len(ticks(game)) for game in games]
        for game, count in zip(games, counts, strict=True):
            until(partial(has_ticked, game, count + 5), "rolls on new connections")
    for game in games:
        assert verify_game(game.id).findings == []


@pytest.mark.slow
def test_races_continue_without_the_broker(new_game: NewGame) -> None:
    game = race(new_game, roll_ms=100)
    nobody = {**UNSEALED, "REDIS_URL": "redis://127.0.0.1:9/0"}
    child = worker(nobody)
    child.announces = False
    child.start()
    try:
        until(lambda: len(ticks(game)) > 10, "rolls without a broker")
    finally:
        child.stop()
