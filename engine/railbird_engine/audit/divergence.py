"""The first divergence of a file or a log."""

from typing import Final
from uuid import UUID

SHOWN_MAX: Final = 400


class DivergenceError(Exception):
    """The first divergence: game, version, field, expected value and found value.

    The version is None for a divergence outside a game; `where` then names the place. Entries of a
    log have a log name instead of a game.
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
        self.name: UUID | None = None
        self.version = version
        self.field = field
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        where = self.where if self.version is None else f"version {self.version}"
        if self.game is not None:
            where = f"game {self.game} {where}"
        elif self.name is not None:
            where = f"log name {self.name} {where}"
        return (
            f"{where}: {self.field}: expected {_shortened(self.expected)}, found "
            f"{_shortened(self.found)}"
        )


class UnprovenError(DivergenceError):
    """A signed note by nobody whom the log names: no evidence, because anybody can make one."""


def _shortened(value: object) -> str:
    text = " ".join(str(value).splitlines())
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}... ({len(text)} characters)"
