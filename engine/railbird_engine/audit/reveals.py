"""Signed receipts of revealed entropy: a server's statement that a seat revealed it before the game
started."""

import re
from typing import Final, NamedTuple, Self
from uuid import UUID

from railbird_engine.audit.notes import BadNote

TITLE: Final = "Railbird reveal 1"
_UUID: Final = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
_HASH: Final = "([0-9a-f]{64})"
_FORM: Final = re.compile(
    re.escape(TITLE)
    + f"\norigin ([!-*,-~]{{1,200}})\nname {_UUID}\ngame {_UUID}"
    + f"\nopened {_HASH}\nseat (0|[1-9][0-9]{{0,4}})\ncommitment {_HASH}\nentropy {_HASH}\n"
)


class Reveal(NamedTuple):
    """The seat with this number in the lobby revealed `entropy` in the attempt to start `game`
    that the log calls `name`."""

    origin: str
    name: UUID
    game: UUID
    opened: str
    seat: int
    commitment: str
    entropy: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a signed text. Raises BadNote."""
        found = _FORM.fullmatch(text)
        if found is None:
            raise BadNote("a receipt of entropy has other lines")
        origin, name, game, opened, seat, commitment, entropy = found.groups()
        return cls(origin, UUID(name), UUID(game), opened, int(seat), commitment, entropy)
