"""The golden playthroughs: whole games, command by command, and the hash of what followed from
each.

    python -m tests.rules.carcassonne.golden

plays them anew and writes `golden.json`.
"""

import hashlib
import sys
from pathlib import Path
from typing import Any

import msgspec

from games.engine import Seat
from games.engine.playout import Commit, Playout, ask_bot, ask_random
from games.rules.carcassonne.messages import Cmd
from games.rules.carcassonne.state import CarcassonneOptions
from tests.rules.carcassonne.table import RULES

FILE = Path(__file__).with_name("golden.json")


class Act(msgspec.Struct, frozen=True, omit_defaults=True):
    """One commit after the first: who asked for what (the clock: nobody), and the hash of what
    followed."""

    followed: str
    seat: Seat | None = None
    command: Cmd | None = None


class Golden(msgspec.Struct, frozen=True):
    """A game: its beginning, its acts and its end."""

    rules_version: int
    seats: int
    options: CarcassonneOptions
    key: str
    start: str
    acts: list[Act]
    points: tuple[int, ...]
    state: str


def digest(value: Any) -> str:
    """A short hash of anything that has a codec."""
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()[:16]


def followed(commit: Commit) -> str:
    """The hash of a commit's draws, events and transfers."""
    return digest([commit.draws, commit.events, commit.transfers])


def play(seats: int, options: CarcassonneOptions, key: str, ask: Any) -> Golden:
    """A game of bots, written down."""
    playout = Playout(RULES, seats, options, key.encode())
    start = followed(playout.commits[0])
    acts = [Act(followed(commit), commit.seat, commit.command) for commit in playout.run(ask)]
    assert playout.result is not None
    return Golden(
        RULES.version,
        seats,
        options,
        key,
        start,
        acts,
        playout.result.scores,
        digest(playout.state),
    )


def main() -> None:
    games = [
        play(4, CarcassonneOptions(), "golden bets", ask_bot),
        play(3, CarcassonneOptions(turn_seconds=1), "golden deadlines", ask_random),
        play(2, CarcassonneOptions(bets=False), "golden base", ask_bot),
    ]
    lines = ",\n".join(
        msgspec.json.encode(game).decode().replace('{"followed"', '\n{"followed"') for game in games
    )
    FILE.write_text(f"[{lines}]\n", "utf-8")
    sys.stdout.write(f"{FILE.name}: {[game.points for game in games]}\n")


if __name__ == "__main__":
    main()
