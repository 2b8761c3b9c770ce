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
    """The first and the last start of a user, and how many became no game."""

    first: int
    last: int
    abandoned: int


def parse(text: bytes) -> Sequence[PersonLink]:
    """Parse a file of links, at least one. Raises the exceptions in `chain.MALFORMED`."""
    strict_json.check(text)
    links: Sequence[PersonLink] = _decode(text)
    return links


def check_links(links: Sequence[PersonLink], people: Mapping[UUID, SeatCommitments]) -> Linked:
    """Check that these starts follow each other without a gap, each of a game of the files that
    were verified. Raises DivergenceError, NeedsError."""
    for before, link in zip([None, *links[:-1]], links, strict=True):
        with naming(link.game):
            _check_follows(before, link)
    abandoned = 0
    for link in links:
        if link.game not in people:
            raise NeedsError(f"a file of game {link.game} that verifies")
        with naming(link.game):
            abandoned += _check_start(link, people[link.game])
    return Linked(links[0].count, links[-1].count, abandoned)


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


def _check_start(link: PersonLink, of_game: SeatCommitments) -> bool:
    """Check a start against its game. Return whether it was abandoned: then the log has only the
    hash of its rows, and only a bundle names it."""
    if link.opened in (of_game.abandoned or ()):
        return True
    if link.opened != of_game.opened.hex():
        if of_game.abandoned is None:
            raise NeedsError(f"a bundle of game {link.game} that verifies")
        raise DivergenceError(0, "link", f"a start of {of_game.opened.hex()}", link.opened)
    if link.hash not in of_game.links:
        raise DivergenceError(0, "link", " or ".join(filter(None, of_game.links)), link.hash)
    return False
