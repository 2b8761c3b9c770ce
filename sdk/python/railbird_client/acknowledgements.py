"""Signed acknowledgements of commands: stored in a file, and compared with later commits.

The client checks what they say, and that a key of the public log signed them. `railbird-audit` does
the same without the server.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from railbird_client.files import append_line, values_in
from railbird_client.log import Log
from railbird_client.problems import Contradicted

VERSION: Final = re.compile(r"[0-9]{1,16}")
TITLE: Final = "Railbird acknowledgement 1"
FIELDS: Final = (
    *("origin", "name", "game", "version", "hash", "seat", "id", "command", "seed", "at"),
)


class Acknowledgement(NamedTuple):
    """The content of a note: hashes in hex, the time as text."""

    note: str
    fields: Mapping[str, str]

    @property
    def version(self) -> int:
        """The version of the game at which the command was committed."""
        return int(self.fields["version"])

    @classmethod
    def parse(cls, note: str) -> "Acknowledgement":
        """Parse an acknowledgement. Raises Contradicted for any other note."""
        title, *lines = note.rpartition("\n\n")[0].split("\n")
        parts = [line.partition(" ") for line in lines]
        if title != TITLE or [name for name, _, _ in parts] != [*FIELDS]:
            raise Contradicted(note, "form", TITLE, title)
        fields = {name: text for name, _, text in parts}
        if not VERSION.fullmatch(fields["version"]):
            raise Contradicted(note, "version", "a number", fields["version"])
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
    """The acknowledgements of one game in a file of JSON strings, one per line."""

    def __init__(self, path: Path, game: UUID | str, log: Log) -> None:
        self._path = path
        self._log = log
        self._game = str(game)
        self._known: dict[int, Acknowledgement] = {}
        self._hashes: dict[int, str] = {}
        for found in kept_in(path):
            if found.fields["game"] == self._game:
                self._known[found.version] = found

    async def keep(self, note: str | None, command: object, **expected: object) -> None:
        """Check a new acknowledgement, and store it. Raises Contradicted, NoEvidence."""
        if note is None:
            raise Contradicted("", "acknowledgement", "a signed note", "none")
        found = Acknowledgement.parse(note)
        found.check(game=self._game, **expected)
        found.check_command(command)
        known = self._known.get(found.version)
        if known is not None:
            found.check(**known.fields)
        else:
            await self._log.check_author(note, found.fields["at"])
            await asyncio.to_thread(append_line, self._path, msgspec.json.encode(note))
            self._known[found.version] = found
        if (hash_ := self._hashes.get(found.version)) is not None:
            found.check(hash=hash_)

    def compare(self, version: int, hash_: str) -> None:
        """Compare a commit with the acknowledgement of its version. Raises Contradicted."""
        self._hashes[version] = hash_
        if (known := self._known.get(version)) is not None:
            known.check(hash=hash_)


def kept_in(path: Path) -> Iterator[Acknowledgement]:
    """Yield the acknowledgements in a file, or none without a file. A crash may have cut off the
    last line."""
    for note in values_in(path, str):
        yield Acknowledgement.parse(note)
