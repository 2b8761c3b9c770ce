"""What the log says of games: an entry whenever a game's head was found to have moved."""

import struct
from enum import IntEnum
from typing import Final, NamedTuple, Self
from uuid import UUID

_FRAME: Final = struct.Struct(">B16sQ32s")
LUCK_LENGTH: Final = 32


class Kind(IntEnum):
    """Where a game stands."""

    STARTED = 1
    STANDS = 2
    FINISHED = 3
    VOIDED = 4
    DIVERGED = 5


class Entry(NamedTuple):
    """A game stood at this version with this hash. Bytes: kind (1), game (16), version (8,
    big-endian), hash (32), luck.

    `luck` are the 32 bytes of the seed's hash when the game has started (version 0, the hash of its
    genesis), the 32 bytes of the seed itself when it has ended, and nothing in between. A game that
    `DIVERGED` is no longer the one that was signed: `version` and `hash` are those of its entry
    before, and `luck` is the hash that was found there instead, or zeros."""

    kind: Kind
    game: UUID
    version: int
    hash: bytes
    luck: bytes = b""

    def encode(self) -> bytes:
        """The bytes that the tree hashes."""
        return _FRAME.pack(self.kind, self.game.bytes, self.version, self.hash) + self.luck

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raises ValueError when the bytes are no entry."""
        if len(data) < _FRAME.size:
            raise ValueError("an entry is longer")
        kind, game, version, hash_ = _FRAME.unpack_from(data)
        luck = data[_FRAME.size :]
        entry = cls(Kind(kind), UUID(bytes=game), version, hash_, luck)
        if len(luck) != (0 if entry.kind is Kind.STANDS else LUCK_LENGTH):
            raise ValueError("only an entry of a game that stands has no luck")
        return entry


ENDED: Final = {"finished": Kind.FINISHED, "voided": Kind.VOIDED}
"""The kind of a game's last entry, by how the game ended."""
