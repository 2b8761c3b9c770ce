"""Periodic work on lobbies. Each sweep may run in several processes at the same time."""

from datetime import timedelta
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from games.engine import Seat as GameSeat
from games.lobbies.access import locked
from games.lobbies.seats import fill_with_bots, stand_up
from games.models import Lobby, LobbyRequest, Seat
from games.play import absence, corrections
from games.reads.players import SEEN
from kit import event_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

PRESENCE_KEPT_DAYS: Final = 7
REQUESTS_KEPT_DAYS: Final = 7

ABSENT_FROM_GAMES: Final = f"""
SELECT g.id, s.number, l.absence = 'forfeit'
FROM games_head h JOIN games_game g ON g.id = h.game_id JOIN games_lobby l ON l.id = g.lobby_id
JOIN games_seat s ON s.lobby_id = l.id {SEEN}
WHERE h.ended = '' AND h.stalled = '' AND l.absence <> 'wait' AND s.user_id IS NOT NULL AND NOT
  s.number = ANY(h.stand_ins)
AND NOT coalesce(p.connected, false) AND greatest(g.started_at, p.seen_at) < now() - l.absence_s *
  interval '1 s'
ORDER BY random() LIMIT %(most)s
"""  # noqa: S608  (constants)

ABSENT_FROM_LOBBIES: Final = f"""
SELECT s.lobby_id, s.id FROM games_lobby l JOIN games_seat s ON s.lobby_id = l.id {SEEN}
WHERE l.status = 'open' AND s.user_id IS NOT NULL AND NOT coalesce(p.connected, false)
AND greatest(s.taken_at, p.seen_at) < now() - %(gone_s)s * interval '1 s' AND (%(lobby)s::uuid IS
  NULL OR l.id = %(lobby)s)
ORDER BY s.lobby_id, s.number LIMIT %(most)s
"""  # noqa: S608  (constants)

ABANDONED: Final = """
SELECT g.id FROM games_head h JOIN games_game g ON g.id = h.game_id
WHERE h.ended = '' AND g.started_at < now() - %(gone_s)s * interval '1 s' AND NOT EXISTS (
    SELECT 1 FROM games_presence p WHERE p.lobby_id = g.lobby_id AND p.seen_at > now() -
      %(gone_s)s * interval '1 s'
)
LIMIT %(most)s
"""


def seat_due_bots(most: int = 50) -> int:
    """Fill the free seats of lobbies with bots when they are due. Return how many lobbies."""
    for done in range(most):
        with transaction.atomic():
            due = Lobby.objects.filter(status=Lobby.Status.OPEN, bots_due_at__lte=Now()).order_by(
                "bots_due_at"
            )
            lobby = due.select_for_update(skip_locked=True).first()
            if lobby is None:
                return done
            fill_with_bots(lobby)
    return most


def replace_absent(most: int = 50) -> int:
    """Replace absent players of running games by bots where the lobby says so. Return how many."""
    replaced = 0
    for game, seat, forfeits in _rows(ABSENT_FROM_GAMES, most=most):
        try:
            replaced += event_loop.call(absence.replace(game, GameSeat(seat), forfeits=forfeits))
        except Problem as problem:
            log.info("absent_not_replaced", game=str(game), seat=seat, code=problem.code)
    return replaced


def time_out_absent(most: int = 100) -> int:
    """Empty the seats of absent users in open lobbies and return their buy-ins. Return how many.

    The last user's departure closes the lobby.
    """
    gone = {"gone_s": settings.LOBBY_ABSENT_S, "most": most}
    timed_out = 0
    for lobby_id, _ in _rows(ABSENT_FROM_LOBBIES, lobby=None, **gone):
        with transaction.atomic():
            lobby = locked(lobby_id)
            # Asked again under the lock: the user may have returned or left meanwhile.
            absent = [seat for _, seat in _rows(ABSENT_FROM_LOBBIES, lobby=lobby_id, **gone)]
            for seat in (
                Seat.objects.filter(id__in=absent).select_related("user").order_by("-number")
            ):
                if lobby.status == Lobby.Status.OPEN:
                    stand_up(lobby, seat, "timed_out")
                    timed_out += 1
    return timed_out


def void_abandoned(most: int = 20) -> int:
    """Void games in which nobody was seen for `GAME_ABANDONED_S`, with refunds. Return how many."""
    voided = 0
    for (game,) in _rows(ABANDONED, gone_s=settings.GAME_ABANDONED_S, most=most):
        try:
            voided += event_loop.call(corrections.void(game, "abandoned"))
        except Problem as problem:
            log.warning("abandoned_not_voided", game=str(game), code=problem.code)
    return voided


def forget_presence() -> None:
    """Delete presence rows that were last renewed more than `PRESENCE_KEPT_DAYS` ago."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM games_presence WHERE seen_at < now() - %s * interval '1 day'",
            (PRESENCE_KEPT_DAYS,),
        )


def forget_requests() -> None:
    """Delete the ids of requests that opened or found a lobby `REQUESTS_KEPT_DAYS` ago: nobody
    repeats them any more."""
    old = Now() - timedelta(days=REQUESTS_KEPT_DAYS)
    LobbyRequest.objects.filter(at__lt=old).delete()


def _rows(query: str, **parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
