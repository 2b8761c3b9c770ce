"""Looks of bots without a worker."""

from uuid import UUID

from django.utils import timezone

from games.models import Commit
from games.store.heads import Woken
from games.workers import bots
from kit import event_loop


def bots_look(game: UUID) -> None:
    """Let the bots of a game look once, as a worker's clock does."""
    newest = Commit.objects.filter(game=game).latest("version")
    quiet_s = (timezone.now() - newest.at).total_seconds()
    event_loop.call(bots.look([Woken(game, newest.version, quiet_s)]))
