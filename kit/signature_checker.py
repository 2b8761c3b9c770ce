"""A process that checks Ed25519 signatures, and the connection to it.

    python -m kit.signature_checker

A check takes longer than a move of a game. In a thread, it would wait after each check for the
interpreter's lock, which a busy event loop hardly gives up.

The standard input of the process is a socket. A request is its length in 4 bytes and a list of
checks in MessagePack, the answer one byte for each of them. The process ends when the socket does.
"""

import asyncio
import atexit
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ANSWER_WITHIN_S: Final = 5.0
LENGTH: Final = 4
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


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


class CheckerLostError(Exception):
    """The process gave no answer, and nor did the one after it."""


class Checker:
    """The process of an event loop, started when it is needed, and again when it is gone."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        atexit.register(self._end)

    async def check(self, checks: Sequence[Check]) -> Sequence[bool]:
        """Return which signatures are right. Await one call after the other. Raises
        CheckerLostError."""
        content = msgspec.msgpack.encode(checks)
        for _ in range(2):
            try:
                async with asyncio.timeout(ANSWER_WITHIN_S):
                    reader, writer = self._streams or await self._connected()
                    writer.write(len(content).to_bytes(LENGTH, "big") + content)
                    return [answer == 1 for answer in await reader.readexactly(len(checks))]
            except (OSError, EOFError):
                await asyncio.to_thread(self._end)
        raise CheckerLostError("the process that checks signatures gave no answer twice")

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        own = await asyncio.to_thread(self._start)
        self._streams = await asyncio.open_connection(sock=own)
        return self._streams

    def _start(self) -> socket.socket:
        own, given = socket.socketpair()
        with given:
            arguments = [sys.executable, "-m", "kit.signature_checker"]
            self.process = subprocess.Popen(arguments, stdin=given.fileno())  # noqa: S603 -- our own program
        return own

    def _end(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def main() -> None:
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)  # the server decides
    decode = msgspec.msgpack.Decoder(list[Check]).decode
    with socket.socket(fileno=sys.stdin.fileno()) as server, server.makefile("rb") as requests:
        while length := requests.read(LENGTH):
            checks = decode(requests.read(int.from_bytes(length, "big")))
            server.sendall(bytes(check.is_right() for check in checks))


if __name__ == "__main__":
    main()
