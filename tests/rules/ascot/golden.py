"""The golden playthrough: one game of bots, written down. Regenerate it by `python -m
tests.rules.ascot.golden`."""

import hashlib
import sys
from pathlib import Path
from typing import Final

import msgspec

from games.engine import Seat
from games.engine.playout import Commit, Playout
from games.rules.ascot.commands import AscotCommand
from games.rules.ascot.options import AscotOptions
from games.rules.ascot.rules import Ascot

FILE: Final = Path(__file__).parent / "golden.json"
KEY: Final = b"ascot golden"
SEATS: Final = 4
OPTIONS: Final = AscotOptions(place_bets=True)


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """A commit: who asked for what (nobody: the clock), and a digest of what followed."""

    seat: Seat | None
    command: AscotCommand | None
    digest: str


class Golden(msgspec.Struct, frozen=True):
    """A playthrough under one version of the rules and one edition of the tables."""

    version: int
    edition: str
    opening: str
    entries: tuple[Entry, ...]


def digest(playout: Playout, commit: Commit) -> str:
    """What followed from a commit, in eight letters."""
    followed = (commit.draws, commit.events, commit.transfers, playout.state)
    return hashlib.sha256(msgspec.json.encode(followed)).hexdigest()[:8]


def play() -> Golden:
    """Let the bots play the game that is written down."""
    rules = Ascot()
    playout = Playout(rules, SEATS, OPTIONS, KEY)
    opening = digest(playout, playout.commits[0])
    entries = tuple(
        Entry(commit.seat, commit.command, digest(playout, commit)) for commit in playout.run()
    )
    return Golden(rules.version, rules.printed.edition, opening, entries)


def write(golden: Golden) -> None:
    """One commit per line, so that a difference can be read."""
    lines = [msgspec.json.encode(entry).decode() for entry in golden.entries]
    head = f'{{"version": {golden.version}, "edition": "{golden.edition}", "opening": "{golden.opening}", "entries": [\n'
    FILE.write_text(head + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


def read() -> Golden:
    """The playthrough that is written down."""
    return msgspec.json.decode(FILE.read_bytes(), type=Golden)


def main() -> None:
    """Write the playthrough anew."""
    golden = play()
    write(golden)
    sys.stdout.write(f"{FILE.name}: {len(golden.entries)} commits under version {golden.version}\n")


if __name__ == "__main__":
    main()
