"""The first thing in a file or a log that is not what it should be."""

from typing import Final
from uuid import UUID

SHOWN_MAX: Final = 400


class Diverged(Exception):
    """The first divergence: in which game, at which version, in which field, what was expected and
    what was found.

    No version: before any game, in what the log says, or wherever `where` says.
    """

    def __init__(
        self,
        version: int | None,
        field: str,
        expected: object,
        found: object,
        *,
        where: str = "log",
    ) -> None:
        super().__init__(version, field, expected, found)
        self.where = where
        self.game: UUID | None = None
        self.version = version
        self.field = field
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        where = self.where if self.version is None else f"version {self.version}"
        if self.game is not None:
            where = f"game {self.game} {where}"
        return (
            f"{where}: {self.field}: expected {_shortened(self.expected)}, found "
            f"{_shortened(self.found)}"
        )


def _shortened(value: object) -> str:
    text = " ".join(str(value).splitlines())
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}... ({len(text)} characters)"
