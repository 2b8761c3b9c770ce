"""All data about the current user, as one file."""

from typing import Final

from django.http import StreamingHttpResponse

from accounts.tokens import Caller, Scope
from games.api.exports import Stream
from games.reads import personal
from kit import rate_limits
from kit.operations import operation
from kit.rate_limits import Spent

MEDIA: Final = "application/jsonl"


@operation("get_personal_data", "busy", scope=Scope.USER, media=(MEDIA,))
def get_personal_data(caller: Caller) -> StreamingHttpResponse:
    """Download all data about you and your bot users as one file (JSON Lines).

    Each line names its `type`. The first line lists what is not included and why; the last one,
    `end`, counts the lines, so that a file that was cut short is noticed. No line has a secret.
    """
    rate_limits.spend(Spent("personal_data", str(caller.user.answerable)))
    name = f"personal-data-{caller.user.id}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(
        Stream(personal.lines(caller.user)), content_type=MEDIA, headers=headers
    )
