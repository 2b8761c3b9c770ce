"""Commands that players sign with the keys of their seats. Another process checks the signatures,
many at a time, because a check takes about as long as a whole move."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from django.conf import settings

from games.play.commit import RefusedError
from games.store.appending import WAITING_MAX
from games.store.commits import store
from games.store.loaded_games import LoadedGame
from kit.batching import Grouped
from kit.event_loop import one_per_loop
from kit.problems import Problem
from kit.signature_checker import Check, Checker, CheckerLostError
from railbird_engine import Seat
from railbird_engine.kernel import chain

CHECKS_MAX: Final = 64
"""How many signatures the process checks at a time."""
CHECKS_APART_S: Final = 0.004
"""To wake the process costs as much as a check. Commands that are checked together also share the
statement that stores them."""


async def _checked(checks: Sequence[Check]) -> Sequence[bool]:
    try:
        return await checker().check(checks)
    except CheckerLostError as error:
        raise Problem("busy") from error


def _checks() -> Grouped[Check, bool]:
    return Grouped(
        _checked, most=CHECKS_MAX, lanes=1, waiting_max=WAITING_MAX, apart_s=CHECKS_APART_S
    )


checker = one_per_loop(Checker)
"""The process that checks signatures for the running loop."""
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
    text = msgspec.json.encode(command)
    said = signed.text(settings.LOG_ORIGIN, loaded.log_name, seat, text)
    if not await checks()(Check(key, said, bytes.fromhex(signed.signature))):
        raise refused(loaded, "wrong", command=text.decode())
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
