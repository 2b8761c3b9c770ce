"""Celery tasks of bots: idempotent, given ids, and queued again by the clock if one was lost."""

import secrets
from collections.abc import Sequence
from concurrent.futures import TimeoutError as CallTimeoutError
from typing import Any
from uuid import UUID, uuid4

import msgspec
import structlog
from celery import shared_task
from django.db.models.functions import Now
from kombu.exceptions import OperationalError

from games.engine import Chance, Seat, SeededChance
from games.engine.playout import ask_bot
from games.models import Commit
from games.play import service
from games.store.loaded_games import LoadedGame
from kit import event_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

EXPIRES_S = 5
"""Seconds after which the next task has overtaken this one."""


def wake_bots(games: Sequence[UUID]) -> None:
    """Queue a task for the bots of these games.

    Without a broker the bots miss a turn; the clock wakes them again.
    """
    try:
        play_bots.apply_async(
            ([str(game) for game in games],), retry=False, expires=EXPIRES_S, ignore_result=True
        )
    except OperationalError as error:
        log.warning("bots_not_woken", games=len(games), error=str(error))


@shared_task(name="games.play_bots")
def play_bots(games: Sequence[str]) -> None:
    """Let the bots of these games look once each; the first that has a move plays it."""
    for game in games:
        try:
            _play_one(UUID(game))
        except (Problem, CallTimeoutError) as error:
            log.info("bot_refused", game=game, code=getattr(error, "code", "busy"))


def _play_one(game: UUID) -> None:
    loaded = event_loop.call(service.at_head(game))
    chance = SeededChance(secrets.token_bytes(32))
    for seat in chance.shuffled(sorted(loaded.bot_seats)):
        if _is_pausing(loaded, Seat(seat)):
            continue
        command = _wish(loaded, Seat(seat), chance)
        if command is not None:
            event_loop.call(
                service.play(game, Seat(seat), msgspec.json.encode(command), uuid4(), by_bot=True)
            )
            return


def _is_pausing(loaded: LoadedGame, seat: Seat) -> bool:
    """Whether a bot in this seat has to wait longer after the newest commit."""
    if loaded.ended or loaded.state is None:
        return False
    pause = loaded.rules.bot_pause(loaded.state, seat)
    return (
        bool(pause)
        and Commit.objects.filter(
            game=loaded.game, version=loaded.version, at__gt=Now() - pause
        ).exists()
    )


def _wish(loaded: LoadedGame, seat: Seat, chance: Chance) -> Any:  # a command of any game
    """Return the command of the bot in this seat. It runs in this thread, on an immutable state."""
    state = loaded.state
    if loaded.ended or state is None:
        return None
    return ask_bot(loaded.rules, state, seat, chance, loaded.bot_seats)
