"""Overload bends: accepted commands are answered soon, and the others may come back."""

import asyncio
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import psutil
import psycopg
import pytest

from bench.seating import seat_tables
from games.play.places import RETRY_AFTER_MAX_S
from games.store.connections import conninfo
from gameserver.processes.children import Child
from tests.faults.overload import Answered, Order, Seat, percentile
from tests.faults.rounds import RACE, TICKS
from tests.processes import ROOT, running, web_process, worker

STOP_MAX_S: Final = 0.1
TIMES_CAPACITY: Final = 4
CALM_S: Final = 4.0
LOAD_S: Final = 15.0
ACCEPTED_WITHIN_S: Final = 2.0
UNLIMITED: Final = {"RATE_LIMITS": "address=0/60 user=0/60 token=0/60", "STANDBY_CLOCK": "1"}


@contextmanager
def slowed(*children: Child) -> Iterator[None]:
    """Stop these processes again and again, each time for at most `STOP_MAX_S`."""
    ended = threading.Event()
    pids = [child.pid for child in children if child.pid is not None]

    def slow() -> None:
        while not ended.is_set():
            for number, wait_s in ((signal.SIGSTOP, STOP_MAX_S), (signal.SIGCONT, 2 * STOP_MAX_S)):
                for pid in pids:
                    os.kill(pid, number)
                time.sleep(random.uniform(0.2, 1.0) * wait_s)

    thread = threading.Thread(target=slow)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def running_below(child: Child) -> set[int]:
    """Return the processes of a worker: itself, and its sealer."""
    assert child.pid is not None
    process = psutil.Process(child.pid)
    return {child.pid, *(each.pid for each in process.children(recursive=True))}


async def load(order: Order) -> Answered:
    """Let a process of its own carry out an order."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.overload"),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate(msgspec.json.encode(order))
    return msgspec.json.decode(out, type=Answered)


@pytest.mark.slow
async def test_four_times_the_capacity_bends_the_server(tmp_path: Path) -> None:
    tables = await asyncio.to_thread(seat_tables, [4] * 16, "free_spots")
    races = await asyncio.to_thread(seat_tables, [2] * 4, "ready_set_bet", RACE)
    seats = [Seat(str(table.game), token) for table in tables for token in table.tokens]
    with web_process(UNLIMITED) as (web, address), running(worker()) as clock:
        port = int(address.rpartition(":")[2])
        for child in (web, clock):
            assert child.pid is not None
            os.sched_setaffinity(child.pid, {min(os.sched_getaffinity(0))})
        with slowed(web, clock):
            calm = await load(Order(port=port, seats=seats, seconds=CALM_S, clients=8))
            rate = TIMES_CAPACITY * len(calm.decided) / CALM_S
            before = running_below(clock)
            began = time.time()
            found = await load(Order(port=port, seats=seats, seconds=LOAD_S, rate=rate))
        ended = time.time()
        # All is well again: nobody waits, and nothing was started in between.
        after = await load(Order(port=port, seats=seats, seconds=CALM_S, clients=2))
        assert running_below(clock) == before
    assert percentile(found.decided, 0.99) < ACCEPTED_WITHIN_S, found
    assert len(found.decided) > rate / TIMES_CAPACITY * LOAD_S / 2, "it still works"
    assert len(set(found.waits)) > 1
    assert max(found.waits) <= RETRY_AFTER_MAX_S
    assert set(found.repeated) == {"201 ok"}
    assert found.probes
    assert [found.failed, after.failed, after.shed] == [{}, {}, []]
    assert percentile(after.decided, 0.99) < 1.0, after
    async with await psycopg.AsyncConnection.connect(conninfo(), autocommit=True) as observer:
        rows = await observer.execute(TICKS, ([each.game for each in races],))
        late = [at - due for due, at in await rows.fetchall() if began < at < ended]
    assert len(late) > LOAD_S
    assert max(late) < 1.0
