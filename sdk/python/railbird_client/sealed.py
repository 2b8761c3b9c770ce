"""The entry of a start in the public log: the client checks it before it reveals its entropy.

`docs/audit-protocol.md` says why each part is checked.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

import msgspec

from railbird_client.ed25519 import is_signed
from railbird_client.models import Commitments, CommittedSeat, Lobby, Opening, PersonLink
from railbird_client.problems import Contradicted

Seconds = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]

COMMITTED: Final = b"\x0b"
REVEALED: Final = b"\x0c"


class Checkpoint(NamedTuple):
    """A signed state of the log: its name, its number of entries, and the root of their tree."""

    origin: str
    size: int
    root: bytes


class Sealed(msgspec.Struct, kw_only=True):
    """The commitments of all seats, and their proof, as a client checked them before a reveal.

    `links` join the start to the one before that the client had seen.
    """

    commitments: Commitments
    links: list[PersonLink] = []

    @property
    def checkpoint(self) -> Checkpoint:
        """The log at that time."""
        # Its signature was checked before it was stored, and takes 10 ms.
        return _checkpoint_of(self.commitments.checkpoint)


def refused(field: str, expected: object, found: object) -> Contradicted:
    """Return the error for a log that contradicts the server or itself."""
    return Contradicted("", field, str(expected), str(found))


Mark = tuple[str, str | None, str | None]
"""The commitment of a seat, the key of its player, and the signature for the seat."""


def check_commitments(found: Commitments, lobby: Lobby, own: Mark, now: Checkpoint) -> None:
    """Check that the log has fixed all seats of a lobby, with this client's `own` commitment and
    key, and nothing that the lobby does not show. Raises Contradicted.

    `now` is the checkpoint of its proof, which has been checked.
    """
    if len(found.promises) != len(witnesses := witnesses_in(lobby.opening)):
        raise refused("promises", f"those of {len(witnesses)} witnesses", found.promises)
    _check_rows(found, lobby, own)
    digest = sha256(b"committed\x00" + bytes.fromhex(found.rows_salt) + _rows(found)).digest()
    named = bytes.fromhex(lobby.opening.hash)
    entry = COMMITTED + UUID(lobby.opening.name).bytes + bytes(8) + named + digest
    leaf = sha256(b"\x00" + entry).digest()
    for field, expected, said in (
        ("entry", entry.hex(), found.entry),
        ("hash", leaf.hex(), found.hash),
    ):
        if said != expected:
            raise refused(field, expected, said)
    if root_of(leaf, found.index, now.size, hashes_in(found.path)) != now.root:
        raise refused("path", "a proof of the entry", "another")


def witnesses_in(opening: Opening) -> list[str]:
    """Return the public keys of the witnesses that add to the dice of a game. Raises ValueError."""
    try:
        return msgspec.convert(msgspec.json.decode(opening.table_text)["witnesses"], list[str])
    except (KeyError, TypeError, msgspec.MsgspecError) as error:
        raise ValueError(f"no list of witnesses: {error}") from error


def check_reveals(sealed: Commitments, opening: Opening, genesis: Mapping[str, Any]) -> None:
    """Check that exactly the seats with a commitment have revealed, each what it had committed to:
    otherwise, the last one to reveal could choose the dice. Raises Contradicted."""
    named = b"entropy\x00" + bytes.fromhex(opening.hash)
    committed = [
        (seat, row.commitment, None) for seat, row in enumerate(sealed.rows) if row.commitment
    ]
    try:
        revealed = [
            (seat, sha256(named + _place(sealed, seat) + bytes.fromhex(entropy)).hexdigest(), rest)
            for seat, entropy, rest in genesis["reveals"]
        ]
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise refused("reveals", "those of the seats", error) from error
    if revealed != committed:
        raise refused("reveals", committed, revealed)


def decided_within_s(opening: Opening) -> int:
    """Return the seconds that the terms allow from the freeze of the seats to the game. Raises
    Contradicted."""
    try:
        deadlines = msgspec.json.decode(opening.table_text)["deadlines"]
        steps = msgspec.convert(deadlines, dict[str, Seconds])
        return sum(steps[name] for name in ("committed_s", "revealed_s", "started_s"))
    except (KeyError, TypeError, msgspec.MsgspecError) as error:
        raise refused("deadlines", "numbers of seconds", error) from error


def check_answers(sealed: Commitments, opening: Opening, genesis: Mapping[str, Any]) -> None:
    """Check that each witness has added what it had promised, once all had revealed. Raises
    Contradicted."""
    try:
        listed = b"".join(
            _place(sealed, seat) + bytes.fromhex(entropy) for seat, entropy, _ in genesis["reveals"]
        )
        named = UUID(opening.name).bytes + bytes(8) + bytes.fromhex(sealed.hash)
        revealed = sha256(b"\x00" + REVEALED + named + listed).hexdigest()
        origin = sealed.checkpoint.split("\n", 1)[0]
        said = f"Railbird witness answer 1\norigin {origin}\nopened {opening.hash}\n"
        answers = [
            sha256(bytes.fromhex(entropy)).hexdigest() == promise
            and is_signed(
                _key(witness),
                f"{said}revealed {revealed}\nentropy {entropy}\n".encode(),
                bytes.fromhex(signature),
            )
            for witness, promise, (entropy, signature) in zip(
                witnesses_in(opening), sealed.promises, genesis["answers"], strict=True
            )
        ]
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise refused("answers", "those of the witnesses", error) from error
    if not all(answers):
        raise refused("answers", "what the witnesses promised and signed", genesis["answers"])


def _place(sealed: Commitments, seat: int) -> bytes:
    return sealed.rows[seat].place.to_bytes(2, "big")


def _check_rows(found: Commitments, lobby: Lobby, own: Mark) -> None:
    seats = sorted(lobby.seats, key=lambda seat: seat.number)
    shown = [(seat.number, seat.commitment if seat.user else None) for seat in seats]
    rows = [(row.place, row.commitment) for row in found.rows]
    if rows != shown:
        raise refused("rows", shown, rows)
    for number, (seat, row) in enumerate(zip(seats, found.rows, strict=True)):
        if not (seat.user is None) == (row.person is None) == (row.link is None):
            raise refused("person", seat.user, (row.person, row.link))
        if seat.number == lobby.your_seat:
            assert seat.user is not None, "this client sits there"
            opened, user = bytes.fromhex(lobby.opening.hash), UUID(seat.user).bytes
            said = opened + number.to_bytes(2, "big") + bytes.fromhex(found.your_salt) + user
            person = sha256(b"person\x00" + said).hexdigest()
            commitment, *mark = own
            if (person, commitment) != (row.person, row.commitment):
                raise refused("commitment", (person, commitment), (row.person, row.commitment))
            if mark != [row.key, row.signature]:
                raise refused("rows", mark, [row.key, row.signature])


def _rows(found: Commitments) -> bytes:
    parts = framed([part for row in found.rows for part in _parts_of(row)])
    return framed([parts, framed([bytes.fromhex(each) for each in found.promises])])


def _parts_of(row: CommittedSeat) -> list[bytes]:
    texts = (row.person, row.key, row.commitment, row.signature, row.link)
    return [row.place.to_bytes(2, "big"), *(bytes.fromhex(text or "") for text in texts)]


def framed(parts: Sequence[bytes]) -> bytes:
    """Return these parts, each after its length in 4 bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def checkpoint_in(note: str, keys: Sequence[str]) -> Checkpoint:
    """Return the checkpoint of a note that one of these keys of the log signed. Raises
    Contradicted."""
    text, _, lines = note.rpartition("\n\n")
    text += "\n"
    try:
        found = _checkpoint_of(text)
        signatures = [line.split(" ", 2)[1:] for line in lines.splitlines()]
        verified = [
            is_signed(_key(key), text.encode(), base64.b64decode(signature, validate=True)[4:])
            for key in keys
            for name, signature in signatures
            if name == found.origin == key.split("+", 1)[0]
            and base64.b64decode(signature, validate=True)[:4].hex() == key.split("+", 2)[1]
        ]
    except (ValueError, IndexError, binascii.Error) as error:
        raise refused("checkpoint", "a signed checkpoint", error) from error
    if not verified or not all(verified):
        raise refused("checkpoint", f"a signature by {' or '.join(keys)}", note)
    return found


