"""Vacations: days on which slow tables that allow it do not go on without a user.

They are announced a day ahead, so that nobody stops a game that is about to go on.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.models import User, Vacation
from kit.problems import Problem

NOTICE: Final = timedelta(days=1)
AHEAD_MAX: Final = timedelta(days=366)
DAYS_MAX: Final = 30
"""The most days on vacation in a calendar year (UTC)."""


def vacations_of(user: User) -> QuerySet[Vacation]:
    """Return the vacations of a user that have not ended, the next first."""
    current = Vacation.objects.filter(user=user, ends_at__gt=_now())
    return current.order_by("starts_at", "id")


def announce(user: User, starts_at: datetime, ends_at: datetime) -> Vacation:
    """Announce a vacation. Raises Problem `vacation_too_soon`, `vacation_too_long`,
    `vacations_overlap`, or `malformed` if it does not end after its start."""
    if ends_at <= starts_at:
        raise Problem("malformed", path="$.ends_at", reason="must be after `starts_at`")
    now = _now()
    if not now + NOTICE <= starts_at <= now + AHEAD_MAX:
        raise Problem("vacation_too_soon", least=(now + NOTICE).isoformat())
    with transaction.atomic():
        user.locked()
        taken = list(Vacation.objects.filter(user=user).order_by("starts_at"))
        if any(each.starts_at < ends_at and starts_at < each.ends_at for each in taken):
            raise Problem("vacations_overlap")
        wanted = Vacation(user=user, starts_at=starts_at, ends_at=ends_at)
        for year in range(starts_at.astimezone(UTC).year, ends_at.astimezone(UTC).year + 1):
            if _within(year, [*taken, wanted]) > timedelta(days=DAYS_MAX):
                raise Problem("vacation_too_long", year=year, most=DAYS_MAX)
        wanted.save(force_insert=True)
    return wanted


def _now() -> datetime:
    """Return the time of the database, by which deadlines are kept."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    assert isinstance(now, datetime)
    return now


def _within(year: int, vacations: Sequence[Vacation]) -> timedelta:
    """Return the time on vacation in a calendar year."""
    first, last = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    times = (min(each.ends_at, last) - max(each.starts_at, first) for each in vacations)
    return sum((time for time in times if time > timedelta()), timedelta())


def end(user: User, vacation: UUID) -> None:
    """Cancel a vacation, or end it now. A game that it paused keeps its due time.

    Raises Problem `not_found`.
    """
    with transaction.atomic():
        user.locked()
        found = vacations_of(user).filter(id=vacation).first()
        if found is None:
            raise Problem("not_found", what="vacation")
        if found.starts_at > (now := _now()):
            found.delete()
            return
        found.ends_at = now
        found.save(update_fields=["ends_at"])
