"""Bots look at their games and play, inside the worker that steps the games."""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import structlog
from uuid_utils.compat import uuid4

from games.play import commit, service
from games.store.heads import Woken
from kit import metrics
from kit.problems import Problem
from railbird_engine import AnyRules, Seat, State
from railbird_engine.kernel.playout import Whims, ask_bot

log = structlog.get_logger(__name__)

THINKING: Final = ThreadPoolExecutor(1, thread_name_prefix="bots")
"""Where bots think: in one thread, so that the clock waits for at most one of them."""

THINK_S: Final = 0.02
"""How long the thread thinks before the moves that it found are played."""


class Table(NamedTuple):
    """A game as its bots see it: an immutable state, and how long nothing was committed."""

    game: UUID
    rules: AnyRules
    state: State
    seats: frozenset[int]
    quiet_s: float


class Move(NamedTuple):
    """The command of a bot."""

    game: UUID
    seat: Seat
    command: bytes


async def look(woken: Sequence[Woken]) -> None:
    """Let the bots of these games look once each; the first of a game that has a move plays it.

    Games share statements and calls of the thread, so they cost little more together than alone. A
    move that comes too late is refused, which changes nothing: the bots look again after the
    commit that was faster. Runs on the store loop."""
    found = await asyncio.gather(*(_table(each) for each in woken))
    waiting = deque(table for table in found if table is not None)
    loop = asyncio.get_running_loop()
    async with asyncio.TaskGroup() as playing:
        while waiting:
            for move in await loop.run_in_executor(THINKING, _think, waiting):
                playing.create_task(_play(move))


async def _table(woken: Woken) -> Table | None:
    """Return a game at its head, or None if its bots have nothing to do."""
    async with _surviving(woken.game):
        loaded = await commit.load(woken.game)
        await commit.catch_up(loaded, woken.version)
        if not loaded.ended and loaded.state is not None:
            quiet_s = woken.quiet_s if loaded.version == woken.version else 0.0
            seats = frozenset(loaded.bot_seats)
            return Table(woken.game, loaded.rules, loaded.state, seats, quiet_s)
    return None


async def _play(move: Move) -> None:
    async with _surviving(move.game):
        await service.play(move.game, move.seat, move.command, uuid4(), by_bot=True)


@asynccontextmanager
async def _surviving(game: UUID) -> AsyncIterator[None]:
    """Log what one game raises, so that it does not affect the others."""
    try:
        yield
    except Problem as problem:
        log.info("bot_refused", game=str(game), code=problem.code)
    except Exception:
        log.exception("bot_failed", game=str(game))


def _think(waiting: deque[Table]) -> list[Move]:
    """Take tables until `THINK_S` has passed, and return the moves of their bots."""
    moves: list[Move] = []
    chance = Whims(secrets.token_bytes(32))
    until = time.monotonic() + THINK_S
    while waiting and time.monotonic() < until:
        table = waiting.popleft()
        try:
            move = _choose(table, chance)
        except Exception:
            log.exception("bot_failed", game=str(table.game))
        else:
            moves += () if move is None else (move,)
    return moves


def _choose(table: Table, chance: Whims) -> Move | None:
    """Return the command of the first bot of a game that has one, in random order."""
    for seat in map(Seat, chance.shuffled(sorted(table.seats))):
        if table.rules.bot_pause(table.state, seat).total_seconds() > table.quiet_s:
            continue
        with metrics.BOT_SECONDS.labels(table.rules.slug).time():
            command = ask_bot(table.rules, table.state, seat, chance, table.seats)
        if command is not None:
            return Move(table.game, seat, msgspec.json.encode(command))
    return None
