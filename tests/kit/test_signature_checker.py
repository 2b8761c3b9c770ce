"""The process that checks signatures: its answers, its end, and the one after it."""

import asyncio

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from kit.signature_checker import Check, Checker
from tests.waiting import WITHIN_S

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
RIGHT = Check(KEY.public_key().public_bytes_raw(), b"text", KEY.sign(b"text"))
WRONG = RIGHT._replace(text=b"another text")


async def test_a_checker_that_dies_is_started_again_and_ends_with_its_connection() -> None:
    checker = Checker()
    assert await checker.check([RIGHT, WRONG, RIGHT]) == [True, False, True]
    first = checker.process
    assert first is not None
    first.kill()
    first.wait()
    assert await checker.check([WRONG, RIGHT]) == [False, True]
    second = checker.process
    assert second not in {None, first}
    assert checker._streams is not None
    checker._streams[1].close()
    assert second is not None
    assert await asyncio.to_thread(second.wait, WITHIN_S) == 0
