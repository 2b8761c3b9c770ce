"""Operations on the notices of the current user, and their addresses under `notices/`."""

from typing import Annotated, Self
from uuid import UUID

import msgspec
from django.urls import path
from msgspec import Meta

from accounts.rest import address
from accounts.tokens import Caller, Scope
from kit.operations import operation
from kit.validation import Body, Count, Moment, Query
from notices import inbox, models
from notices.kinds import Channel, Kind

NOTICES_MAX = 100


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to you. Your notices are numbered without gaps; those that are older
    than the operator keeps them are deleted, from the first on.

    `your_turn`: a slow game waits for your decision until `due_at`. `deadline_near`: a quarter of
    the time is left. `table_full`: all seats of the lobby are taken. `game_starts`: the game has
    started. `game_over`: the game has `ended`; `rank` is yours, from 1, and `payout` what you
    received of the buy-ins, null without any. `bet_corrected`: an operator voided your settled
    `bet`, whose payout is now `payout`. `seat_replaced`: a bot plays your `seat`. `seat_reserved`:
    a seat in the lobby of a rematch is reserved for you.
    """

    number: Count
    kind: Kind
    at: Moment
    lobby: UUID
    game: UUID | None = None
    seat: int | None = None
    due_at: Moment | None = None
    ended: str | None = None
    rank: int | None = None
    bet: Count | None = None
    payout: Count | None = None

    @classmethod
    def of(cls, row: models.Notice) -> Self:
        """Return a notice as its user reads it."""
        return msgspec.convert(
            {"number": row.number, "kind": row.kind, "at": row.at, **row.data}, cls
        )


class Notices(msgspec.Struct, frozen=True, kw_only=True):
    """Notices after a number, oldest first. `first` is the first that the server keeps, `last` the
    newest, and `read` the last that you marked as read."""

    first: Count
    last: Count
    read: Count
    notices: list[Notice]

    @classmethod
    def of(cls, page: inbox.Page) -> Self:
        """Return a page of an inbox."""
        return cls(
            first=page.first,
            last=page.last,
            read=page.read,
            notices=[Notice.of(row) for row in page.notices],
        )


class NoticeChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The channels on which you want notices of a kind. Without `inbox` you get none at all."""

    kind: Kind
    channels: list[Channel]


class AfterNumber(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The notices after a number."""

    after: Count = 0
    limit: Annotated[int, Meta(ge=1, le=NOTICES_MAX)] = NOTICES_MAX


class ReadUpTo(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last notice that you have read."""

    number: Count


class Wanted(Body, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of notices, and the channels on which you want it. Without `inbox` you get none."""

    kind: Kind
    channels: Annotated[list[Channel], Meta(max_length=10)]


@operation("list_notices", "version_ahead", scope=Scope.READ)
def list_notices(caller: Caller, query: AfterNumber) -> Notices:
    """List your notices after a number, oldest first."""
    return Notices.of(inbox.read_after(caller.user.id, query.after, query.limit))


@operation("mark_notices_read", "version_ahead", scope=Scope.PLAY, status=204)
def mark_notices_read(caller: Caller, body: ReadUpTo) -> None:
    """Mark your notices up to a number as read. A lower number than before changes nothing."""
    inbox.mark_read(caller.user, body.number)


@operation("list_notice_choices", scope=Scope.READ)
def list_notice_choices(caller: Caller) -> list[NoticeChoice]:
    """List the kinds of notices, each with the channels on which you want it."""
    wanted = inbox.wanted_by(caller.user)
    return [NoticeChoice(kind=kind, channels=channels) for kind, channels in wanted.items()]


@operation("choose_notices", scope=Scope.PLAY)
def choose_notices(caller: Caller, body: Wanted) -> NoticeChoice:
    """Choose the channels on which you want a kind of notices."""
    inbox.want(caller.user, body.kind, body.channels)
    return NoticeChoice(kind=body.kind, channels=inbox.wanted_by(caller.user)[body.kind])


urlpatterns = [
    path("", address(get=list_notices)),
    path("read/", address(put=mark_notices_read)),
    path("choices/", address(get=list_notice_choices, put=choose_notices)),
]