def _checkpoint_of(text: str) -> Checkpoint:
    origin, size, root, *_ = text.split("\n")
    return Checkpoint(origin, int(size), base64.b64decode(root, validate=True))


def _key(text: str) -> bytes:
    return base64.b64decode(text.split("+", 2)[2], validate=True)[1:]


def hashes_in(path: Sequence[str]) -> list[bytes]:
    return [bytes.fromhex(each) for each in path]


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root_of(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that a proof of an entry leads to (RFC 9162, section 2.1.3.2)."""
    place, last, hash_ = index, size - 1, leaf
    if not 0 <= place <= last:
        return None
    for each in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            hash_ = _node(each, hash_)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            hash_ = _node(hash_, each)
        place, last = place >> 1, last >> 1
    return hash_ if last == 0 else None


def continues(old: Checkpoint, new: Checkpoint, path: list[bytes]) -> bool:
    """Whether a log continues another (RFC 9162, section 2.1.4.2)."""
    if old.size in {0, new.size}:
        return old.size == 0 or (not path and old.root == new.root)
    if old.size > new.size or not path:
        return False
    hashes = path if old.size & (old.size - 1) else [old.root, *path]
    place, last = old.size - 1, new.size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    first = second = hashes[0]
    for each in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            first, second = _node(each, first), _node(each, second)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            second = _node(second, each)
        place, last = place >> 1, last >> 1
    return last == 0 and first == old.root and second == new.root
