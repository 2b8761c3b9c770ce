"""Commands that players sign with the keys of their seats. Each signature is checked in a thread,
because a check takes longer than a whole move, and gives up the interpreter's lock meanwhile."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings

from games.play.commit import RefusedError
from games.store.appending import WAITING_MAX
from games.store.commits import store
from games.store.loaded_games import LoadedGame
from kit.batching import Grouped
from kit.event_loop import one_per_loop
from railbird_engine import Seat
from railbird_engine.kernel import chain

CHECKS_MAX: Final = 64
"""How many signatures are checked in one call of a thread."""


class Check(NamedTuple):
    """A signature, the key that should have made it, and the text that it should be of."""

    key: bytes
    text: bytes
    signature: bytes

    def is_right(self) -> bool:
        """Whether the key signed the text."""
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(self.signature, self.text)
        except InvalidSignature:
            return False
        return True


async def _checked(checks: Sequence[Check]) -> Sequence[bool]:
    return await asyncio.to_thread(lambda: [check.is_right() for check in checks])


def _checks() -> Grouped[Check, bool]:
    return Grouped(_checked, most=CHECKS_MAX, lanes=1, waiting_max=WAITING_MAX)


checks = one_per_loop(_checks)
"""The checks of the running loop."""


async def check(loaded: LoadedGame, seat: Seat, command: Any, signed: chain.Signed | None) -> None:
    """Check a command of a player who signs, or does not. Raises RefusedError `signature_refused`,
    Problem `busy`.

    Whether it comes too late is decided when it is made.
    """
    key = loaded.keys.get(seat)
    if signed is None or key is None:
        if signed is not None or key is not None:
            raise refused(loaded, "missing" if signed is None else "no_key")
        return
    text = msgspec.json.encode(command).decode()
    said = signed.text(settings.LOG_ORIGIN, loaded.log_name, seat, text)
    if not await checks()(Check(key, said, bytes.fromhex(signed.signature))):
        raise refused(loaded, "wrong", command=text)
    await check_head(loaded, signed)


async def check_head(loaded: LoadedGame, signed: chain.Signed) -> None:
    """Check that the commit after which a command was signed is one of the game. Raises
    RefusedError `signature_refused`."""
    if await _hash_at(loaded, signed.head) != bytes.fromhex(signed.hash):
        raise refused(loaded, "head")


def may_follow(loaded: LoadedGame, signed: chain.Signed) -> bool:
    """Return whether the loaded game has reached the commit after which a command was signed, and
    has no other one there."""
    known = loaded.hashes.get(signed.head)
    return signed.head <= loaded.version and (known is None or known.hex() == signed.hash)


def refused(loaded: LoadedGame, reason: str, **data: object) -> RefusedError:
    """Return the refusal of a command whose signature does not count."""
    return RefusedError("signature_refused", loaded.version, reason=reason, **data)


async def _hash_at(loaded: LoadedGame, version: int) -> bytes | None:
    """Return the hash of a commit that may be newer than the loaded game, or long ago."""
    if (known := loaded.hashes.get(version)) is not None:
        return known
    found = await store().commits(loaded.game, version - 1, version)
    return found[0].hash if found else None
