"""All data about the current user, as one file."""

from collections.abc import Iterator
from typing import Final, Literal

from django.http import StreamingHttpResponse

from accounts.models import User
from accounts.tokens import Caller, Scope
from games.api.exports import Stream, Xlsx, book_of, zone_of
from games.reads import personal
from games.reads.filters import TimeZone
from kit import rate_limits
from kit.operations import operation
from kit.rate_limits import Spent
from kit.validation import Query

MEDIA: Final = {"jsonl": "application/jsonl", "xlsx": Xlsx.media_type}


class PersonalCopy(Query, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A copy as JSON Lines, or as a workbook with a sheet for each type of line. With `names`, ids
    of people, lobbies and games have names beside them. With a `time_zone`, times in xlsx are
    local."""

    format: Literal["jsonl", "xlsx"] = "jsonl"
    names: bool = False
    time_zone: TimeZone | None = None


def parts_of(user: User, query: PersonalCopy) -> Iterator[bytes]:
    """Return the parts of the file. Raises Problem `malformed` for an unknown time zone."""
    zone, lines = zone_of(query.time_zone), personal.lines(user, names=query.names)
    return personal.as_json(lines) if query.format == "jsonl" else book_of(lines, zone)


@operation("get_personal_data", "busy", scope=Scope.USER, media=tuple(MEDIA.values()))
def get_personal_data(caller: Caller, query: PersonalCopy) -> StreamingHttpResponse:
    """Download all data about you and your bot users as one file.

    Each line names its `type`. The first line lists what is not included and why; the last one,
    `end`, counts the lines, so that a file that was cut short is noticed. No line has a secret.
    """
    parts = parts_of(caller.user, query)
    rate_limits.spend(Spent("personal_data", str(caller.user.answerable)))
    name = f"personal-data-{caller.user.id}.{query.format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(Stream(parts), content_type=MEDIA[query.format], headers=headers)
