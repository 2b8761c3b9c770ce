"""The followers of lobbies, of the public log, and of ended games, and the deadlines of turns.

Each step is one transaction: what it tells, and how far it read.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from games.following import ended_games, lobby_events, moves
from games.models import Follower, Lobby, Reminder
from games.store import heads
from notices import inbox
from notices.kinds import Fact

LOCK: Final = "SELECT pg_try_advisory_xact_lock(hashtext('following'))"
LOOK_AGAIN: Final = timedelta(minutes=1)
STEPS_MAX: Final = 20
"""So many batches are followed in one call."""


def follow() -> bool:
    """Tell people what happened since the last call. Return False if another process follows."""
    steps: list[Callable[[], bool]] = [_follow_lobbies, _follow_ended]
    if settings.SEALING:
        steps += [_follow_log, _remind]
    for step in steps:
        for _ in range(STEPS_MAX):
            with transaction.atomic():
                if not _is_alone():
                    return False
                if not step():
                    break
    return True


def _is_alone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(LOCK)
        (is_alone,) = cursor.fetchone()
    return bool(is_alone)


def _follow_lobbies() -> bool:
    """Return whether there may be more."""
    return _advance("lobbies", lobby_events.start, lobby_events.read)


def _follow_log() -> bool:
    return _advance("log", moves.start, moves.read)


def _advance(
    name: str, start: Callable[[], int], read: Callable[[int], tuple[int, list[Fact], bool]]
) -> bool:
    """Tell what a follower reads after its position. Return whether there may be more."""
    known = Follower.objects.filter(name=name).first()
    if known is None:
        Follower.objects.create(name=name, position=start())
        return False
    position, facts, is_full = read(known.position)
    _tell(facts)
    if position != known.position:
        Follower.objects.filter(name=name).update(position=position)
    return is_full


def _tell(facts: Sequence[Fact]) -> None:
    """Tell people facts, with the game that each lobby plays."""
    lobbies = {fact.data["lobby"] for fact in facts}
    slugs = dict(Lobby.objects.filter(id__in=lobbies).values_list("id", "slug")) if lobbies else {}
    for fact in facts:
        fact.data["slug"] = slugs.get(UUID(fact.data["lobby"]))
    inbox.tell(facts)


def _remind() -> bool:
    """Tell users of decisions that games await from them. Look again later at those who are
    connected to the table: they may go, or be gone already."""
    found = Reminder.objects.filter(at__lte=Now())
    if not found.exists():
        return False
    moves.drop_vain_reminders()
    due = list(found.select_related("game__head").order_by("at")[: moves.REMINDERS_MAX])
    facts, kept = moves.reminders(due)
    _tell(facts)
    again = [each.id for each in kept]
    Reminder.objects.filter(id__in=again).update(at=Now() + LOOK_AGAIN)
    Reminder.objects.filter(id__in=[each.id for each in due]).exclude(id__in=again).delete()
    return len(due) == moves.REMINDERS_MAX


def _follow_ended() -> bool:
    """Tell the players of games that have ended and are paid out."""
    found = heads.ended_and_untold(ended_games.GAMES_MAX)
    _tell([fact for head in found for fact in ended_games.facts_of(head)])
    heads.mark_told_here(found)
    return len(found) == ended_games.GAMES_MAX
