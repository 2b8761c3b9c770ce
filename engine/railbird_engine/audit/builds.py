"""The builds of the server, as the entries of a log name them."""

import hashlib
from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec

from railbird_engine.audit import strict_json
from railbird_engine.audit.divergence import DivergenceError
from railbird_engine.audit.log import Entry
from railbird_engine.kernel.chain import (
    MALFORMED,
    Build,
    CodeHash,
    Kind,
    ReleaseVersion,
    Slug,
    SourceCommit,
)


class SealedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A build of the server: its version, the commit of its source, empty if unknown, and the hash
    of the code of each game's rules, by slug."""

    version: ReleaseVersion
    commit: SourceCommit
    rules: dict[Slug, CodeHash]

    def __str__(self) -> str:
        """Return version and commit in words."""
        return f"{self.version} of commit {self.commit or 'unknown'}"


NAME: Final = UUID(int=0)
"""The name of all entries about builds."""

_encode: Final = msgspec.json.Encoder(order="sorted").encode
_decode: Final = msgspec.json.Decoder(SealedBy).decode


def build_entry(version: str, commit: str, rules: Mapping[str, str], number: int) -> Entry:
    """Return the entry of the log that names a build, the `number`th of its kind from 0."""
    return _entry(_encode(SealedBy(version, commit, dict(rules))), number)


def _entry(content: bytes, number: int) -> Entry:
    return Entry(Kind.BUILD, NAME, number, hashlib.sha256(content).digest(), content)


class LoggedBuilds:
    """The builds that the entries of a log name, read in order. `last` is the newest of `count`."""

    def __init__(self, count: int = 0, last: SealedBy | None = None) -> None:
        self.count, self.last = count, last
        self._named: set[tuple[str, Build]] = set()

    def has(self, slug: str, build: Build) -> bool:
        """Whether one of the entries names the build of a game."""
        return (slug, build) in self._named

    def take(self, entry: Entry) -> None:
        """Check the next entry about a build. Raises DivergenceError."""
        expected = _entry(entry.payload, self.count)
        if entry != expected:
            raise DivergenceError(None, "build", expected.encode().hex(), entry.encode().hex())
        try:
            strict_json.check(entry.payload)
            self.last = _decode(entry.payload)
        except MALFORMED as error:
            raise DivergenceError(None, "build", "version, commit and rules", error) from error
        version, commit = self.last.version, self.last.commit
        self._named |= {
            (slug, Build(version, commit, code)) for slug, code in self.last.rules.items()
        }
        self.count += 1
