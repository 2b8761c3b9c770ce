"""Links between the starts of a user's games: they show that a list of games has no gap."""

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from railbird_engine.audit import strict_json
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.evidence import NeedsError, naming
from railbird_engine.audit.seat_proofs import SeatCommitments
from railbird_engine.kernel import chain
from railbird_engine.kernel.chain import Bytes32


class PersonLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `count`th start of a user. `salt` and the link of the start before open the link in the
    row of the seat; `opened` is the hash of the `opened` entry."""

    game: UUID
    opened: Bytes32
    count: Annotated[int, Meta(ge=1, lt=2**31)]
    previous: Bytes32
    salt: Bytes32

    @property
    def hash(self) -> str:
        """The link in the row."""
        opened, salt, previous = map(bytes.fromhex, (self.opened, self.salt, self.previous))
        return chain.person_link(opened, salt, self.count, previous).hex()


_decode = msgspec.json.Decoder(Annotated[list[PersonLink], Meta(min_length=1)]).decode


class Linked(NamedTuple):
    """The first and the last start of a user that files prove, how many of those between became no
    game, how many were abandoned after the last one, and the user, if a proof of a seat names them.
    """

    first: int
    last: int
    abandoned: int
    unproved: int
    user: UUID | None


def parse(text: bytes) -> Sequence[PersonLink]:
    """Parse a file of links, at least one. Raises the exceptions in `chain.MALFORMED`."""
    strict_json.check(text)
    links: Sequence[PersonLink] = _decode(text)
    return links


Seated = Mapping[tuple[UUID, int], UUID]
"""The users who sat in seats of games, as proved."""


def check_links(
    links: Sequence[PersonLink], people: Mapping[UUID, SeatCommitments], seated: Seated
) -> Linked:
    """Check that these starts follow each other without a gap, each of a game of the files that
    were verified. Raises DivergenceError, NeedsError."""
    for before, link in zip([None, *links[:-1]], links, strict=True):
        with naming(link.game):
            _check_follows(before, link)
    user, seats = None, list[int | None]()
    for link in links:
        if link.game not in people:
            raise NeedsError(f"a file of game {link.game} that verifies")
        with naming(link.game):
            seats.append(seat := _seat_of(link, people[link.game]))
            found = None if seat is None else seated.get((link.game, seat))
            if found is not None and found != (user := user or found):
                raise DivergenceError(0, "link", f"a start of user {user}", found)
    # A later start has the link of an abandoned one: without it, anybody could have made that up.
    proved = [link.count for link, seat in zip(links, seats, strict=True) if seat is not None]
    if not proved:
        raise NeedsError("a later start that became a game")
    first, last = links[0].count, proved[-1]
    return Linked(first, last, last - first + 1 - len(proved), links[-1].count - last, user)


def _check_follows(before: PersonLink | None, link: PersonLink) -> None:
    if before is None:
        count, previous = link.count, chain.NO_LINK.hex() if link.count == 1 else link.previous
    else:
        count, previous = before.count + 1, before.hash
    if (link.count, link.previous) != (count, previous):
        raise DivergenceError(
            0,
            "link",
            f"start {count} after {previous}",
            f"start {link.count} after {link.previous}",
        )


def _seat_of(link: PersonLink, of_game: SeatCommitments) -> int | None:
    """Check a start against its game, and return its seat. None if it was abandoned: then the log
    has only the hash of its rows, and only a bundle names it."""
    if link.opened in (of_game.abandoned or ()):
        return None
    if link.opened != of_game.opened.hex():
        if of_game.abandoned is None:
            raise NeedsError(f"a bundle of game {link.game} that verifies")
        raise DivergenceError(0, "link", f"a start of {of_game.opened.hex()}", link.opened)
    if link.hash not in of_game.links:
        raise DivergenceError(0, "link", " or ".join(filter(None, of_game.links)), link.hash)
    return of_game.links.index(link.hash)
