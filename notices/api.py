"""Operations on the notices of the current user, and their addresses under `notices/`."""

from typing import Annotated, Self

import msgspec
from django.urls import include, path
from msgspec import Meta

from accounts.rest import address
from accounts.tokens import Caller, Scope
from kit.operations import operation
from kit.validation import Body, Count, Query
from notices import inbox
from notices.kinds import Channel, Kind
from notices.shapes import Notice

NOTICES_MAX = 100


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
    path("webhooks/", include("notices.webhook_operations")),
    path("push/", include("notices.push_operations")),
    path("choices/", address(get=list_notice_choices, put=choose_notices)),
]
