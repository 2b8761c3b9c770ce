"""The public log as a client knows it: its keys, its newest state, and the keys that sign notes."""

import asyncio
import base64
import binascii
import struct
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from railbird_client import models
from railbird_client.ed25519 import is_signed
from railbird_client.operations import Operations
from railbird_client.patience import pause_s
from railbird_client.problems import NoEvidence, Problem
from railbird_client.sealed import Checkpoint, checkpoint_in, continues, hashes_in, refused, root_of

KEY: Final = 8
KEY_ENTRY: Final = struct.Struct(">B16sQ32sQQ")
"""The kind of the entry, an id, its number, the key, and times that people read."""
SUFFIX: Final = "/acknowledgements"
SIZE_MAX: Final = 2**63
TRIES_MAX: Final = 5


class Log:
    """The log of a server. Without its public keys, those that are seen first count."""

    def __init__(self, api: Operations, keys: Sequence[str]) -> None:
        self.keys = list(keys)
        self.newest: Checkpoint | None = None
        self._api = api
        self._signers: dict[bytes, range] = {}
        """The keys that sign notes, and the sizes of the log at which they count."""

    def know(self, keys: Sequence[str], seen: Checkpoint) -> None:
        """Keep the keys as first seen, and the newest state of the log."""
        self.keys = self.keys or list(keys)
        if self.newest is None or seen.size > self.newest.size:
            self.newest = seen

    def checked(
        self, before: Checkpoint | None, note: str, keys: Sequence[str], path: Sequence[str] | None
    ) -> Checkpoint:
        """Return the checkpoint of a note that continues an earlier one. Raises Contradicted."""
        now = checkpoint_in(note, self.keys or keys)
        if before is None:
            return now
        try:
            proof = None if path is None else hashes_in(path)
        except ValueError:
            proof = None
        if before.origin != now.origin or proof is None or not continues(before, now, proof):
            raise refused("checkpoint", f"one that continues that of {before.size} entries", note)
        return now

    async def check(self) -> Checkpoint:
        """Return the newest checkpoint, which continues what this client saw of the log. Raises
        Contradicted."""
        before = self.newest
        found = await self._found(None if before is None else before.size)
        now = self.checked(before, found.note, found.keys, found.since_path)
        self._signers = _signers_in(found, now)
        self.know(found.keys, now)
        return now

    async def _found(self, since: int | None) -> models.Checkpoint:
        """Get a checkpoint. A server that reads from a replica may be behind for a moment."""
        for failures in range(TRIES_MAX):
            if failures:
                await asyncio.sleep(pause_s(failures - 1))
            try:
                return await self._api.get_checkpoint(since=since)
            except Problem as problem:
                if problem.code != "malformed":
                    raise
        raise refused("checkpoint", f"at least {since} entries", "fewer")

    async def check_author(self, note: str, size: int | None = None) -> None:
        """Check that a key signed a note which the log names, and at this size does not end. Raises
        NoEvidence.

        A key may be newer than what the client has seen of the log.
        """
        for checks in range(TRIES_MAX + 1):
            if checks > 1:
                await asyncio.sleep(pause_s(checks - 1))
            if checks:
                await self.check()
            if self._has_author(note, size):
                return
        raise NoEvidence(note)

    def _has_author(self, note: str, size: int | None) -> bool:
        text, _, lines = note.rpartition("\n\n")
        try:
            signatures = [line.split(" ", 2) for line in lines.splitlines()]
            return self.newest is not None and any(
                is_signed(key, f"{text}\n".encode(), base64.b64decode(signature, validate=True)[4:])
                for key, sizes in self._signers.items()
                if size is None or size in sizes
                for _, name, signature in signatures
                if name == self.newest.origin + SUFFIX
            )
        except (ValueError, binascii.Error):
            return False


def _signers_in(found: models.Checkpoint, now: Checkpoint) -> dict[bytes, range]:
    """Return the keys that sign notes, by the entries of the log that name and end them. Raises
    Contradicted."""
    signers: dict[bytes, range] = {}
    for each in found.signers:
        try:
            entry = bytes.fromhex(each.entry)
            kind, _, _, key, _, _ = KEY_ENTRY.unpack(entry)
            root = root_of(
                sha256(b"\x00" + entry).digest(), each.index, now.size, hashes_in(each.path)
            )
        except (ValueError, struct.error) as error:
            raise refused("signers", "entries that name keys", error) from error
        if kind != KEY or root != now.root:
            raise refused("signers", "entries of the log that name keys", each.entry)
        known = signers.get(key)
        signers[key] = (
            range(each.index + 1, SIZE_MAX)
            if known is None
            else range(known.start, min(known.stop, each.index + 1))
        )
    return signers
