"""Vacations of the current user."""

from typing import Self
from uuid import UUID

import msgspec

from accounts import models, vacations
from accounts.tokens import Caller, Scope
from kit.operations import operation
from kit.validation import Body, Moment


class Vacation(msgspec.Struct, frozen=True, kw_only=True):
    """A time in which slow tables that allow vacations do not go on without you."""

    id: UUID
    starts_at: Moment
    ends_at: Moment

    @classmethod
    def of(cls, row: models.Vacation) -> Self:
        """Return a vacation as its user sees it."""
        return cls(id=row.id, starts_at=row.starts_at, ends_at=row.ends_at)


class NewVacation(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vacation, which starts a day from now at the earliest."""

    starts_at: Moment
    ends_at: Moment


@operation("list_vacations", scope=Scope.READ)
def list_vacations(caller: Caller) -> list[Vacation]:
    """List your vacations that have not ended, the next first."""
    return [Vacation.of(row) for row in vacations.vacations_of(caller.user)]


@operation(
    "announce_vacation",
    "vacation_too_soon",
    "vacation_too_long",
    "vacations_overlap",
    scope=Scope.PLAY,
    is_keyed=True,
    status=201,
)
def announce_vacation(caller: Caller, body: NewVacation) -> Vacation:
    """Announce a vacation: up to 30 days in a calendar year (UTC).

    While all whom a slow game awaits are on vacation, its time does not pass, if its table allows
    vacations. The first who returns has the time of the limit again, but a day at most.
    """
    return Vacation.of(vacations.announce(caller.user, body.starts_at, body.ends_at))


@operation("end_vacation", scope=Scope.PLAY, status=204)
def end_vacation(caller: Caller, vacation: UUID) -> None:
    """Cancel a vacation, or end it now. Games that it paused keep the time that they show."""
    vacations.end(caller.user, vacation)
