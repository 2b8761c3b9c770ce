"""The entries of the public log: one for each new head of a game that the sealer finds."""

import struct
from enum import IntEnum
from typing import Final, NamedTuple, Self
from uuid import UUID

_FRAME: Final = struct.Struct(">B16sQ32s")
PAYLOAD_LENGTH: Final = 32


class Kind(IntEnum):
    """The state of a game at the time of an entry."""

    STARTED = 1
    ADVANCED = 2
    FINISHED = 3
    VOIDED = 4
    DIVERGED = 5


class Entry(NamedTuple):
    """The version and hash of a game's head. Bytes: kind (1), game (16), version (8, big-endian),
    hash (32), payload (32 or 0).

    The payload of `STARTED` is the hash of the seed; its version is 0 and its hash that of the
    genesis. The payload of an end is the seed itself. `ADVANCED` has no payload. `DIVERGED` means
    that the stored game differs from the signed one: `version` and `hash` repeat its previous
    entry, and the payload is the hash that was found instead, or zeros."""

    kind: Kind
    game: UUID
    version: int
    hash: bytes
    payload: bytes = b""

    def encode(self) -> bytes:
        """Return the bytes that the tree hashes."""
        return _FRAME.pack(self.kind, self.game.bytes, self.version, self.hash) + self.payload

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Decode an entry. Raises ValueError."""
        if len(data) < _FRAME.size:
            raise ValueError(f"an entry has at least {_FRAME.size} bytes")
        kind, game, version, hash_ = _FRAME.unpack_from(data)
        payload = data[_FRAME.size :]
        entry = cls(Kind(kind), UUID(bytes=game), version, hash_, payload)
        if len(payload) != (0 if entry.kind is Kind.ADVANCED else PAYLOAD_LENGTH):
            raise ValueError("a payload of the wrong length for this kind of entry")
        return entry


ENDED: Final = {"finished": Kind.FINISHED, "voided": Kind.VOIDED}
"""The kind of a game's last entry, by how the game ended."""
