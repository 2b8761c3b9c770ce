"""Watch a public log from outside: prove from its tiles that its newest checkpoint continues the one that was kept before."""

from collections.abc import Sequence
from functools import cache
from http.client import HTTPException
from typing import Final, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec

from games.audit import bundle, merkle
from games.audit.evidence import SignedLog
from games.audit.notes import NOTE_MAX, BadNote, Checkpoint, Untrusted, Verifier, opened
from games.audit.replay import Diverged

TIMEOUT_S: Final = 20.0


class Unreachable(Exception):
    """The log does not answer, or with something else, or what was kept of it is something else; the message is one line."""


class Watched(NamedTuple):
    """The newest checkpoint, as it is to be kept, and who signed it; `before` is the one that it continues."""

    note: str
    checkpoint: Checkpoint
    signed_by: tuple[Verifier, ...]
    before: Checkpoint | None


def watch(address: str, kept: str | None, trusted: Sequence[Verifier]) -> Watched:
    """Look at the log at this address, which continues the checkpoint in the note `kept`, if there is one.

    `trusted` are the keys that the log is known by; without any, those that it publishes itself. Raises Diverged, Unreachable.
    """
    log = _Log(address)
    note = log.text("checkpoint")
    keys = tuple(key.text for key in trusted) or tuple(log.text("keys").split())
    signed = bundle.Signed(checkpoint=note, keys=keys)
    found = SignedLog(signed, trusted, None)
    now = found.checkpoint
    if kept is None:
        return Watched(note, now, found.keys, None)
    try:
        before = Checkpoint.parse(opened(kept, found.keys))
    except BadNote as error:
        raise Unreachable(f"what was kept is no checkpoint: {error}") from error
    except Untrusted as error:
        names = ", ".join(f"{key.name}+{key.key_id.hex()}" for key in found.keys)
        raise Diverged(None, "keys", f"those that signed the checkpoint that was kept ({error})", names) from error
    if before.size > now.size:
        raise Diverged(None, "size", f"{before.size} entries or more", now.size)
    proof = merkle.consistency_proof(log.node_at(now.size), before.size, now.size)
    since = bundle.Since(before.size, tuple(proof))
    SignedLog(msgspec.structs.replace(signed, since=since), trusted, kept)
    return Watched(note, now, found.keys, before)


class _Log:
    """The static files of a log."""

    def __init__(self, address: str) -> None:
        try:
            is_http = urlsplit(address).scheme in {"http", "https"}
        except ValueError as error:
            raise Unreachable(f"this is no address: {error}") from error
        if not is_http:
            raise Unreachable("the address of a log begins with http:// or https://")
        self._address = address.rstrip("/")

    def _get(self, path: str, most: int) -> bytes:
        request = Request(f"{self._address}/{path}", headers={"User-Agent": "games.audit"})  # noqa: S310 -- http, see above
        try:
            with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 -- likewise
                content: bytes = answer.read(most + 1)
        except HTTPError as error:
            raise Unreachable(f"{path} is answered with {error.code}") from error
        except (OSError, HTTPException, ValueError) as error:
            raise Unreachable(f"{path}: {error}") from error
        if len(content) > most:
            raise Unreachable(f"{path} is longer than {most} bytes")
        return content

    def text(self, path: str) -> str:
        """A file of text."""
        try:
            return self._get(path, NOTE_MAX).decode()
        except UnicodeDecodeError as error:
            raise Unreachable(f"{path} is no text") from error

    def node_at(self, size: int) -> merkle.Node:
        """The subtrees of the log when it had `size` entries. Each tile is fetched once, and believed in nothing."""

        @cache
        def tile(level: int, number: int) -> Sequence[bytes]:
            width = merkle.width_of(level, number, size)
            path = merkle.tile_path(level, number, width)
            content = self._get(path, merkle.WIDTH * merkle.HASH_LENGTH)
            if len(content) != width * merkle.HASH_LENGTH:
                raise Unreachable(f"{path} is no tile of {width} hashes")
            return [content[start : start + merkle.HASH_LENGTH] for start in range(0, len(content), merkle.HASH_LENGTH)]

        return merkle.node_in(tile)
