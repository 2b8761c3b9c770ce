"""Bots look at their games and play, inside the worker that steps the games."""

import asyncio
import secrets
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from uuid import uuid4

import msgspec
import structlog

from games.engine import AnyRules, Seat, SeededChance, State
from games.engine.playout import ask_bot
from games.play import commit, service
from games.store.heads import Woken
from kit import metrics
from kit.problems import Problem

log = structlog.get_logger(__name__)

THINKING: Final = ThreadPoolExecutor(1, thread_name_prefix="bots")
"""Where bots think: in one thread, so that the clock waits for at most one of them."""


async def look(woken: Woken) -> None:
    """Let the bots of a game look once each; the first that has a move plays it.

    A move that comes too late is refused, which changes nothing: the bots look again after the
    commit that was faster. Runs on the store loop."""
    try:
        loaded = await commit.load(woken.game)
        await commit.catch_up(loaded, woken.version)
        if loaded.ended or loaded.state is None:
            return
        quiet_s = woken.quiet_s if loaded.version == woken.version else 0.0
        seats = frozenset(loaded.bot_seats)
        move = await asyncio.get_running_loop().run_in_executor(
            THINKING, _choose, loaded.rules, loaded.state, seats, quiet_s
        )
        if move is not None:
            await service.play(woken.game, *move, uuid4(), by_bot=True)
    except Problem as problem:
        log.info("bot_refused", game=str(woken.game), code=problem.code)
    except Exception:
        log.exception("bot_failed", game=str(woken.game))


def _choose(
    rules: AnyRules, state: State, seats: Collection[int], quiet_s: float
) -> tuple[Seat, bytes] | None:
    """Return the seat and the command of the first bot that has a move, in random order."""
    chance = SeededChance(secrets.token_bytes(32))
    for seat in map(Seat, chance.shuffled(sorted(seats))):
        if rules.bot_pause(state, seat).total_seconds() > quiet_s:
            continue
        with metrics.BOT_SECONDS.labels(rules.slug).time():
            command = ask_bot(rules, state, seat, chance, seats)
        if command is not None:
            return seat, msgspec.json.encode(command)
    return None
