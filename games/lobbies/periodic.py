"""Periodic work on lobbies. Each sweep may run in several processes at the same time."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import User
from games.lobbies.access import locked
from games.lobbies.attempts import abandon_start, count_ended, uncommitted
from games.lobbies.reservations import release
from games.lobbies.seats import empty_seat, fill_with_bots, give_up
from games.lobbies.starting import advance, due_starts, unrevealed
from games.models import OPEN_STATUSES, Lobby, Seat
from games.play import absence, corrections
from games.reads import absences
from kit import event_loop
from kit.problems import Problem

log = structlog.get_logger(__name__)

LOOKED_AT_WITHIN_S: Final = 5
"""Seconds within which a worker looks at a deadline that has passed, unless it was away."""


def seat_due_bots(most: int = 50) -> int:
    """Fill the free seats of lobbies with bots when they are due. Return how many lobbies."""
    due = Lobby.objects.filter(status=Lobby.Status.OPEN, bots_due_at__lte=Now())
    return _each(due.order_by("bots_due_at"), fill_with_bots, most)


def close_unfilled(most: int = 50) -> int:
    """Close slow lobbies whose game has not started in time, and return the buy-ins. Return how
    many."""
    due = Lobby.objects.filter(status__in=OPEN_STATUSES, fills_by__lte=Now())
    return _each(due.order_by("fills_by"), give_up, most)


def release_due_seats(most: int = 50) -> int:
    """Drop reservations that have expired. Return the number of lobbies that had some."""
    due = Lobby.objects.filter(held_until__lte=Now())
    return _each(due.order_by("held_until"), lambda lobby: release(lobby, *lobby.held), most)


def advance_starts(most: int = 50) -> int:
    """Take the next step of each start that has what it waits for. Return how many."""
    if not Lobby.objects.filter(status=Lobby.Status.STARTING, starts_by__isnull=False).exists():
        return 0
    return _each(due_starts().order_by("starts_by"), advance, most)


def give_up_late(most: int = 50) -> int:
    """Empty the seats that did not commit to their entropy or reveal it in time, and return their
    buy-ins. A start of which that is not the reason is abandoned as well.

    Return the number of lobbies that were late.
    """
    due = Lobby.objects.filter(status__in=OPEN_STATUSES, starts_by__lte=Now())
    return _each(due.order_by("starts_by"), _give_up_late, most)


def _give_up_late(lobby: Lobby) -> None:
    if lobby.status == Lobby.Status.OPEN:
        late = uncommitted(lobby)
    elif lobby.stage == Lobby.Stage.REVEALING:
        late = unrevealed(lobby)
    else:
        late = Seat.objects.none()
    seats = list(late.select_related("user"))
    silent = _silent(lobby, seats)
    if lobby.status == Lobby.Status.OPEN:
        count_ended(lobby, silent)
    else:
        abandon_start(lobby, [seat.number for seat in seats], by=silent)
    for seat in reversed(seats):
        if lobby.is_open:
            empty_seat(lobby, seat, "timed_out", by=None)


def _silent(lobby: Lobby, seats: Sequence[Seat]) -> list[User]:
    """Return who in these seats did not commit or reveal although the server was there.

    It was away if no worker looked at the deadline in time, or, for a user, if the process that had
    their connection died or was stopped, and none took its place. A user who leaves counts, even
    the last one. A seat that has no commitment any more because others ended a start does not
    count: clients stop after two such starts, and else two accounts could bar all others.
    """
    is_open = lobby.status == Lobby.Status.OPEN
    users = [seat.user for seat in seats if seat.user is not None and not (is_open and seat.link)]
    if lobby.starts_by is None or absences.has_passed(lobby.starts_by, LOOKED_AT_WITHIN_S):
        return []
    cut_off = absences.cut_off(lobby.id, lobby.starts_by)
    return [user for user in users if user.id not in cut_off]


def _each(due: QuerySet[Lobby], work: Callable[[Lobby], None], most: int) -> int:
    """Do this work on lobbies that are due, each locked in a transaction. Return on how many.

    A lobby is passed over if something keeps it from the work, such as rules that this build lacks
    or a damaged row.
    """
    done, passed_over = 0, list[UUID]()
    if not due.exists():  # a third of the work of a transaction, each second
        return done
    while done + len(passed_over) < most:
        with transaction.atomic():
            lobby = due.exclude(id__in=passed_over).select_for_update(skip_locked=True).first()
            if lobby is None:
                break
            try:
                with transaction.atomic():
                    work(lobby)
            except Problem as problem:
                log.info("lobby_passed_over", lobby=str(lobby.id), code=problem.code)
                passed_over.append(lobby.id)
            except DatabaseError:
                raise  # the others would fail as well
            except Exception:
                log.exception("lobby_failed", lobby=str(lobby.id))
                passed_over.append(lobby.id)
            else:
                done += 1
    return done


def replace_absent(most: int = 50) -> int:
    """Replace absent players of running games by bots where the lobby says so. Return how many."""
    replaced = 0
    for game, seat, forfeits in absences.absent_from_games(most):
        try:
            replaced += event_loop.call(absence.replace(game, seat, forfeits=forfeits))
        except Problem as problem:
            log.info("absent_not_replaced", game=str(game), seat=seat, code=problem.code)
        except Exception:
            log.exception("absent_not_replaced", game=str(game), seat=seat)
    return replaced


def time_out_absent(most: int = 100) -> int:
    """Empty the seats of absent users in open lobbies and return their buy-ins. Return how many.

    The last user's departure closes the lobby.
    """
    timed_out = 0
    for lobby_id in absences.lobbies_with_absent(settings.LOBBY_ABSENT_S, most):
        try:
            timed_out += _time_out(lobby_id)
        except DatabaseError:
            raise  # the others would fail as well
        except Exception:
            log.exception("lobby_failed", lobby=str(lobby_id))
    return timed_out


def _time_out(lobby_id: UUID) -> int:
    """Empty the seats of absent users in a lobby. Return how many."""
    timed_out = 0
    with transaction.atomic():
        lobby = locked(lobby_id)
        # Read under the lock, because users may have returned or left meanwhile.
        absent = absences.absent_from_lobby(lobby_id, settings.LOBBY_ABSENT_S)
        for seat in Seat.objects.filter(id__in=absent).select_related("user").order_by("-number"):
            if lobby.is_open:
                empty_seat(lobby, seat, "timed_out", by=seat.user)
                timed_out += 1
    return timed_out


def void_abandoned(most: int = 20) -> int:
    """Void games without anybody present for `GAME_ABANDONED_S`. Return how many."""
    return _void(absences.abandoned_games(settings.GAME_ABANDONED_S, most), "abandoned")


def void_endless(most: int = 20) -> int:
    """Void slow games that have lasted for `SLOW_GAME_DAYS`. Return how many."""
    return _void(absences.endless_games(settings.SLOW_GAME_DAYS, most), "endless")


def _void(games: Iterable[UUID], reason: str) -> int:
    voided = 0
    for game in games:
        try:
            voided += event_loop.call(corrections.void(game, reason))
        except Problem as problem:
            log.warning("abandoned_not_voided", game=str(game), code=problem.code)
        except Exception:
            log.exception("abandoned_not_voided", game=str(game))
    return voided
