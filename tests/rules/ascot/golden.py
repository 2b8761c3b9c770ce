"""The golden playthroughs: whole games of bots, command by command, with a digest of each commit.

`python -m tests.rules.ascot.golden` rewrites `playthroughs/*.json`. Do so only when a replay may
differ, together with a new `Ascot.version`.
"""

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from railbird_engine import Seat
from railbird_engine.kernel.playout import Commit, Playout
from railbird_engine.rules.ascot.commands import AscotCommand
from railbird_engine.rules.ascot.options import AscotOptions
from railbird_engine.rules.ascot.rules import Ascot

FOLDER: Final = Path(__file__).with_name("playthroughs")
KEY: Final = b"ascot golden"
GAMES: Final = {
    "place_bets": (4, AscotOptions(place_bets=True)),
    "objections": (
        3,
        AscotOptions(banker=1, dealer=2, manual_objection=True, private_cash=True),
    ),
}
"""Number of seats and options of each game."""


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """A commit: seat and command (null for the clock), and a digest of the result."""

    seat: Seat | None
    command: AscotCommand | None
    digest: str


class Golden(msgspec.Struct, frozen=True):
    """A playthrough under one version of the rules and one edition of the printed content."""

    version: int
    edition: str
    opening: str
    entries: tuple[Entry, ...]


def digest(playout: Playout, commit: Commit) -> str:
    """Draws, events, transfers and the new state of a commit, in eight letters."""
    followed = (commit.draws, commit.events, commit.transfers, playout.state)
    return hashlib.sha256(msgspec.json.encode(followed)).hexdigest()[:8]


def begin(game: str) -> Playout:
    """The game after the deal."""
    seats, options = GAMES[game]
    return Playout(Ascot(), seats, options, KEY)


def play(game: str) -> Golden:
    """Let bots play the game."""
    playout = begin(game)
    opening = digest(playout, playout.commits[0])
    entries = tuple(
        Entry(commit.seat, commit.command, digest(playout, commit)) for commit in playout.run()
    )
    return Golden(Ascot.version, Ascot().printed.edition, opening, entries)


def write(game: str) -> None:
    """Store the game with one commit per line, so that a difference can be read."""
    golden = play(game)
    head = msgspec.json.encode(msgspec.structs.replace(golden, entries=())).decode()
    lines = [msgspec.json.encode(entry).decode() for entry in golden.entries]
    text = head.removesuffix("]}") + "\n" + ",\n".join(lines) + "\n]}\n"
    (FOLDER / f"{game}.json").write_text(text, encoding="utf-8")


def read(game: str) -> Golden:
    """The stored playthrough."""
    return msgspec.json.decode((FOLDER / f"{game}.json").read_bytes(), type=Golden)


if __name__ == "__main__":
    for name in GAMES:
        write(name)
