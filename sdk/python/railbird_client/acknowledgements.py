"""Signed notes about a game: stored in a file, and compared with later commits. They acknowledge
commands, or name the newest commit that the server showed (a head).

The client checks what they say, and that a key of the public log signed them. `railbird-audit` does
the same without the server.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from railbird_client.files import append_line, values_in
from railbird_client.log import Log
from railbird_client.patience import persist
from railbird_client.problems import Contradicted, NoEvidence, ServerError

VERSION: Final = re.compile(r"[0-9]{1,16}")
LOG: Final = re.compile(r"[0-9]{1,18} [0-9a-f]{64}")
TITLE: Final = "Railbird acknowledgement 2"
HEAD_TITLE: Final = "Railbird head 1"
HEAD_FIELDS: Final = ("origin", "name", "game", "version", "hash")
FIELDS: Final = (*HEAD_FIELDS, "seat", "id", "command", "seed", "at", "log")
STORE_EVERY_S: Final = 1.0
"""How often a head is checked, which takes some 10 ms, and stored."""


class Note(NamedTuple):
    """The content of a note: hashes in hex, the time as text."""

    note: str
    fields: Mapping[str, str]

    @property
    def version(self) -> int:
        """The version of the game at which the command was committed."""
        return int(self.fields["version"])

    @property
    def is_head(self) -> bool:
        """Whether the note names a commit that was shown, and no command."""
        return "command" not in self.fields

    @property
    def size(self) -> int | None:
        """The size of the log when it was signed; None for a head."""
        return None if self.is_head else int(self.fields["log"].partition(" ")[0])

    @classmethod
    def parse(cls, note: str) -> "Note":
        """Parse an acknowledgement or a head. Raises Contradicted for any other note."""
        title, *lines = note.rpartition("\n\n")[0].split("\n")
        parts = [line.partition(" ") for line in lines]
        expected = {TITLE: FIELDS, HEAD_TITLE: HEAD_FIELDS}.get(title)
        if expected != tuple(name for name, _, _ in parts):
            raise Contradicted(note, "form", TITLE, title)
        fields = {name: text for name, _, text in parts}
        if not VERSION.fullmatch(fields["version"]):
            raise Contradicted(note, "version", "a number", fields["version"])
        if not LOG.fullmatch(fields.get("log", f"0 {64 * '0'}")):
            raise Contradicted(note, "log", "size and root", fields["log"])
        return cls(note, fields)

    def check(self, **expected: object) -> None:
        """Compare its fields with known values. Raises Contradicted."""
        for field, known in expected.items():
            if self.fields[field] != str(known):
                raise Contradicted(self.note, field, str(known), self.fields[field])

    def check_command(self, command: Any) -> None:
        """Compare its command with the one that was sent, which may lack fields that have a
        default. Raises Contradicted."""
        sent, said = msgspec.to_builtins(command), self.fields["command"]
        try:
            is_same = _contains(msgspec.json.decode(said), sent)
        except msgspec.MsgspecError:
            is_same = False
        if not is_same:
            raise Contradicted(self.note, "command", msgspec.json.encode(sent).decode(), said)


def _contains(whole: Any, part: Any) -> bool:
    """Whether a value has all that another one has; objects may have more names."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(name in whole and _contains(whole[name], part[name]) for name in part)
    if isinstance(part, list | tuple) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(_contains, whole, part))
    return type(whole) is type(part) and bool(whole == part)


class Acknowledgements:
    """The signed notes of one game in a file of JSON strings, one per line."""

    def __init__(self, path: Path, game: UUID | str, log: Log) -> None:
        self._path = path
        self._log = log
        self._game = str(game)
        self._known: dict[int, Note] = {}
        self._heads: dict[int, Note] = {}
        self._hashes: dict[int, str] = {}
        self._newest: Note | None = None
        """The newest head that was shown; it is stored soon."""
        self._stored: Note | None = None
        self._storing: asyncio.Task[None] | None = None
        self._failure: ServerError | OSError | None = None
        """The failure of the check of a head, or of its storing."""
        for found in kept_in(path):
            if found.fields["game"] == self._game:
                (self._heads if found.is_head else self._known)[found.version] = found

    async def keep(self, note: str | None, command: object, **expected: object) -> None:
        """Store a new acknowledgement, and check it, as soon as the log can be read. Raises
        Contradicted, NoEvidence."""
        if note is None:
            raise Contradicted("", "acknowledgement", "a signed note", "none")
        found = Note.parse(note)
        if found.is_head:
            raise Contradicted(note, "form", TITLE, HEAD_TITLE)
        found.check(game=self._game, **expected)
        found.check_command(command)
        known = self._known.get(found.version)
        if known is not None:
            found.check(**{**known.fields, "log": found.fields["log"]})
        else:
            await asyncio.to_thread(append_line, self._path, msgspec.json.encode(note))
        # Also if an earlier run kept one: it may have ended before the check.
        await persist(partial(self._log.check_author, note, found.size))
        self._known[found.version] = found
        if (hash_ := self._hashes.get(found.version)) is not None:
            found.check(hash=hash_)

    def compare(self, version: int, hash_: str) -> None:
        """Compare a commit with the notes about its version. Raises Contradicted."""
        self._hashes[version] = hash_
        for known in (self._known.get(version), self._heads.get(version)):
            if known is not None:
                known.check(hash=hash_)

    def show(self, note: str, version: int, hash_: str) -> None:
        """Check the head of a commit that was shown, and store it soon. Raises Contradicted, and
        for an earlier head NoEvidence if nobody signed it, and OSError if it could not be stored.

        If the client cannot read the log, it tries again with the next head."""
        found = Note.parse(note)
        found.check(game=self._game, version=version, hash=hash_)
        if self._failure is not None:
            raise self._failure
        self._newest = found
        if self._storing is None or self._storing.done():
            self._storing = asyncio.create_task(self._store_now_and_then())

    async def close(self) -> None:
        """Store the newest head."""
        if self._storing is not None:
            self._storing.cancel()
            await asyncio.wait([self._storing])
        await self._store()

    async def check_end(self, version: int | None) -> None:
        """Check that the server signed the last version of the game. Raises NoEvidence."""
        if self._newest is None or self._newest.version != version:
            raise NoEvidence("")
        await self._log.check_author(self._newest.note)

    async def _store_now_and_then(self) -> None:
        while (newest := self._newest) is not self._stored and newest is not None:
            try:
                await self._store()
                await self._log.check_author(newest.note)
            except (NoEvidence, Contradicted, OSError) as error:
                self._failure = error
                return
            except ServerError:
                pass  # the log cannot be read
            await asyncio.sleep(STORE_EVERY_S)

    async def _store(self) -> None:
        if (newest := self._newest) is not None and newest is not self._stored:
            before, self._stored = self._stored, newest
            try:
                await asyncio.to_thread(append_line, self._path, msgspec.json.encode(newest.note))
            except OSError:
                self._stored = before
                raise


def kept_in(path: Path) -> Iterator[Note]:
    """Yield the notes in a file, or none without a file. A crash may have cut off the last line."""
    for note in values_in(path, str):
        yield Note.parse(note)
