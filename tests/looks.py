"""Looks of bots without a worker."""

from uuid import UUID

from games.models import Head
from games.store.heads import Woken
from games.workers.bots import Bots
from kit import event_loop


def woken(game: UUID) -> Woken:
    """Return a game at its head."""
    return Woken(game, Head.objects.get(game=game).version)


def bots_look(game: UUID) -> None:
    """Let the bots of a game look once, and act at once."""
    event_loop.call(Bots(delay_percent=0).look([woken(game)]))
