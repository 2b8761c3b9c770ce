"""Golden playthroughs and books. `python -m tests.rules.golden` rewrites all, or of games it names.

A playthrough may differ only together with a new `version` of the rules if the old one was
released.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec

from railbird_engine.kernel import playthroughs
from railbird_engine.rules import registry

COMMAND: Final = "bin/uv run python -m tests.rules.golden"
RULES: Final = {slug: rules for (slug, _), rules in sorted(registry().items())}
"""The current rules of each game."""

GAMES: Final = {
    (slug, name): how
    for slug in RULES
    for name, how in import_module(f"tests.rules.{slug}.golden").GAMES.items()
}
"""Seats, options and players, by game and name."""


def file_of(slug: str, name: str) -> Path:
    return Path(__file__).with_name(slug) / "playthroughs" / f"{name}.json"


def stored_book(slug: str) -> Path:
    return Path(__file__).with_name(slug) / "book.json"


def book_of(slug: str) -> bytes:
    """Return all that a client draws and names, one value per line."""
    return msgspec.json.format(msgspec.json.encode(RULES[slug].book()), indent=1) + b"\n"


def record(slug: str, name: str, path: Path) -> None:
    """Let the players play this game, and store it."""
    seats, options, ask = GAMES[slug, name]
    playthroughs.record(RULES[slug], seats, options, f"golden {name}", path, ask)


if __name__ == "__main__":
    for slug, name in GAMES:
        if slug in (sys.argv[1:] or RULES):
            record(slug, name, file_of(slug, name))
            stored_book(slug).write_bytes(book_of(slug))
