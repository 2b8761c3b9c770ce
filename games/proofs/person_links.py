"""Links between the starts of a user, who shows with them that a list of games has no gap."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from games.models import PersonLink
from railbird_engine.kernel import chain

LINKS_MAX: Final = 1000


class OpenLink(NamedTuple):
    """The start of a user with this number: `salt` and `previous` open the link in the user's row.

    `opened` is the hash of the log entry that opened it, `previous` the link of the start before.
    """

    game: UUID
    opened: bytes
    number: int
    previous: bytes
    salt: bytes


def links_of(user: UUID, after: int) -> Sequence[OpenLink]:
    """Return up to `LINKS_MAX` starts of a user after the one with this count, in order."""
    rows = PersonLink.objects.filter(user=user, count__gte=after).order_by("count")
    previous, found = chain.NO_LINK, []
    for row in rows[: LINKS_MAX + 1]:
        if row.count > after:
            found.append(_opened(row, previous))
        previous = bytes(row.hash)
    return found[:LINKS_MAX]


def link_of(user: UUID, opened: bytes) -> OpenLink | None:
    """Return the start of a user that this entry opened; None once it is erased."""
    row = PersonLink.objects.filter(user=user, opened=opened).order_by("-count").first()
    if row is None:
        return None
    before = PersonLink.objects.filter(user=user, count=row.count - 1).first()
    return _opened(row, chain.NO_LINK if before is None else bytes(before.hash))


def _opened(row: PersonLink, previous: bytes) -> OpenLink:
    return OpenLink(row.game, bytes(row.opened), row.count, previous, bytes(row.salt))
