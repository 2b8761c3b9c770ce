"""Commands that players sign with the keys of their seats, which the log fixed before the start."""

from typing import NamedTuple

from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.notes import Verifier
from railbird_engine.kernel import chain
from railbird_engine.kernel.money import seat_purse


class Signatures(NamedTuple):
    """Counts of commands: all of seats, those that players signed, and those that bots made in
    seats whose players sign. `paid` is what the purses of these seats paid for the last ones."""

    commands: int
    signed: int
    by_bots: int
    paid: int


def _is_signed(key: str, text: bytes, signature: str) -> bool:
    return Verifier("seat", bytes.fromhex(key)).has_signed(text, bytes.fromhex(signature))


def check_keys(opening: chain.Genesis, opened: bytes, *, needed: bool) -> None:
    """Check that the key of each seat signed for it, and that the seats of all users have one if
    keys are `needed`. Raises DivergenceError."""
    for row in opening.rows:
        if needed and row.person is not None and row.key is None:
            raise DivergenceError(0, "rows", "a key in the seat of each user", "none")
        if row.key is None or row.signature is None:
            continue
        text = chain.seat_text(opened.hex(), row.place, row.key, row.commitment or "")
        if not _is_signed(row.key, text, row.signature):
            raise DivergenceError(0, "rows", f"a signature by {row.key}", row.signature)


class SignedCommands:
    """The commands of a game, in order, from `first` on: those before are unknown."""

    def __init__(self, opening: chain.Genesis, origin: str, before: bytes, first: int = 1) -> None:
        self._name, self._origin = opening.name, origin
        self._keys = {seat: row.key for seat, row in enumerate(opening.rows) if row.key is not None}
        self._first = first
        self._hashes = [before]
        """The hashes of the commits from the one before the first."""
        self._ids = set[tuple[int, object]]()
        self._commands = self._by_bots = self._paid = 0

    @property
    def counted(self) -> Signatures | None:
        """The counts so far; None if no player of the game signs."""
        if not self._keys:
            return None
        return Signatures(self._commands, len(self._ids), self._by_bots, self._paid)

    def take(self, body: chain.Body, hash_: bytes, *, by_bot: bool) -> bool | None:
        """Check the next commit, and return whether it is signed; None if it has no player who
        signs. With `by_bot`, a bot may have made it for the player. Raises DivergenceError."""
        self._commands += body.seat is not None
        key = None if body.seat is None else self._keys.get(body.seat)
        if body.signed is not None:
            self._check(body, body.signed, key)
        elif key is not None:
            if not by_bot:
                raise DivergenceError(body.version, "signed", f"a signature by {key}", "none")
            self._by_bots += 1
            purse = seat_purse(body.seat or 0)
            self._paid += sum(each.amount for each in body.transfers if each.source == purse)
        if self._keys:
            self._hashes.append(hash_)
        return None if key is None else body.signed is not None

    def _check(self, body: chain.Body, signed: chain.Signed, key: str | None) -> None:
        version, seat = body.version, body.seat
        if key is None or seat is None:
            raise DivergenceError(version, "signed", "no signature in this seat", "one")
        command = bytes(body.command)
        if not _is_signed(
            key, signed.text(self._origin, self._name, seat, command), signed.signature
        ):
            raise DivergenceError(version, "signed", f"a signature by {key}", signed.signature)
        if not signed.head < version <= signed.until:
            expected = f"a version from {signed.head + 1} to {signed.until}, as signed"
            raise DivergenceError(version, "signed", expected, version)
        place = signed.head - self._first + 1
        if place >= 0 and self._hashes[place].hex() != signed.hash:
            raise DivergenceError(version, "signed", signed.hash, self._hashes[place].hex())
        if (seat, signed.id) in self._ids:
            raise DivergenceError(version, "signed", "a new id", signed.id)
        self._ids.add((seat, signed.id))
